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
}

/** Writes an API answer in one piece; the client must still be connected. */
export function writeApiResponse(
  res: HttpResponse,
  { requestId, method, acceptsGzip = false, isLast = false, isCorked = false, asksForSession }: Answered,
  { status, body, rate, cookies = NO_COOKIES, isSecret, location }: ApiResponse,
): void {
  const isGzip = acceptsGzip && body instanceof PiecedText && hasBytes(body.pieces, GZIP_BYTES_MIN)
  const bytes = body instanceof PiecedText ? (isGzip ? gzipPieces : joinPieces)(body.pieces) : body
  writeTogether(res, isCorked, () => {
    writeHead(res, { status, requestId, contentType: 'application/json', rate, asksForSession })
    if (isGzip) res.writeHeader('Content-Encoding', 'gzip')
    if (location !== undefined) res.writeHeader('Location', location)
    // Nothing between here and the client may store secrets.
    if (isSecret || cookies.length > 0) res.writeHeader('Cache-Control', 'no-store')
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
  { requestId, method, isLast = false, isCorked = false }: Answered,
  page: Page,
): void {
  writeTogether(res, isCorked, () => {
    writeHead(res, { status: page.status, requestId, contentType: page.contentType, rate: page.rate })
    for (const [name, value] of Object.entries(page.headers)) res.writeHeader(name, value)
    for (const cookie of page.cookies ?? []) res.writeHeader('Set-Cookie', cookie)
    if (page.status === 304) endWithoutBody(res, isLast)
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
