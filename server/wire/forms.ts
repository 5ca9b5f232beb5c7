/** Pages with a form, for people whose browser is not logged in here. */

import { CALL_LOGIN_PATH } from '../api/operations/calls/complete-call-login.ts'
import { FORM_POLICY, type Policy, SENT_FORM_POLICY } from '../api/door.ts'
import { type ApiError, fail } from '../errors/api-error.ts'
import { serveCallLogin } from './forms/call-login.ts'
import { isJoinPath, serveJoin } from './forms/join.ts'
import { isLogInPath, serveLogIn } from './forms/log-in.ts'
import { isLogOutPath, serveLogOut } from './forms/log-out.ts'
import { isAskResetPath, serveAskReset } from './forms/ask-reset.ts'
import { isResetPath, serveReset } from './forms/reset.ts'
import type { ServeForm } from './forms/serve-form.ts'
import { html, htmlPage } from './html.ts'
import type { Page } from './reply.ts'

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST']

/** The form at a path, if there is one. */
export function findForm(path: string): ServeForm | undefined {
  if (path === CALL_LOGIN_PATH) return serveCallLogin
  if (isJoinPath(path)) return serveJoin
  if (isLogInPath(path)) return serveLogIn
  if (isLogOutPath(path)) return serveLogOut
  if (isAskResetPath(path)) return serveAskReset
  if (isResetPath(path)) return serveReset
  return undefined
}

/** The policy of a form. Throws if no form takes the method. */
export function formPolicy(method: string): Policy {
  if (!METHODS.includes(method)) throw fail('METHOD_NOT_ALLOWED', { allowed: [...METHODS] })
  return method === 'POST' ? SENT_FORM_POLICY : FORM_POLICY
}

/** An error as a page for people. */
export function failurePage({ status, message }: ApiError): Page {
  return htmlPage(status, 'That did not work', html`<p class="problem">${message}</p>`)
}
