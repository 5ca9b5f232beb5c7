/** A socket of a protocol that is text, which costs the load generator little. */

import { connect, type Socket } from 'node:net'

/** All sockets of a process share it: each chunk is consumed before the next is read. */
const chunkBuffer = Buffer.allocUnsafe(256 * 1024)

/** A connection to a port of this machine. */
export class LineSocket {
  readonly #socket: Socket
  #wanted: { readonly text: string; readonly resolve: () => void } | undefined
  #seen = ''
  /** Called with each chunk, as Latin-1. */
  onText: (text: string) => void = () => {}

  constructor(port: number, onLost: (reason: string) => void) {
    this.#socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: {
        buffer: chunkBuffer,
        callback: (length) => {
          this.#take(chunkBuffer.toString('latin1', 0, length))
          return true
        },
      },
    })
    this.#socket.on('error', (error) => onLost(error.message))
    this.#socket.on('close', () => onLost('the server closed the connection'))
  }

  write(text: string): void {
    this.#socket.write(text, 'latin1')
  }

  /** Sends a text, and resolves once the answer contains another. */
  ask(text: string, answer: string): Promise<void> {
    this.#seen = ''
    return new Promise((resolve) => {
      this.#wanted = { text: answer, resolve }
      this.write(text)
    })
  }

  close(): void {
    this.#socket.removeAllListeners('close')
    this.#socket.destroy()
  }

  #take(text: string): void {
    this.onText(text)
    if (!this.#wanted) return
    this.#seen += text
    if (!this.#seen.includes(this.#wanted.text)) return
    const { resolve } = this.#wanted
    this.#wanted = undefined
    resolve()
  }
}
