/** Writes answers. */

import type { ApiResponse } from '../api/admit.ts'
import type { RateStatus } from '../api/door/rate-limit.ts'
import { hasBytes, joinPieces, PiecedText } from '../views/json-pieces.ts'
import { gzipPieces } from './gzip.ts'
import type { HttpResponse, LastEnd, OnWaiting } from './transport/transport.ts'
import { endWithoutBody, type Scheme, writeHead } from './write-head.ts'

/** Bytes of an answer from which compression is worthwhile. */
const GZIP_BYTES_MIN = 16 * 1024

const NO_COOKIES: readonly string[] = []

/** The next request, or the end of the connection, which is `close` if the request is read to its end. */
export type After = 'next' | 'close' | LastEnd

/** For answers of a few hundred bytes: a connection takes as many, and has one at a time. */
const UNCOUNTED: OnWaiting = () => () => undefined

/** The request to answer. */
export interface Answered {
  readonly requestId: string
  readonly method: string
  readonly acceptsGzip?: boolean
  readonly after?: After
  /** Whether nothing reads the request's body. */
  readonly isUnread?: boolean
  /** Counts what the client does not take at once. */
  readonly onWaiting?: OnWaiting
  /** Whether the transport's own call still runs, which writes all of an answer in one packet by itself. */
  readonly isCorked?: boolean
  readonly scheme?: Scheme
  readonly isTlsOnly: boolean
}

/** Writes an API answer in one piece; the client must still be connected. */
export function writeApiResponse(
  res: HttpResponse,
  answered: Answered,
  {
    status,
    body,
    rate,
    cookies = NO_COOKIES,
    location,
    headers,
    contentType = 'application/json',
  }: ApiResponse,
): void {
  const { requestId, acceptsGzip = false, isCorked = false, scheme, isTlsOnly } = answered
  const isGzip = acceptsGzip && body instanceof PiecedText && hasBytes(body.pieces, GZIP_BYTES_MIN)
  const bytes = body instanceof PiecedText ? (isGzip ? gzipPieces : joinPieces)(body.pieces) : body
  writeTogether(res, isCorked, () => {
    // Browsers would leave messages on a disk that others use, and proxies might store secrets.
    writeHead(res, { status, requestId, contentType, rate, scheme, isTlsOnly, isPrivate: true })
    if (isGzip) res.writeHeader('Content-Encoding', 'gzip')
    if (location !== undefined) res.writeHeader('Location', location)
    if (headers) for (const name in headers) res.writeHeader(name, headers[name] ?? '')
    for (const cookie of cookies) res.writeHeader('Set-Cookie', cookie)
    endAnswer(res, answered, bytes)
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

export function writePage(res: HttpResponse, answered: Answered, page: Page): void {
  const { requestId, isCorked = false, isTlsOnly } = answered
  const { status, contentType, rate } = page
  writeTogether(res, isCorked, () => {
    writeHead(res, { status, requestId, contentType, rate, isTlsOnly, scheme: 'Session' })
    for (const [name, value] of Object.entries(page.headers)) res.writeHeader(name, value)
    for (const cookie of page.cookies ?? []) res.writeHeader('Set-Cookie', cookie)
    endAnswer(res, answered, status === 304 || status === 204 ? undefined : page.body)
  })
}

/** Writes all of an answer in one packet. */
function writeTogether(res: HttpResponse, isCorked: boolean, write: () => void): void {
  if (isCorked) write()
  else res.cork(write)
}

/** The part of a request that decides how its answer ends. */
export type EndedAnswer = Pick<Answered, 'method' | 'after' | 'isUnread' | 'onWaiting'>

/**
 * Ends an answer; undefined is for a status without a body. An answer to HEAD has none, or its client would read it as
 * the next answer.
 */
export function endAnswer(
  res: HttpResponse,
  { method, after = 'next', isUnread = false, onWaiting = UNCOUNTED }: EndedAnswer,
  body: string | Uint8Array | undefined,
): void {
  const sent = method === 'HEAD' ? undefined : body
  // If it gets the length itself, uWebSockets.js waits for a body.
  if (method === 'HEAD' && body !== undefined)
    res.writeHeader('Content-Length', String(Buffer.byteLength(body)))
  if (after === 'drop' || after === 'cut') res.endLast(sent, after, isUnread)
  else if (sent === undefined) endWithoutBody(res, after === 'close')
  else if (after === 'close') res.end(sent, true)
  else res.endWhole(sent, onWaiting)
}
