/** The head of every answer, whatever carries it: status, request id, rate limit, and what the status asks for. */

import { STATUS_CODES } from 'node:http'
import { BASIC_REALM } from '../views/names.ts'
import type { RateStatus } from '../api/rate-limit.ts'
import type { HttpResponse } from './uws.ts'

/** After a 503: what is overloaded or away is looked at again within a second or two. */
const UNAVAILABLE_SECONDS = 2

/** What an answer says before its body. */
export interface AnswerHead {
  readonly status: number
  readonly requestId: string
  /** Undefined where the answer has no body. */
  readonly contentType: string | undefined
  readonly rate?: RateStatus | undefined
}

/** Ends an answer without a body; after the last one, its client is to close the connection, as the library does not. */
export function endWithoutBody(res: HttpResponse, isLast: boolean): void {
  if (isLast) res.writeHeader('Connection', 'close')
  res.endWithoutBody()
}

/** Writes the status and the headers that all answers have; to be called within `cork`, before other headers. */
export function writeHead(res: HttpResponse, { status, requestId, contentType, rate }: AnswerHead): void {
  if (status !== 200) res.writeStatus(`${status} ${STATUS_CODES[status] ?? ''}`) // The library's own is 200.
  if (contentType !== undefined) res.writeHeader('Content-Type', contentType)
  // No browser takes JSON that holds a user's words for a page.
  res.writeHeader('X-Content-Type-Options', 'nosniff')
  res.writeHeader('X-Request-Id', requestId)
  if (rate) {
    res.writeHeader('X-RateLimit-Limit', String(rate.limit))
    res.writeHeader('X-RateLimit-Remaining', String(rate.remaining))
    res.writeHeader('X-RateLimit-Reset', String(rate.resetAt))
  }
  const retrySeconds = rate?.retryAfterSeconds ?? (status === 503 ? UNAVAILABLE_SECONDS : undefined)
  if (retrySeconds !== undefined) res.writeHeader('Retry-After', String(Math.ceil(retrySeconds)))
  if (status === 401) res.writeHeader('WWW-Authenticate', `Basic realm="${BASIC_REALM}"`)
}
