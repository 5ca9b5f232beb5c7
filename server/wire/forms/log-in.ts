/** The page to log in: a form, or who is logged in. */

import { PASSWORD_LOGIN_PARAMS } from '../../api/check-password.ts'
import { logInByPassword } from '../../api/log-in-session.ts'
import { decodeParams } from '../../api/params.ts'
import { csrfTokenOf } from '../../api/session-cookies.ts'
import type { FoundSession } from '../../domain/login-sessions.ts'
import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX } from '../../domain/limits.ts'
import { readLocalPath } from '../../domain/local-path.ts'
import { ApiError, fail } from '../../errors/api-error.ts'
import { type Html, html, htmlPage, redirectPage } from '../html.ts'
import { ASK_RESET_PATH } from './ask-reset.ts'
import type { ServeForm } from './serve-form.ts'

const PATH = '/accounts/login'
const LOG_OUT_PATH = '/accounts/logout'
/** The field with the token against cross-site requests, as forms of this API family name it. */
export const CSRF_FIELD = 'csrfmiddlewaretoken'
const TITLE = 'Log in'

/** Whether a path is this page; existing clients add a slash. */
export function isLogInPath(path: string): boolean {
  return path === PATH || path === `${PATH}/`
}

/** Shows the form and handles its submission. A `next` outside this server is ignored. */
export const serveLogIn: ServeForm = async ({ method, fields, visit, userAgent }, services) => {
  const next = readLocalPath(fields.get('next') ?? '')
  if (method !== 'POST') {
    const session = visit.findSession()
    if (!session) return htmlPage(200, TITLE, form(fields, next))
    const { fullName, email } = services.state.getUser(session.userId)
    return next === undefined ? loggedInPage(fullName, email, session) : redirectPage(next)
  }
  try {
    const login = decodeParams(PASSWORD_LOGIN_PARAMS, fields)
    await logInByPassword(services, visit, login, userAgent, fail)
    return redirectPage(next ?? PATH)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    const problem = html`<p class="problem" role="alert">${error.message}</p>`
    // Browsers would cover a 401 of their own with a dialog for Basic credentials.
    const status = error.status === 401 ? 403 : error.status
    return htmlPage(status, TITLE, html`${problem}${form(fields, next)}`)
  }
}

function loggedInPage(fullName: string, email: string, { tokenHash }: FoundSession) {
  return htmlPage(
    200,
    'Logged in',
    html`<p>You are logged in as ${fullName} (${email}).</p>
<form method="post" action="${LOG_OUT_PATH}">
<input type="hidden" name="${CSRF_FIELD}" value="${csrfTokenOf(tokenHash)}">
<button>Log out</button>
</form>`,
  )
}

/** The form with the address that was entered; the password must be entered again. */
function form(given: ReadonlyMap<string, string>, next: string | undefined): Html {
  const username = (given.get('username') ?? '').slice(0, EMAIL_LENGTH_MAX)
  const hidden = next === undefined ? [] : [html`<input type="hidden" name="next" value="${next}">`]
  return html`<form method="post" action="${PATH}">
${hidden}
<label for="username">Your email address</label>
<input id="username" name="username" type="email" required maxlength="${String(EMAIL_LENGTH_MAX)}"
 autocomplete="username" value="${username}">
<label for="password">Your password</label>
<input id="password" name="password" type="password" required maxlength="${String(PASSWORD_LENGTH_MAX)}"
 autocomplete="current-password">
<button>Log in</button>
</form>
<p><a href="${ASK_RESET_PATH}">Forgot your password?</a></p>`
}
