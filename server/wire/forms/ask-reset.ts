/** The page on which people ask for a new password. Nobody learns from it whether an address has an account. */

import { askForReset } from '../../../db/mails.ts'
import { isEmailAddress } from '../../domain/email-addresses.ts'
import { EMAIL_LENGTH_MAX } from '../../domain/limits.ts'
import { html, htmlPage } from '../html.ts'
import type { ServeForm } from './serve-form.ts'

const PATH = /^\/accounts\/password\/reset\/?$/
/** The address of the form. */
export const ASK_RESET_PATH = '/accounts/password/reset/'

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
  html`<p>Enter the email address of your account. We send you a link with which you choose a new password.</p>
<form method="post">
<label for="email">Your email address</label>
<input id="email" name="email" type="email" required maxlength="${String(EMAIL_LENGTH_MAX)}" autocomplete="username">
<button>Send me a link</button>
</form>`,
)

const ASKED = htmlPage(
  200,
  TITLE,
  html`<p role="status">If this address has an account here, a mail with a link is on its way. It arrives within some
minutes; look among unwanted mails, too. The link works for an hour.</p>
<p><a href="${ASK_RESET_PATH}">Try another address</a></p>`,
)
