/** Pages with a form, for people whose browser has no session here. */

import { CALL_LOGIN_PATH } from '../api/calls/complete-call-login.ts'
import { ApiError, fail } from '../api/errors.ts'
import { TEMPORARY_BASE } from '../api/uploads/temporary-url.ts'
import { serveCallLogin } from './forms/call-login.ts'
import { isJoinPath, JOIN_FOLDER, serveJoin } from './forms/join.ts'
import type { ServeForm } from './forms/serve-form.ts'
import { html, htmlPage } from './html.ts'

/** The form at a path, if there is one. */
export function findForm(path: string): ServeForm | undefined {
  if (path === CALL_LOGIN_PATH) return guarded(serveCallLogin)
  if (isJoinPath(path)) return guarded(serveJoin)
  return undefined
}

/** A path as it may stand in the log: without what opens an invitation or a file. */
export function loggedPath(path: string): string {
  if (path.startsWith(JOIN_FOLDER)) return JOIN_FOLDER // Also of a link that is nearly one, with more behind its key.
  return path.startsWith(TEMPORARY_BASE) ? TEMPORARY_BASE : path
}

/** Counts a request against its address, a form that is sent as a log-in; and says what is wrong on a page. */
function guarded(serve: ServeForm): ServeForm {
  return async (request, context) => {
    const { limiter, limits, services } = context
    try {
      const { method, address } = request
      if (!['GET', 'HEAD', 'POST'].includes(method))
        throw fail('METHOD_NOT_ALLOWED', { allowed: ['GET', 'HEAD', 'POST'] })
      const { retryAfterSeconds } =
        method === 'POST'
          ? limiter.take(`login:${address}`, limits.logins)
          : limiter.take(`address:${address}`, limits.perAddress)
      if (retryAfterSeconds !== undefined) throw fail('RATE_LIMIT_HIT', { retryAfterSeconds })
      if (!services.state.organization) throw fail('ORGANIZATION_MISSING')
      return await serve(request, context)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return htmlPage(error.status, 'That did not work', html`<p class="problem">${error.message}</p>`)
    }
  }
}
