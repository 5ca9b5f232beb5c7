/** A WebSocket of `ws`, as the seam has it. */

import type { WebSocket as WsSocket } from 'ws'
import type { WebSocket, WebSocketRoute } from './transport.ts'

const AS_TEXT = { binary: false, compress: false } as const

/** The bytes of the last frame: most frames go to many sockets, one right after the other. */
export class LastFrame {
  #text = ''
  #bytes = Buffer.alloc(0)

  bytesOf(text: string): Buffer {
    if (text !== this.#text) {
      this.#text = text
      this.#bytes = Buffer.from(text)
    }
    return this.#bytes
  }
}

/** A WebSocket. */
export class NodeWebSocket<Data> implements WebSocket<Data> {
  readonly #ws: WsSocket
  readonly #data: Data
  readonly #route: WebSocketRoute<Data>
  readonly #lastFrame: LastFrame
  readonly #onClosed: () => void
  #isOpen = true
  #isWaiting = false
  /** Whether the client sent anything since the last look. */
  #isHeard = true
  readonly #onSent = () => this.#sent()

  constructor(
    ws: WsSocket,
    data: Data,
    route: WebSocketRoute<Data>,
    { lastFrame, onClosed }: { lastFrame: LastFrame; onClosed: () => void },
  ) {
    this.#ws = ws
    this.#data = data
    this.#route = route
    this.#lastFrame = lastFrame
    this.#onClosed = onClosed
    ws.on('message', (message: Buffer<ArrayBuffer>, isBinary: boolean) => {
      this.#isHeard = true
      if (this.#isOpen) route.message(this, message, isBinary)
    })
    ws.on('ping', (message: Buffer<ArrayBuffer>) => {
      this.#isHeard = true
      if (this.#isOpen) route.ping(this, message)
      if (ws.bufferedAmount > route.bufferedBytesMax) ws.terminate() // The answers to its pings wait, too.
    })
    ws.on('pong', () => {
      this.#isHeard = true
    })
    ws.on('error', () => undefined) // The client broke the protocol, and the library closes it.
    ws.on('close', () => {
      this.#onClosed()
      this.#close()
    })
  }

  getUserData(): Data {
    return this.#data
  }

  send(text: string): void {
    this.#ws.send(this.#lastFrame.bytesOf(text), AS_TEXT, this.#onSent)
    const { bufferedAmount } = this.#ws
    this.#isWaiting = bufferedAmount > 0
    if (bufferedAmount > this.#route.bufferedBytesMax) this.terminate()
  }

  getBufferedAmount(): number {
    return this.#ws.bufferedAmount
  }

  end(code: number, reason: string): void {
    this.#close()
    this.#ws.close(code, reason)
  }

  /** Closes the connection at once. */
  terminate(): void {
    this.#close()
    this.#ws.terminate()
  }

  /** Closes it if its client was silent since the last look, otherwise asks for a sign of life. */
  look(): void {
    if (!this.#isHeard) return this.terminate()
    this.#isHeard = false
    if (this.#isOpen) this.#ws.ping()
  }

  #sent(): void {
    if (!this.#isWaiting || !this.#isOpen || this.#ws.bufferedAmount > 0) return
    this.#isWaiting = false
    this.#route.drain(this)
  }

  #close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#route.close(this)
  }
}
