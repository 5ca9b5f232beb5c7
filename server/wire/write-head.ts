/** The head of every answer, for every transport: status, request id, rate limit, and headers of the status. */

import { BASIC_REALM } from '../views/names.ts'
import type { RateStatus } from '../api/door/rate-limit.ts'
import { REASON_PHRASES } from './reason-phrases.ts'
import type { HttpResponse } from './transport/transport.ts'

/**
 * A year, as browsers' lists of such sites ask for. Other names under this one may be without TLS, so it does not speak
 * for them.
 */
const TLS_ONLY = '\r\nStrict-Transport-Security: max-age=31536000'
const NOT_STORED = '\r\nCache-Control: no-store'

/** For a 503: the server checks an overload or an outage again within a second or two. */
const UNAVAILABLE_SECONDS = 2

/** Ways to prove who asks, as the beginning of a challenge; agents learn where they may log in. `Session` is for browsers, which show a dialog of their own for Basic. */
export type Scheme = 'Basic' | 'Session' | 'Bearer' | `Bearer resource_metadata="${string}",`

/** The head of an answer. */
export interface AnswerHead {
  readonly status: number
  readonly requestId: string
  /** Undefined if the answer has no body. */
  readonly contentType: string | undefined
  readonly rate?: RateStatus | undefined
  /** The credentials that a 401 asks for; `Basic` by default. */
  readonly scheme?: Scheme | undefined
  /** Whether browsers must reach this server by TLS alone from now on. */
  readonly isTlsOnly: boolean
  /** Whether nothing between here and the reader's eyes may store it. */
  readonly isPrivate?: boolean
}

/** Ends an answer without a body; the last one asks the client to close the connection, since the library does not. */
export function endWithoutBody(res: HttpResponse, isLast: boolean): void {
  if (isLast) res.writeHeader('Connection', 'close')
  res.endWithoutBody()
}

/** Writes the status and the headers of all answers; call it within `cork`, before other headers. */
export function writeHead(
  res: HttpResponse,
  { status, requestId, contentType, rate, scheme = 'Basic', isTlsOnly, isPrivate = false }: AnswerHead,
): void {
  if (status !== 200) res.writeStatus(`${status} ${REASON_PHRASES[status] ?? ''}`) // The library writes 200 itself.
  // In one call: six calls of the library take a twentieth of the time of a small read.
  const type = contentType === undefined ? '' : `\r\nContent-Type: ${contentType}`
  const limits = rate
    ? `\r\nX-RateLimit-Limit: ${rate.limit}\r\nX-RateLimit-Remaining: ${rate.remaining}\r\nX-RateLimit-Reset: ${rate.resetAt}`
    : ''
  const rules = (isPrivate ? NOT_STORED : '') + (isTlsOnly ? TLS_ONLY : '')
  // Browsers must not render JSON with a user's text as a page.
  res.writeHeader('X-Content-Type-Options', `nosniff\r\nX-Request-Id: ${requestId}${type}${rules}${limits}`)
  const retrySeconds = rate?.retryAfterSeconds ?? (status === 503 ? UNAVAILABLE_SECONDS : undefined)
  if (retrySeconds !== undefined) res.writeHeader('Retry-After', String(Math.ceil(retrySeconds)))
  if (status === 401) res.writeHeader('WWW-Authenticate', `${scheme} realm="${BASIC_REALM}"`)
}
