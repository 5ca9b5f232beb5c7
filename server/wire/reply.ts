/** Writes answers. */

import type { ApiResponse } from '../api/admit.ts'
import type { RateStatus } from '../api/rate-limit.ts'
import { hasBytes, joinPieces, PiecedText } from '../views/json-pieces.ts'
import { gzipPieces } from './gzip.ts'
import type { HttpResponse } from './transport/transport.ts'
import { endWithoutBody, writeHead } from './write-head.ts'

/** Bytes of an answer from which compression is worthwhile. */
const GZIP_BYTES_MIN = 16 * 1024

const NO_COOKIES: readonly string[] = []

/** The request to answer. */
export interface Answered {
  readonly requestId: string
  readonly method: string
  readonly acceptsGzip?: boolean
  /** Whether the connection is closed after the answer. */
  readonly isLast?: boolean
  /** Whether the transport's own call still runs, which writes all of an answer in one packet by itself. */
  readonly isCorked?: boolean
  readonly asksForSession?: boolean
  readonly isTlsOnly: boolean
}

/** Writes an API answer in one piece; the client must still be connected. */
export function writeApiResponse(
  res: HttpResponse,
  answered: Answered,
  { status, body, rate, cookies = NO_COOKIES, headers }: ApiResponse,
): void {
  const { requestId, method, acceptsGzip = false, isLast = false, isCorked = false } = answered
  const { asksForSession, isTlsOnly } = answered
  const isGzip = acceptsGzip && body instanceof PiecedText && hasBytes(body.pieces, GZIP_BYTES_MIN)
  const bytes = body instanceof PiecedText ? (isGzip ? gzipPieces : joinPieces)(body.pieces) : body
  writeTogether(res, isCorked, () => {
    // Browsers would leave messages on a disk that others use, and proxies might store secrets.
    const contentType = 'application/json'
    writeHead(res, { status, requestId, contentType, rate, asksForSession, isTlsOnly, isPrivate: true })
    if (isGzip) res.writeHeader('Content-Encoding', 'gzip')
    if (headers) for (const name in headers) res.writeHeader(name, headers[name] ?? '')
    for (const cookie of cookies) res.writeHeader('Set-Cookie', cookie)
    end(res, method, bytes, isLast)
  })
}

/** A page or file that is not an API answer. */
export interface Page {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array
  readonly headers: Readonly<Record<string, string>>
  /** The rate limit that counted the request. */
  readonly rate?: RateStatus | undefined
  /** `Set-Cookie` headers; pages with them are not cached. */
  readonly cookies?: readonly string[] | undefined
}

/** Sends the client elsewhere; the address works for a moment only, so nothing stores it. */
export function redirectTo(address: string): Page {
  const headers = { Location: address, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }
  return { status: 302, contentType: 'text/plain; charset=utf-8', body: '', headers }
}

export function writePage(
  res: HttpResponse,
  { requestId, method, isLast = false, isCorked = false, isTlsOnly }: Answered,
  page: Page,
): void {
  const { status, contentType, rate } = page
  writeTogether(res, isCorked, () => {
    writeHead(res, { status, requestId, contentType, rate, isTlsOnly })
    for (const [name, value] of Object.entries(page.headers)) res.writeHeader(name, value)
    for (const cookie of page.cookies ?? []) res.writeHeader('Set-Cookie', cookie)
    if (status === 304) endWithoutBody(res, isLast)
    else end(res, method, page.body, isLast)
  })
}

/** Writes all of an answer in one packet. */
function writeTogether(res: HttpResponse, isCorked: boolean, write: () => void): void {
  if (isCorked) write()
  else res.cork(write)
}

/** Ends an answer. An answer to HEAD has no body, or its client would read it as the next answer. */
function end(res: HttpResponse, method: string, body: string | Uint8Array, isClosing: boolean): void {
  if (method !== 'HEAD') {
    res.end(body, isClosing)
    return
  }
  // If it gets the length itself, uWebSockets.js waits for a body.
  res.writeHeader('Content-Length', String(Buffer.byteLength(body)))
  endWithoutBody(res, isClosing)
}
