/** A request as it comes in: everything is copied out of uWebSockets.js before the first wait. */

import { isFilePath } from '../api/uploads/served-file.ts'
import type { HttpRequest, HttpResponse } from './uws.ts'

/** Bytes of a body; where it may bring files, these have limits of their own. */
export const BODY_BYTES_MAX = 2 * 1024 * 1024
/** Bytes of a body that is too large and yet read to its end, as few clients read an answer before they have sent all. */
const DISCARDED_BYTES_MAX = 32 * 1024 * 1024

/** One HTTP request, with what it asks for. */
export class WireRequest {
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
  readonly #res: HttpResponse
  readonly #forwardedAddress: string
  #isAborted = false
  #controller: AbortController | undefined

  constructor(res: HttpResponse, req: HttpRequest, isProxyTrusted: boolean) {
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
  /** Whether it was read to its end, so that the connection can be used on. */
  readonly isWhole: boolean

  constructor(bytesMax: number, isWhole: boolean) {
    super(`the body has more than ${bytesMax} bytes`)
    this.bytesMax = bytesMax
    this.isWhole = isWhole
  }
}

/** The whole body, of so many bytes at most. Rejects with `BodyTooLargeError`; never settles where the client goes away. */
export function readBody(
  res: HttpResponse,
  { bodyBytes }: WireRequest,
  bytesMax = BODY_BYTES_MAX,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let buffer = Buffer.alloc(0)
    let length = 0
    res.onData((chunk, isLast) => {
      const end = length + chunk.byteLength
      if (end > bytesMax) {
        buffer = Buffer.alloc(0)
        length = end
        if (isLast || end > DISCARDED_BYTES_MAX) reject(new BodyTooLargeError(bytesMax, isLast))
        return
      }
      if (end > buffer.length) {
        // Doubled, since a body may come in chunks of one byte.
        const grown = Buffer.allocUnsafe(isLast ? end : Math.min(bytesMax, Math.max(end, 2 * length)))
        buffer.copy(grown, 0, 0, length)
        buffer = grown
      }
      buffer.set(new Uint8Array(chunk), length) // The chunk's memory is only lent for this call.
      length = end
      if (isLast) resolve(buffer.subarray(0, length))
    })
    if (bodyBytes > DISCARDED_BYTES_MAX) reject(new BodyTooLargeError(bytesMax, false))
  })
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
