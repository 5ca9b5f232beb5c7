/** A hand-written keep-alive HTTP/1.1 connection: a load generator must cost less than the server that it measures. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Bytes of one read. All connections of a process share the buffer: each chunk is consumed before the next is read. */
const chunkBuffer = Buffer.allocUnsafe(256 * 1024)
const HEAD_END = '\r\n\r\n'

/** Called with an answer; the body's bytes are lent for the call. */
export type OnAnswer = (status: number, body: Buffer) => void

/** A connection with at most one request in progress. If the server has closed it as idle, it reconnects. */
export class HttpConnection {
  readonly #port: number
  #socket: Socket
  #onAnswer: OnAnswer | undefined
  /** The beginning of an incomplete head. */
  #partial: Buffer | undefined
  /** The received part of a longer answer, with room for all of it. */
  #whole: Buffer | undefined
  #room: Buffer = Buffer.alloc(0)
  #filled = 0
  #status = 0
  #bodyStart = 0
  /** Called when the connection ends before an answer. */
  onLost: (reason: string) => void = (reason) => {
    throw new Error(reason)
  }

  private constructor(port: number) {
    this.#port = port
    this.#socket = this.#connect()
  }

  /** Connects to a port of this machine. */
  static async open(port: number): Promise<HttpConnection> {
    const connection = new HttpConnection(port)
    await once(connection.#socket, 'connect')
    return connection
  }

  /** Sends a whole request. */
  send(request: string, onAnswer: OnAnswer): void {
    if (this.#socket.destroyed || this.#socket.readableEnded) this.#socket = this.#connect()
    this.#onAnswer = onAnswer
    this.#socket.write(request, 'latin1')
  }

  /** Sends a whole request; returns a copy of the body. Rejects if the connection ends first. */
  ask(request: string): Promise<{ status: number; body: string }> {
    return new Promise((resolve, reject) => {
      this.onLost = (reason) => reject(new Error(reason))
      this.send(request, (status, body) => resolve({ status, body: body.toString('utf8') }))
    })
  }

  close(): void {
    this.#onAnswer = undefined
    this.#socket.destroy()
  }

  #connect(): Socket {
    const socket = connect({
      host: '127.0.0.1',
      port: this.#port,
      noDelay: true,
      onread: {
        buffer: chunkBuffer,
        callback: (length) => {
          this.#read(chunkBuffer.subarray(0, length))
          return true
        },
      },
    })
    socket.on('error', (error) => this.#lose(socket, error.message))
    socket.on('close', () => this.#lose(socket, 'the server closed the connection'))
    return socket
  }

  #lose(socket: Socket, reason: string): void {
    if (socket !== this.#socket || !this.#onAnswer) return
    this.#onAnswer = undefined
    this.onLost(reason)
  }

  #read(chunk: Buffer): void {
    const whole = this.#whole
    if (whole) {
      this.#filled += chunk.copy(whole, this.#filled)
      if (this.#filled === whole.length) this.#take(whole)
      return
    }
    const bytes = this.#partial ? Buffer.concat([this.#partial, chunk]) : chunk
    const headEnd = bytes.indexOf(HEAD_END, 0, 'latin1')
    if (headEnd < 0) {
      this.#partial = Buffer.from(bytes)
      return
    }
    const head = bytes.toString('latin1', 0, headEnd)
    this.#partial = undefined
    this.#status = Number(head.slice(9, 12))
    this.#bodyStart = headEnd + HEAD_END.length
    const length = this.#bodyStart + contentLength(head)
    if (bytes.length >= length) return this.#take(bytes.subarray(0, length))
    // New memory for each chunk would cost more than its content.
    if (this.#room.length < length) this.#room = Buffer.allocUnsafe(length)
    this.#whole = this.#room.subarray(0, length)
    this.#filled = bytes.copy(this.#whole)
  }

  #take(answer: Buffer): void {
    const onAnswer = this.#onAnswer
    this.#whole = undefined
    this.#onAnswer = undefined
    onAnswer?.(this.#status, answer.subarray(this.#bodyStart))
  }
}

function contentLength(head: string): number {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`an answer without a length: ${head}`)
  return Number(length)
}

/** The text of a GET. */
export function getRequest(path: string, authorization: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\n\r\n`
}

/** The text of a POST of form fields, which must be ASCII. Other headers are whole lines. */
export function postRequest(
  path: string,
  authorization: string,
  fields: Record<string, string>,
  headers = '',
): string {
  const body = new URLSearchParams(fields).toString()
  return (
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\n${headers}` +
    `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  )
}
