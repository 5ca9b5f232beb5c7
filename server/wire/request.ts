/** A request as it comes in: everything is copied out of uWebSockets.js before the first wait. */

import { SAFE_METHODS } from '../api/cross-site.ts'
import type { Head } from '../api/door.ts'
import { isFilePath } from '../api/served-file.ts'
import type { BodyShare } from './body-budget.ts'
import type { HttpRequest, HttpResponse } from './uws.ts'

/** Bytes of a body; where it may bring files, these have limits of their own. */
export const BODY_BYTES_MAX = 2 * 1024 * 1024
/** Bytes of a refused body that are passed over, as few clients read an answer before they have sent all. */
const DISCARDED_BYTES_MAX = 32 * 1024 * 1024

/** Characters of an address: narrows travel in it. The library cuts off what has headers of more than twice that. */
export const ADDRESS_LENGTH_MAX = 16 * 1024

/** One HTTP request, with what it asks for. */
export class WireRequest implements Head {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly authorization: string
  readonly contentType: string
  readonly userAgent: string
  /** Which version of a page the client has; the API has none. */
  readonly ifNoneMatch: string
  /** Which part of a file is asked for, and of which version; of files only. */
  readonly range: string
  readonly ifRange: string
  readonly acceptsGzip: boolean
  readonly hasBody: boolean
  /** What the client says of its body; not a number where it says nothing. */
  readonly bodyBytes: number
  /** Whether a proxy may find another end of the body than this server does. */
  readonly isAmbiguous: boolean
  /** Whether it opens a stream. */
  readonly opensStream: boolean
  readonly fetchSite: string
  readonly origin: string
  readonly host: string
  readonly #res: HttpResponse
  readonly #forwardedAddress: string
  #isAborted = false
  #controller: AbortController | undefined

  constructor(
    res: HttpResponse,
    req: HttpRequest,
    isProxyTrusted: boolean,
    { opensStream = false }: { readonly opensStream?: boolean } = {},
  ) {
    this.method = req.getCaseSensitiveMethod()
    this.path = req.getUrl()
    this.query = req.getQuery() ?? ''
    this.authorization = req.getHeader('authorization')
    this.userAgent = req.getHeader('user-agent')
    this.ifNoneMatch = this.path.startsWith('/api/') ? '' : req.getHeader('if-none-match')
    const isOfFile = isFilePath(this.path)
    this.range = isOfFile ? req.getHeader('range') : ''
    this.ifRange = isOfFile ? req.getHeader('if-range') : ''
    this.acceptsGzip = takesGzip(req.getHeader('accept-encoding'))
    const length = req.getHeader('content-length')
    this.bodyBytes = Number.parseInt(length, 10)
    this.hasBody = (length !== '' && length !== '0') || req.getHeader('transfer-encoding') !== ''
    this.opensStream = opensStream
    const mayChange = opensStream || !SAFE_METHODS.includes(this.method)
    this.isAmbiguous = (mayChange || this.hasBody) && hasAmbiguousBody(req)
    this.fetchSite = mayChange ? req.getHeader('sec-fetch-site') : ''
    this.origin = mayChange ? req.getHeader('origin') : ''
    this.host = this.origin === '' ? '' : req.getHeader('host')
    this.contentType = this.hasBody ? req.getHeader('content-type') : ''
    // What stands before the address that the proxy saw is the client's own word.
    this.#res = res
    this.#forwardedAddress = isProxyTrusted ? forwardedAddress(req) : ''
  }

  /** The client's network address; looked up only where it is asked for, and before the answer. */
  get address(): string {
    if (this.#forwardedAddress !== '') return this.#forwardedAddress
    return this.#isAborted ? '' : remoteAddress(this.#res)
  }

  /** Aborts when the client is gone. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#isAborted) this.#controller.abort()
    return this.#controller.signal
  }

  /** The client is gone. */
  abort(): void {
    this.#isAborted = true
    this.#controller?.abort()
  }
}

/** Why a body did not come: it is too large. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
  readonly bytesMax: number

  constructor(bytesMax: number) {
    super(`the body has more than ${bytesMax} bytes`)
    this.bytesMax = bytesMax
  }
}

/** Whether a body that is not read is too long to be passed over, so that its connection has to be closed. */
export function isBeyondPassing({ bodyBytes }: WireRequest): boolean {
  return bodyBytes > DISCARDED_BYTES_MAX
}

/**
 * The whole body, of so many bytes at most, within its share of the memory. Rejects with a `BodyTooLargeError`, or with
 * what the share rejects with, at once: the rest is passed over. Never settles where the client goes away.
 */
export function readBody(
  res: HttpResponse,
  { bodyBytes }: WireRequest,
  bytesMax: number,
  share: BodyShare,
): Promise<Buffer> {
  if (bodyBytes > bytesMax) return Promise.reject(new BodyTooLargeError(bytesMax))
  return new Promise((resolve, reject) => {
    let buffer = Buffer.alloc(0)
    let length = 0
    let isOver = false
    const refuse = (error: Error) => {
      isOver = true
      buffer = Buffer.alloc(0)
      reject(error)
    }
    res.onData((chunk, isLast) => {
      if (isOver) return
      const end = length + chunk.byteLength
      if (end > bytesMax) return refuse(new BodyTooLargeError(bytesMax))
      if (end > buffer.length) {
        // Doubled, since a body may come in chunks of one byte.
        const size = isLast ? end : Math.min(bytesMax, Math.max(end, 2 * length))
        const refusal = share.grow(size)
        if (refusal) return refuse(refusal)
        const grown = Buffer.allocUnsafe(size)
        buffer.copy(grown, 0, 0, length)
        buffer = grown
      }
      buffer.set(new Uint8Array(chunk), length) // The chunk's memory is only lent for this call.
      length = end
      if (isLast) resolve(buffer.subarray(0, length))
    })
  })
}

/** Whether headers say twice how long the body is, or in a way that not all understand alike. */
function hasAmbiguousBody(req: HttpRequest): boolean {
  let lengths = 0
  let isAmbiguous = false
  req.forEach((name, value) => {
    if (name === 'content-length') lengths++
    // Both together are refused by the library.
    else if (name === 'transfer-encoding') isAmbiguous ||= value.toLowerCase() !== 'chunked' || lengths++ > 0
  })
  return isAmbiguous || lengths > 1
}

/** The last address in the header: the proxy appends it to the line, or adds a line of its own. */
function forwardedAddress(req: HttpRequest): string {
  let forwarded = ''
  req.forEach((name, value) => {
    if (name === 'x-forwarded-for') forwarded = value
  })
  return forwarded.slice(forwarded.lastIndexOf(',') + 1).trim()
}

function remoteAddress(res: HttpResponse): string {
  return Buffer.from(res.getRemoteAddressAsText()).toString('latin1')
}

/** Whether `Accept-Encoding` names gzip; a quality of nought refuses it. */
function takesGzip(header: string): boolean {
  if (!header.includes('gzip')) return false
  return header.split(',').some((item) => {
    const [name, quality] = item.split(';')
    return name?.trim() === 'gzip' && Number(quality?.trim().slice('q='.length) ?? 1) !== 0
  })
}
