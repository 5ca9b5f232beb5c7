/** The head of a request on `node:http`, as the seam has it. */

import type { IncomingMessage } from 'node:http'
import type { HttpRequest, Unreadable } from './transport.ts'

/** Headers of one request: as many as uWebSockets.js takes. */
const HEADERS_MAX = 100
/** Node hands values over byte by byte; texts beyond ASCII are UTF-8. */
const BEYOND_ASCII = /[\x80-\xff]/

/** The head of a request. */
export class NodeRequest implements HttpRequest {
  readonly #message: IncomingMessage
  readonly #path: string
  readonly #query: string
  /** Lower-case names, each followed by its value. */
  readonly #headers: readonly string[]

  constructor(message: IncomingMessage) {
    const url = message.url ?? ''
    const queryAt = url.indexOf('?')
    this.#message = message
    this.#path = queryAt < 0 ? url : url.slice(0, queryAt) // The parser takes only ASCII.
    this.#query = queryAt < 0 ? '' : url.slice(queryAt + 1)
    this.#headers = message.rawHeaders.map((text, index) =>
      index % 2 === 0 ? text.toLowerCase() : decode(text),
    )
  }

  /** The reason why it is refused although the parser takes it; it is refused by uWebSockets.js, too. */
  get refusal(): Unreadable | undefined {
    if (this.#headers.length > 2 * HEADERS_MAX) return 'head_too_long'
    // Checks of load balancers speak HTTP/1.0, which knows neither `Host` nor chunks.
    const isOld = this.#message.httpVersion === '1.0'
    if (isOld && this.#count('transfer-encoding') > 0) return 'ambiguous'
    const hosts = this.#count('host')
    const isRight = isOld ? hosts <= 1 : this.#message.httpVersion === '1.1' && hosts === 1
    // Whole addresses and `*` are for proxies.
    return isRight && this.#path.startsWith('/') ? undefined : 'malformed'
  }

  get hasBody(): boolean {
    const length = this.getHeader('content-length')
    return (length !== '' && length !== '0') || this.getHeader('transfer-encoding') !== ''
  }

  /** Whether it asks for a WebSocket in the right form. */
  get asksForSocket(): boolean {
    return (
      this.#message.method === 'GET' &&
      this.getHeader('upgrade').toLowerCase() === 'websocket' &&
      /^[+/0-9a-z]{22}==$/i.test(this.getHeader('sec-websocket-key')) &&
      this.getHeader('sec-websocket-version') === '13'
    )
  }

  getCaseSensitiveMethod(): string {
    return this.#message.method ?? ''
  }

  getUrl(): string {
    return this.#path
  }

  getQuery(): string {
    return this.#query
  }

  getHeader(lowerCaseName: string): string {
    for (let index = 0; index < this.#headers.length; index += 2)
      if (this.#headers[index] === lowerCaseName) return this.#headers[index + 1] ?? ''
    return ''
  }

  forEach(onHeader: (lowerCaseName: string, value: string) => void): void {
    for (let index = 0; index < this.#headers.length; index += 2)
      onHeader(this.#headers[index] ?? '', this.#headers[index + 1] ?? '')
  }

  #count(lowerCaseName: string): number {
    let count = 0
    this.forEach((name) => void (name === lowerCaseName && count++))
    return count
  }
}

function decode(bytes: string): string {
  return BEYOND_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes
}
