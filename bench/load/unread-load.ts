/** A process of a stranger who asks for large documents in a row on many connections, and reads no answer. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { serveCalls } from '../start/remote.ts'

/** The requests of the stranger. */
export interface Unread {
  readonly port: number
  readonly path: string
  readonly connections: number
  /** Requests that each connection sends at once. */
  readonly pipelined: number
}

/** Milliseconds after which a connection is given up, and another one is opened. */
const HELD_MS = 1_000

let isAsking = false
let asking: Promise<number> | undefined

const calls = {
  /** Each lane sends its requests, reads nothing for a second, and begins again, until `stop`. */
  start({ port, path, connections, pipelined }: Unread): void {
    const requests = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`.repeat(pipelined)
    isAsking = true
    let count = 0
    const ask = async () => {
      while (isAsking) {
        const socket = await open(port)
        socket.pause().write(requests, 'latin1')
        count += pipelined
        await wait(HELD_MS)
        socket.destroy()
      }
    }
    asking = Promise.all(Array.from({ length: connections }, ask)).then(() => count)
    asking.catch(() => {}) // Thrown by `stop`.
  },

  /** The number of requests since the start. */
  async stop(): Promise<number> {
    isAsking = false
    return (await asking) ?? 0
  },
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  // The server may end a connection whose answers wait.
  socket.on('error', () => {})
  return socket
}

export type UnreadLoad = typeof calls
serveCalls(calls)
