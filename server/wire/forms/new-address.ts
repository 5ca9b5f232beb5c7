/** The page behind the link of a mail: it confirms a new address of an account. */

import { confirmAddress, findNewAddress } from '../../changes/users/confirm-address.ts'
import { NEW_EMAIL_ERRORS } from '../../decisions/users/update-settings.ts'
import { ApiError, type ErrorName } from '../../errors/api-error.ts'
import { html, htmlPage, type PeoplesPage } from '../html.ts'
import type { PageTexts } from '../page-texts.ts'
import { problemOf } from './explain-error.ts'
import { bold, done, form, isolated, linkButton, links, problem } from './parts.ts'
import { LOG_IN_PATH } from './paths.ts'
import type { ServeForm } from './serve-form.ts'

const PATH = /^\/accounts\/address\/([A-Za-z0-9]{1,100})\/?$/
const ERRORS: readonly ErrorName[] = NEW_EMAIL_ERRORS

/** Whether a path is a link for a new address. */
export function isNewAddressPath(path: string): boolean {
  return PATH.test(path)
}

/** Asks, and changes the address on submission only, since programs open links of mails in advance. */
export const serveNewAddress: ServeForm = async ({ method, path, texts }, services) => {
  const { t, markup } = texts
  const title = t('New email address')
  const [, token = ''] = PATH.exec(path) ?? []
  const found = await findNewAddress(services, token)
  if (!found) return overPage(texts)
  const { user, email } = found
  if (method !== 'POST') {
    const question = markup(
      'Use <0>{email}</0> for the account of <1>{name}</1>?',
      { email, name: user.fullName },
      [bold, isolated],
    )
    return htmlPage(200, title, html`<p>${question}</p>${form([], t('Use this address'))}`)
  }
  try {
    if (!(await confirmAddress(services, found))) return overPage(texts)
  } catch (error) {
    if (!(error instanceof ApiError) || !ERRORS.includes(error.errorName)) throw error
    return htmlPage(error.status, title, problem({ text: problemOf(error, [], texts).text }))
  }
  return htmlPage(
    200,
    title,
    html`${done(markup('Your email address is now <0>{email}</0>.', { email }, [bold]))}
<p>${t('Log in with it from now on, in other apps, too.')}</p>
${linkButton(t('Log in'), LOG_IN_PATH)}`,
  )
}

function overPage({ t }: PageTexts): PeoplesPage {
  return htmlPage(
    404,
    t('New email address'),
    html`${problem({ text: t('This link has expired or was replaced.') })}
${links([t('Log in'), LOG_IN_PATH])}`,
  )
}
