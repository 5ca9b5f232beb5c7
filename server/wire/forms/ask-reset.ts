/** The page on which people ask for a new password. Nobody learns from it whether an address has an account. */

import { askForReset } from '../../../db/mail/mails.ts'
import { isEmailAddress } from '../../domain/users/email-addresses.ts'
import { html, htmlPage, type PeoplesPage } from '../html.ts'
import type { PageTexts } from '../page-texts.ts'
import { emailField } from './account-fields.ts'
import { done, form, lead, links } from './parts.ts'
import { ASK_RESET_PATH, LOG_IN_PATH } from './paths.ts'
import type { ServeForm } from './serve-form.ts'

const PATH = /^\/accounts\/password\/reset\/?$/

/** Whether a path is that of the form. */
export function isAskResetPath(path: string): boolean {
  return PATH.test(path)
}

/** Shows the form; a submission only stores a request for the workers, which look for the account. */
export const serveAskReset: ServeForm = async ({ method, fields, texts }, { sql }) => {
  if (method !== 'POST') return askPage(texts)
  const email = (fields.get('email') ?? '').trim()
  if (isEmailAddress(email)) await askForReset(sql, email)
  return askedPage(texts)
}

function askPage(texts: PageTexts): PeoplesPage {
  const { t } = texts
  return htmlPage(
    200,
    t('Forgot your password?'),
    html`${lead(t('Enter your email address to get a link for a new password.'))}
${form([{ ...emailField(texts), hasFocus: true }], t('Send link'))}
${links([t('Back to log-in'), LOG_IN_PATH])}`,
  )
}

function askedPage({ t }: PageTexts): PeoplesPage {
  return htmlPage(
    200,
    t('Check your email'),
    html`${done(t('If this address has an account, a link is on its way.'))}
<p>${t('It can take a few minutes. Check your spam folder, too. The link works for an hour.')}</p>
${links([t('Try another address'), ASK_RESET_PATH], [t('Back to log-in'), LOG_IN_PATH])}`,
  )
}
