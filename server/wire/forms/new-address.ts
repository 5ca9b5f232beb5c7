/** The page behind the link of a mail: it confirms a new address of an account. */

import { confirmAddress, findNewAddress } from '../../changes/users/confirm-address.ts'
import { NEW_EMAIL_ERRORS } from '../../decisions/users/update-settings.ts'
import { ApiError, type ErrorName } from '../../errors/api-error.ts'
import { html, htmlPage } from '../html.ts'
import { problemOf } from './explain-error.ts'
import { done, form, linkButton, links, problem } from './parts.ts'
import { LOG_IN_PATH } from './paths.ts'
import type { ServeForm } from './serve-form.ts'

const PATH = /^\/accounts\/address\/([A-Za-z0-9]{1,100})\/?$/
const TITLE = 'New email address'
const SUBMIT = 'Use this address'
const ERRORS: readonly ErrorName[] = NEW_EMAIL_ERRORS

/** Whether a path is a link for a new address. */
export function isNewAddressPath(path: string): boolean {
  return PATH.test(path)
}

/** Asks, and changes the address on submission only, since programs open links of mails in advance. */
export const serveNewAddress: ServeForm = async ({ method, path }, services) => {
  const [, token = ''] = PATH.exec(path) ?? []
  const found = await findNewAddress(services, token)
  if (!found) return OVER
  const { user, email } = found
  const question = html`<p>Use <b>${email}</b> for the account of <bdi>${user.fullName}</bdi>?</p>`
  if (method !== 'POST') return htmlPage(200, TITLE, html`${question}${form([], SUBMIT)}`)
  try {
    if (!(await confirmAddress(services, found))) return OVER
  } catch (error) {
    if (!(error instanceof ApiError) || !ERRORS.includes(error.errorName)) throw error
    return htmlPage(error.status, TITLE, problem({ text: problemOf(error, []).text }))
  }
  return htmlPage(
    200,
    TITLE,
    html`${done(html`Your email address is now <b>${email}</b>.`)}
<p>Log in with it from now on, in other apps, too.</p>
${linkButton('Log in', LOG_IN_PATH)}`,
  )
}

const OVER = htmlPage(
  404,
  TITLE,
  html`${problem({ text: 'This link has expired or was replaced.' })}
${links(['Log in', LOG_IN_PATH])}`,
)
