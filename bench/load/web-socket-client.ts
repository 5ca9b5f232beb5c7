/** A hand-written WebSocket client, for the same reason as the HTTP connection: it must cost little. */

import { connect, type Socket } from 'node:net'

const chunkBuffer = Buffer.allocUnsafe(256 * 1024)
const TEXT = 1
const CLOSE = 8
const PING = 9
/** Any key is valid: the server only proves that it has read it. */
const KEY = 'cGFybGV5IGJlbmNoIGtleQ=='

/** The functions that a stream calls; given before it opens, since the first frames may come with the answer of the server. */
export interface StreamCalls {
  readonly onOpen?: () => void
  /** With each text frame, which must be ASCII. */
  readonly onText: (text: string) => void
  /** If it ends without `close`, perhaps more than once. */
  readonly onLost: (reason: string) => void
}

/** One open stream; it answers pings and emits each text frame. */
export class WebSocketClient {
  readonly #socket: Socket
  #partial: Buffer | undefined
  #isOpen = false
  readonly #calls: StreamCalls

  private constructor(port: number, path: string, authorization: string, calls: StreamCalls) {
    this.#calls = calls
    const { onLost } = calls
    this.#socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: {
        buffer: chunkBuffer,
        callback: (length) => {
          this.#read(chunkBuffer.subarray(0, length))
          return true
        },
      },
    })
    this.#socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\n` +
        `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    )
    this.#socket.on('error', (error) => onLost(error.message))
    this.#socket.on('close', () => onLost('the server closed the stream'))
  }

  static open(
    port: number,
    path: string,
    authorization: string,
    { onOpen, onText, onLost }: StreamCalls,
  ): Promise<WebSocketClient> {
    return new Promise((resolve, reject) => {
      const client: WebSocketClient = new WebSocketClient(port, path, authorization, {
        onText,
        onOpen: () => {
          onOpen?.()
          resolve(client)
        },
        onLost: (reason) => {
          reject(new Error(reason))
          onLost(reason)
        },
      })
    })
  }

  close(): void {
    this.#socket.removeAllListeners('close')
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    const bytes = this.#partial ? Buffer.concat([this.#partial, chunk]) : chunk
    let start = 0
    if (!this.#isOpen) {
      const headEnd = bytes.indexOf('\r\n\r\n', 0, 'latin1')
      if (headEnd < 0) return this.#keep(bytes)
      if (bytes.toString('latin1', 9, 12) !== '101')
        return this.#calls.onLost(bytes.toString('latin1', 0, 500))
      this.#isOpen = true
      this.#calls.onOpen?.()
      start = headEnd + 4
    }
    for (;;) {
      const end = this.#readFrame(bytes, start)
      if (end === undefined) break
      start = end
    }
    this.#keep(bytes.subarray(start))
  }

  /** Consumes one frame; returns its end, or undefined if it is incomplete. */
  #readFrame(bytes: Buffer, start: number): number | undefined {
    if (bytes.length < start + 2) return undefined
    let length = (bytes[start + 1] as number) & 0x7f
    let payload = start + 2
    if (length === 126) {
      if (bytes.length < start + 4) return undefined
      length = bytes.readUInt16BE(start + 2)
      payload = start + 4
    } else if (length === 127) {
      if (bytes.length < start + 10) return undefined
      length = Number(bytes.readBigUInt64BE(start + 2))
      payload = start + 10
    }
    const end = payload + length
    if (bytes.length < end) return undefined
    const opcode = (bytes[start] as number) & 0x0f
    if (opcode === TEXT) this.#calls.onText(bytes.toString('latin1', payload, end))
    else if (opcode === PING)
      this.#socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0])) // Masked by zeros.
    else if (opcode === CLOSE) this.#calls.onLost(`closed: ${bytes.toString('latin1', payload + 2, end)}`)
    return end
  }

  #keep(rest: Buffer): void {
    this.#partial = rest.length === 0 ? undefined : Buffer.from(rest)
  }
}
