/** A request in progress on `node:http`, and its answer, as the seam has them. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { BodyPace } from './body-pace.ts'
import type { NodeLimits } from './node-limits.ts'
import {
  type Chunk,
  DROPPED_BYTES_MAX,
  SKIPPED_BYTES_MAX,
  type HttpResponse,
  type LastEnd,
  type OnWaiting,
} from './transport.ts'

const NO_BYTES = new Uint8Array(0)

/** Facts about the request and the connection of a response. */
export interface NodeExchange {
  readonly hasBody: boolean
  /** Whether the client waits for `100 Continue` before it sends its body. */
  readonly expectsContinue: boolean
  /** Called when the answer will close the connection. */
  readonly onClosing: () => void
  readonly limits: NodeLimits
}

/** A request in progress. */
export class NodeResponse implements HttpResponse {
  readonly #message: IncomingMessage
  readonly #res: ServerResponse
  readonly #socket: Socket
  readonly #onClosing: () => void
  readonly #pace: BodyPace
  readonly #stalledMs: number
  readonly #hasBody: boolean
  readonly #expectsContinue: boolean
  #phase: 'open' | 'ended' | 'aborted' = 'open'
  #status = 200
  #statusText = 'OK'
  #headers: string[] = []
  #isHeadWritten = false
  #writtenBytes = 0
  /** Whether written bytes wait for the client. */
  #isWaiting = false
  #restBytes = 0
  #isReading = false
  #isRestDropped = false
  #onAborted: (() => void) | undefined
  #onWritable: ((offset: number) => boolean) | undefined
  #onData: ((chunk: Chunk, isLast: boolean) => void) | undefined
  readonly #onFlushed = (error?: Error | null) => this.#flushed(error)

  constructor(
    message: IncomingMessage,
    res: ServerResponse,
    { hasBody, expectsContinue, onClosing, limits }: NodeExchange,
  ) {
    this.#message = message
    this.#res = res
    this.#socket = message.socket
    this.#hasBody = hasBody
    this.#expectsContinue = expectsContinue
    this.#onClosing = onClosing
    this.#pace = new BodyPace(limits.bodyMs, () => this.close())
    this.#stalledMs = limits.stalledMs
    res.on('error', () => undefined) // It was written to a closed connection; `onGone` follows.
  }

  /** Whether its head is written, so that no other answer can take its place. */
  get isStarted(): boolean {
    return this.#isHeadWritten
  }

  /** Whether the whole request has arrived. */
  get isWhole(): boolean {
    return this.#message.complete
  }

