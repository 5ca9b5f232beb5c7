/** The page on which people ask for a new password. Nobody learns from it whether an address has an account. */

import { askForReset } from '../../../db/mail/mails.ts'
import { isEmailAddress } from '../../domain/users/email-addresses.ts'
import { html, htmlPage } from '../html.ts'
import { EMAIL_FIELD } from './account-fields.ts'
import { done, form, lead, links } from './parts.ts'
import { ASK_RESET_PATH, LOG_IN_PATH } from './paths.ts'
import type { ServeForm } from './serve-form.ts'

const PATH = /^\/accounts\/password\/reset\/?$/

const TITLE = 'Forgot your password?'

/** Whether a path is that of the form. */
export function isAskResetPath(path: string): boolean {
  return PATH.test(path)
}

/** Shows the form; a submission only stores a request for the workers, which look for the account. */
export const serveAskReset: ServeForm = async ({ method, fields }, { sql }) => {
  if (method !== 'POST') return FORM
  const email = (fields.get('email') ?? '').trim()
  if (isEmailAddress(email)) await askForReset(sql, email)
  return ASKED
}

const FORM = htmlPage(
  200,
  TITLE,
  html`${lead('Enter your email address to get a link for a new password.')}
${form([{ ...EMAIL_FIELD, hasFocus: true }], 'Send link')}
${links(['Back to log-in', LOG_IN_PATH])}`,
)

const ASKED = htmlPage(
  200,
  'Check your email',
  html`${done('If this address has an account, a link is on its way.')}
<p>It can take a few minutes. Check your spam folder, too. The link works for an hour.</p>
${links(['Try another address', ASK_RESET_PATH], ['Back to log-in', LOG_IN_PATH])}`,
)
