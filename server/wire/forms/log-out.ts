/** The form that ends the session of its browser. */

import { endSessions } from '../../changes/users/login-sessions.ts'
import { CLEAR_SITE } from '../../api/error-headers.ts'
import { fail } from '../../errors/api-error.ts'
import { redirectPage } from '../html.ts'
import { CSRF_FIELD, LOG_IN_PATH, LOG_OUT_PATH } from './paths.ts'
import type { ServeForm } from './serve-form.ts'

/** Whether a path is this form; existing clients add a slash. */
export function isLogOutPath(path: string): boolean {
  return path === LOG_OUT_PATH || path === `${LOG_OUT_PATH}/`
}

/** Logs out if the form has the session's token: other sites must not do it. */
export const serveLogOut: ServeForm = async ({ method, fields, exchange }, services) => {
  if (method !== 'POST') return redirectPage(LOG_IN_PATH)
  const session = exchange.cookies.findSession()
  if (session) {
    if (!exchange.cookies.checkToken(fields.get(CSRF_FIELD) ?? '')) throw fail('CSRF_TOKEN_WRONG')
    await endSessions(services, session.userId, ({ id }) => id === session.id, session.userId)
  }
  exchange.cookies.closeSession()
  const page = redirectPage(LOG_IN_PATH)
  return { ...page, headers: { ...page.headers, ...CLEAR_SITE } }
}