  /** Calls back when the rest of the request has arrived, or at once if it is not awaited. */
  onRestOver(handler: () => void): void {
    if (this.#isRestDropped && !this.isWhole) this.#message.once('end', handler)
    else handler()
  }

  getRemoteAddressAsText(): ArrayBuffer {
    return new TextEncoder().encode(this.#socket.remoteAddress ?? '').buffer
  }

  onAborted(handler: () => void): void {
    this.#onAborted = handler
  }

  /** The connection is closed. */
  onGone(): void {
    this.#pace.end()
    if (this.#phase !== 'open') return
    this.#phase = 'aborted'
    this.#onAborted?.()
  }

  /** Leaves its connection to another answer. */
  giveWay(): void {
    this.onGone()
    this.#res.detachSocket(this.#socket)
  }

  close(): void {
    this.onGone()
    this.#socket.destroy()
  }

  onData(handler: (chunk: Chunk, isLast: boolean) => void): void {
    this.#onData = handler
    // Only now: a client that waits for it sends no body that its head forbids.
    if (this.#expectsContinue) this.#res.writeContinue()
    this.#read()
  }

  pause(): void {
    this.#pace.end()
    this.#message.pause()
  }

  resume(): void {
    if (!this.#message.complete) this.#pace.begin()
    this.#message.resume()
  }

  cork(write: () => void): void {
    write() // The head is written with the first bytes of the body.
  }

  writeStatus(status: string): void {
    this.#status = Number.parseInt(status, 10)
    this.#statusText = status.slice(status.indexOf(' ') + 1)
  }

  writeHeader(name: string, value: string): void {
    const [first = '', ...lines] = value.split('\r\n')
    this.#headers.push(name, first)
    for (const line of lines) {
      const end = line.indexOf(': ')
      this.#headers.push(line.slice(0, end), line.slice(end + 2))
    }
  }

  end(body: string | Uint8Array, isClosing = false): void {
    if (this.#phase !== 'open') return
    if (!this.#isHeadWritten) {
      this.writeHeader('Content-Length', String(Buffer.byteLength(body)))
      if (isClosing) this.writeHeader('Connection', 'close')
      this.#writeHead()
    }
    this.#res.end(body)
    this.#end()
  }

  endWhole(body: string | Uint8Array, onWaiting: OnWaiting): void {
    this.end(body)
    const bytes = this.#res.writableLength
    if (bytes === 0 || this.#socket.destroyed) return
    const onTaken = onWaiting(bytes)
    if (onTaken) this.#res.once('close', onTaken)
    else this.#socket.destroy()
  }

  /** The application does not serve what follows, and Node closes the connection. */
  endLast(body: string | Uint8Array | undefined, end: LastEnd): void {
    this.#isRestDropped = end === 'drop'
    if (body !== undefined) return this.end(body, true)
    this.writeHeader('Connection', 'close')
    this.endWithoutBody()
  }

  endWithoutBody(): void {
    if (this.#phase !== 'open') return
    this.#writeHead()
    this.#res.end()
    this.#end()
  }

  write(piece: string): boolean {
    return this.#phase !== 'open' || this.#send(() => this.#res.write(piece, this.#onFlushed))
  }

  tryEnd(chunk: Uint8Array, bytes: number): readonly [isTaken: boolean, hasEnded: boolean] {
    if (this.#phase !== 'open') return [true, true]
    if (!this.#isHeadWritten) this.writeHeader('Content-Length', String(bytes))
    this.#writtenBytes += chunk.byteLength
    const isLast = this.#writtenBytes >= bytes
    // An empty chunk asks whether the earlier ones were sent.
    const isTaken =
      chunk.byteLength === 0 ? !this.#isWaiting : this.#send(() => this.#writePart(chunk, isLast))
    if (isLast && isTaken) this.#end()
    return [isTaken, isLast && isTaken]
  }

  getWriteOffset(): number {
    return this.#writtenBytes
  }

  onWritable(handler: (offset: number) => boolean): void {
    this.#onWritable = handler
  }

  #writePart(chunk: Uint8Array, isLast: boolean): void {
    if (isLast) this.#res.end(chunk, this.#onFlushed)
    else this.#res.write(chunk, this.#onFlushed)
  }

  /** Writes in one packet; answers whether the client has got everything. */
  #send(write: () => void): boolean {
    this.#socket.cork()
    if (!this.#isHeadWritten) this.#writeHead()
    write()
    this.#socket.uncork()
    // A closed connection takes nothing; `onGone` follows.
    this.#isWaiting = this.#res.writableLength > 0 || this.#socket.destroyed
    if (this.#isWaiting) this.#socket.setTimeout(this.#stalledMs)
    return !this.#isWaiting
  }

  #flushed(error: Error | null | undefined): void {
    if (error || !this.#isWaiting || this.#phase !== 'open' || this.#res.writableLength > 0) return
    this.#isWaiting = false
    if (!this.#res.writableEnded) this.#socket.setTimeout(0)
    this.#onWritable?.(this.#writtenBytes)
  }

  #writeHead(): void {
    this.#isHeadWritten = true
    this.#res.writeHead(this.#status, this.#statusText, this.#headers)
    // Node closes the connection after an answer that says so.
    if (!this.#res.shouldKeepAlive || this.#headers.includes('Connection')) this.#onClosing()
  }

  #end(): void {
    this.#phase = 'ended'
    if (this.#hasBody && !this.#message.complete) this.#read()
    if (this.#res.writableLength > 0) this.#socket.setTimeout(this.#stalledMs)
  }

  /** Reads the body, or skips it if nobody wants it. */
  #read(): void {
    if (this.#isReading) return
    this.#isReading = true
    this.#pace.begin()
    this.#message.on('data', (chunk: Buffer<ArrayBuffer>) => {
      if (this.#phase === 'aborted') return
      this.#pace.add(chunk.byteLength)
      if (this.#phase === 'ended') this.#restBytes += chunk.byteLength
      const bytesMax = this.#isRestDropped ? DROPPED_BYTES_MAX : SKIPPED_BYTES_MAX
      if (this.#restBytes > bytesMax) this.#socket.destroy()
      else this.#onData?.(chunk, false)
    })
    this.#message.on('end', () => {
      this.#pace.end()
      this.#onData?.(NO_BYTES, true)
    })
  }
}
