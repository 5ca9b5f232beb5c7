/** The headers of a multipart body, which must be short: the parser takes a hundred nanoseconds for each byte. */

import { fail } from '../errors/api-error.ts'

/** Bytes of one part's headers: a file's name of 255 characters, escaped, in two forms. */
const HEAD_BYTES_MAX = 8 * 1024
/** Bytes of all parts' headers: of a thousand fields, each with a long name. */
const HEADS_BYTES_MAX = 256 * 1024
/** Bytes of the content type: a boundary has 70 at most. */
const CONTENT_TYPE_LENGTH_MAX = 1_000
const HEAD_END = Buffer.from('\r\n\r\n')
const BOUNDARY = /;[ \t]*boundary=(?:"([ !#-[\]-~]{1,200})"|([!#-:<-[\]-~]{1,200}))/i

/** Whether a content type is multipart. */
export function isMultipart(contentType: string): boolean {
  return contentType.slice(0, 20).toLowerCase().startsWith('multipart/form-data')
}

/** The boundary in a content type; throws if there is none. */
export function readBoundary(contentType: string): string {
  const [, quoted, plain] = BOUNDARY.exec(contentType.slice(0, CONTENT_TYPE_LENGTH_MAX)) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw fail('BODY_MALFORMED')
  return boundary
}

/** The content type for the parser, so that both see the same boundary. */
export function multipartType(boundary: string): string {
  return `multipart/form-data; boundary="${boundary}"`
}

/** Measures the headers of a body's parts, piece by piece. */
export class MultipartHeads {
  readonly #delimiter: Buffer
  /** The last bytes, in which a sought delimiter may have begun. */
  #tail: Buffer = Buffer.from('\r\n') // The first delimiter has no line before it.
  #isInHead = false
  #headBytes = 0
  #allBytes = 0

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  }

  /** Throws if the headers are too long, before the parser gets the piece. */
  push(piece: Uint8Array): void {
    const bytes = Buffer.concat([this.#tail, piece])
    let start = 0
    for (;;) {
      const sought = this.#isInHead ? HEAD_END : this.#delimiter
      const found = bytes.indexOf(sought, start)
      const end = found < 0 ? Math.max(start, bytes.length - sought.length + 1) : found
      if (this.#isInHead) this.#count(end - start)
      if (found < 0) {
        this.#tail = Buffer.from(bytes.subarray(end))
        return
      }
      // An empty head ends with the delimiter's line.
      start = found + sought.length
      this.#isInHead = !this.#isInHead
      if (this.#isInHead) this.#headBytes = 0
    }
  }

  #count(bytes: number): void {
    this.#headBytes += bytes
    this.#allBytes += bytes
    if (this.#headBytes > HEAD_BYTES_MAX || this.#allBytes > HEADS_BYTES_MAX)
      throw fail('PART_HEADERS_TOO_LONG')
  }
}
