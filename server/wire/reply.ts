/** Writing an answer. */

import { STATUS_CODES } from 'node:http'
import type { ApiResponse } from '../api/admit.ts'
import { BASIC_REALM } from '../api/names.ts'
import { hasBytes, joinPieces, PiecedText } from '../views/json-pieces.ts'
import { gzipPieces } from './gzip.ts'
import type { HttpResponse } from './uws.ts'

/** Bytes of an answer from which on it is worth its while to send it compressed. */
const GZIP_BYTES_MIN = 16 * 1024

/** The request that is answered. */
export interface Answered {
  readonly requestId: string
  readonly method: string
  readonly acceptsGzip?: boolean
  /** Whether the connection is closed after the answer. */
  readonly isLast?: boolean
}

/** Writes an API answer in one piece; the caller has seen to it that the client is still there. */
export function writeApiResponse(
  res: HttpResponse,
  { requestId, method, acceptsGzip = false, isLast = false }: Answered,
  { status, body, rate }: ApiResponse,
): void {
  const isGzip = acceptsGzip && body instanceof PiecedText && hasBytes(body.pieces, GZIP_BYTES_MIN)
  const bytes = body instanceof PiecedText ? (isGzip ? gzipPieces : joinPieces)(body.pieces) : body
  res.cork(() => {
    if (status !== 200) res.writeStatus(statusLine(status)) // The library's own is 200.
    res.writeHeader('Content-Type', 'application/json')
    res.writeHeader('X-Request-Id', requestId)
    if (isGzip) res.writeHeader('Content-Encoding', 'gzip')
    if (rate) {
      res.writeHeader('X-RateLimit-Limit', String(rate.limit))
      res.writeHeader('X-RateLimit-Remaining', String(rate.remaining))
      res.writeHeader('X-RateLimit-Reset', String(rate.resetAt))
      if (rate.retryAfterSeconds !== undefined) {
        res.writeHeader('Retry-After', String(Math.ceil(rate.retryAfterSeconds)))
      }
    }
    if (status === 401) res.writeHeader('WWW-Authenticate', `Basic realm="${BASIC_REALM}"`)
    // What is left of a refused body would be read as the next request.
    end(res, method, bytes, isLast || status === 413)
  })
}

/** A page or file that is no API answer. */
export interface Page {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

export function writePage(res: HttpResponse, { requestId, method }: Answered, page: Page): void {
  res.cork(() => {
    res.writeStatus(statusLine(page.status))
    res.writeHeader('Content-Type', page.contentType)
    res.writeHeader('X-Content-Type-Options', 'nosniff')
    res.writeHeader('X-Request-Id', requestId)
    for (const [name, value] of Object.entries(page.headers)) res.writeHeader(name, value)
    if (page.status === 304) res.endWithoutBody()
    else end(res, method, page.body, false)
  })
}

function statusLine(status: number): string {
  return status === 200 ? '200 OK' : `${status} ${STATUS_CODES[status] ?? ''}`
}

/** Ends an answer. One to HEAD has no body, or its client would read it as the next answer. */
function end(res: HttpResponse, method: string, body: string | Uint8Array, isClosing: boolean): void {
  if (method !== 'HEAD') {
    res.end(body, isClosing)
    return
  }
  // Given the length itself, uWebSockets.js waits for a body that never comes.
  res.writeHeader('Content-Length', String(Buffer.byteLength(body)))
  res.endWithoutBody()
}
