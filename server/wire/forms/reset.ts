/** The page behind the link of a mail: a form for a new password. */

import { decodeParams, required, text } from '../../api/params.ts'
import { findResetUser, resetPassword } from '../../changes/users/set-password.ts'
import type { User } from '../../domain/entities.ts'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../domain/limits.ts'
import { ApiError, type ErrorName, fail } from '../../errors/api-error.ts'
import { type Html, html, htmlPage } from '../html.ts'
import { ASK_RESET_PATH } from './ask-reset.ts'
import type { ServeForm } from './serve-form.ts'

const PATH = /^\/accounts\/password\/reset\/([A-Za-z0-9]{1,100})\/?$/
const TITLE = 'Choose a new password'

const FIELDS = { password: required(text({ lengthMax: PASSWORD_LENGTH_MAX }), 'The password.') }
/** The errors that people can correct in the form. */
const ERRORS: readonly ErrorName[] = ['PASSWORD_TOO_WEAK', 'PARAMETER_INVALID', 'PARAMETER_MISSING']

/** Whether a path is a link for a new password. */
export function isResetPath(path: string): boolean {
  return PATH.test(path)
}

/** Shows the form and handles its submission; only that uses the link, since programs open links of mails in advance. */
export const serveReset: ServeForm = async ({ method, path, fields }, services) => {
  const [, token = ''] = PATH.exec(path) ?? []
  const user = await findResetUser(services, token)
  if (!user) return OVER
  if (method !== 'POST') return htmlPage(200, TITLE, form(user))
  try {
    const { password } = decodeParams(FIELDS, fields)
    if (!(await resetPassword(services, user, token, password, fail))) return OVER
  } catch (error) {
    if (!(error instanceof ApiError) || !ERRORS.includes(error.errorName)) throw error
    return htmlPage(
      error.status,
      TITLE,
      html`<p class="problem" role="alert">${error.message}</p>${form(user)}`,
    )
  }
  return htmlPage(
    200,
    TITLE,
    html`<p role="status">Your password is set. You are logged out everywhere: log in with ${user.email} and the new
password.</p>`,
  )
}

/** The address is for programs that store passwords. */
function form({ email }: User): Html {
  return html`<form method="post">
<label for="email">Your account</label>
<input id="email" type="email" readonly autocomplete="username" value="${email}">
<label for="password">A new password, of ${String(PASSWORD_LENGTH_MIN)} characters at least</label>
<input id="password" name="password" type="password" required minlength="${String(PASSWORD_LENGTH_MIN)}"
 maxlength="${String(PASSWORD_LENGTH_MAX)}" autocomplete="new-password" autofocus>
<button>Set the password</button>
</form>`
}

const OVER = htmlPage(
  404,
  TITLE,
  html`<p class="problem" role="alert">This link is used or too old, or a newer one was sent.</p>
<p><a href="${ASK_RESET_PATH}">Ask for a new link</a></p>`,
)
