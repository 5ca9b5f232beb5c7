/** Headers that belong to an error, or to the end of a session, whatever carries the answer. */

import type { ApiError } from '../errors/api-error.ts'

/** Headers by their names. */
export type AnswerHeaders = Readonly<Record<string, string>>

/** The browser deletes what it has cached of this server: the next person at the same computer must not find it. */
export const CLEAR_CACHE: AnswerHeaders = { 'Clear-Site-Data': '"cache"' }

/** The same with the client's own stores, where no client of ours deletes them by itself. */
export const CLEAR_SITE: AnswerHeaders = { 'Clear-Site-Data': '"cache", "storage"' }

/** The headers of an error's answer besides those of all answers; undefined for none. */
export function errorHeaders({
  errorName,
  body,
}: Pick<ApiError, 'errorName' | 'body'>): AnswerHeaders | undefined {
  switch (errorName) {
    case 'METHOD_NOT_ALLOWED':
      return { Allow: (body.allowed_methods as readonly string[]).join(', ') }
    case 'SESSION_INVALID':
      return CLEAR_CACHE
    default:
      return undefined
  }
}
