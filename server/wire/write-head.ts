/** The head of every answer, for every transport: status, request id, rate limit, and headers of the status. */

import { STATUS_CODES } from 'node:http'
import { BASIC_REALM } from '../views/names.ts'
import type { RateStatus } from '../api/rate-limit.ts'
import type { HttpResponse } from './transport/transport.ts'

/** For a 503: the server checks an overload or an outage again within a second or two. */
const UNAVAILABLE_SECONDS = 2

/** The head of an answer. */
export interface AnswerHead {
  readonly status: number
  readonly requestId: string
  /** Undefined if the answer has no body. */
  readonly contentType: string | undefined
  readonly rate?: RateStatus | undefined
  /** Whether a 401 asks for a session: browsers show a dialog of their own for Basic. */
  readonly asksForSession?: boolean | undefined
}

/** Ends an answer without a body; the last one asks the client to close the connection, since the library does not. */
export function endWithoutBody(res: HttpResponse, isLast: boolean): void {
  if (isLast) res.writeHeader('Connection', 'close')
  res.endWithoutBody()
}

/** Writes the status and the headers of all answers; call it within `cork`, before other headers. */
export function writeHead(
  res: HttpResponse,
  { status, requestId, contentType, rate, asksForSession }: AnswerHead,
): void {
  if (status !== 200) res.writeStatus(`${status} ${STATUS_CODES[status] ?? ''}`) // The library writes 200 itself.
  if (contentType !== undefined) res.writeHeader('Content-Type', contentType)
  // Browsers must not render JSON with a user's text as a page.
  res.writeHeader('X-Content-Type-Options', 'nosniff')
  res.writeHeader('X-Request-Id', requestId)
  if (rate) {
    res.writeHeader('X-RateLimit-Limit', String(rate.limit))
    res.writeHeader('X-RateLimit-Remaining', String(rate.remaining))
    res.writeHeader('X-RateLimit-Reset', String(rate.resetAt))
  }
  const retrySeconds = rate?.retryAfterSeconds ?? (status === 503 ? UNAVAILABLE_SECONDS : undefined)
  if (retrySeconds !== undefined) res.writeHeader('Retry-After', String(Math.ceil(retrySeconds)))
  if (status === 401) {
    const scheme = asksForSession === true ? 'Session' : 'Basic'
    res.writeHeader('WWW-Authenticate', `${scheme} realm="${BASIC_REALM}"`)
  }
}
