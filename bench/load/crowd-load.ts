/**
 * A process that listens as many WebSocket clients of several servers. A client whose server ends the stream goes on with
 * its queue at another one, as behind a router.
 */

import { setTimeout as wait } from 'node:timers/promises'
import { serveCalls } from '../start/remote.ts'
import type { RegisteredQueue } from '../start/register-queues.ts'
import { Listeners } from './listeners.ts'
import { WebSocketClient } from './web-socket-client.ts'

/** Clients that connect at a time. */
const CONNECTING = 50
/** Milliseconds before the next try of a client that no server takes; a router would hold it as long. */
const AGAIN_MS = 50
/** Milliseconds that anything may take for which all are waited. */
const SETTLE_MS_MAX = 120_000

/** One client. */
interface Client {
  readonly index: number
  readonly queue: RegisteredQueue
  lastEventId: number
  lostAtMs: number | undefined
}

let clients: readonly Client[] = []
let listeners = new Listeners(0)
/** The open streams of each server that takes new ones. */
const streams = new Map<number, number>()
let open = 0
let longestAwayMs = 0
let returns = 0

const calls = {
  /** Connects each queue to the server with the fewest streams of this process. */
  async connect(queues: readonly RegisteredQueue[], ports: readonly number[]): Promise<void> {
    listeners = new Listeners(queues.length)
    for (const port of ports) streams.set(port, 0)
    clients = queues.map((queue, index) => ({
      index,
      queue,
      lastEventId: queue.lastEventId,
      lostAtMs: undefined,
    }))
    const waiting = clients.values()
    await Promise.all(
      Array.from({ length: CONNECTING }, async () => {
        for (const client of waiting) await join(client)
      }),
    )
  },

  /** New streams no longer go to a server, which is about to end. */
  async leave(port: number): Promise<void> {
    streams.delete(port)
  },

  /** A server that takes streams from now on. */
  async meet(port: number): Promise<void> {
    streams.set(port, 0)
  },

  /** Forgets earlier messages. */
  async begin(): Promise<void> {
    listeners.begin()
  },

  /** Waits until all have this many messages; returns when the last one arrived, in milliseconds since 1970. */
  async receive(ids: readonly number[]): Promise<number> {
    await settle(() => listeners.haveAll(ids.length), 'not all have the messages')
    listeners.check(ids)
    return performance.timeOrigin + listeners.lastArrivalMs(ids.at(-1) as number)
  },

  /** Waits until all are connected; returns how often one came back since the last call, and the longest time away. */
  async returned(): Promise<{ readonly returns: number; readonly longestAwayMs: number }> {
    await settle(() => open === clients.length, 'not all came back')
    const found = { returns, longestAwayMs }
    returns = 0
    longestAwayMs = 0
    return found
  },
}

/** Opens a stream at one server after another, until one takes it. */
async function join(client: Client): Promise<void> {
  const { index, queue } = client
  for (;;) {
    const port = [...streams.keys()].reduce((one, other) => (count(other) < count(one) ? other : one))
    streams.set(port, count(port) + 1)
    const path = `/api/v1/events/stream?queue_id=${queue.queueId}&last_event_id=${client.lastEventId}`
    let isOpen = false
    const lost = () => {
      if (streams.has(port)) streams.set(port, count(port) - 1)
      if (!isOpen) return
      isOpen = false // Reported for the end of the stream, and for that of the connection.
      open--
      client.lostAtMs = performance.now()
      void join(client)
    }
    try {
      await WebSocketClient.open(port, path, queue.authorization, {
        onOpen: () => {
          isOpen = true
          open++
          if (client.lostAtMs === undefined) return
          returns++
          longestAwayMs = Math.max(longestAwayMs, performance.now() - client.lostAtMs)
        },
        onText: (text) => {
          client.lastEventId = listeners.take(index, text) ?? client.lastEventId
        },
        onLost: lost,
      })
      return
    } catch (error) {
      // Any other answer than 503 would be the same again.
      if (/^HTTP\/1\.1 (?!503)/.test((error as Error).message)) throw error
      await wait(AGAIN_MS)
    }
  }
}

const count = (port: number) => streams.get(port) ?? 0

async function settle(isDone: () => boolean, otherwise: string): Promise<void> {
  const deadlineMs = performance.now() + SETTLE_MS_MAX
  while (!isDone()) {
    if (performance.now() > deadlineMs)
      throw new Error(`${otherwise}: ${open} of ${clients.length} are connected, ${listeners.describe()}`)
    await wait(5)
  }
}

export type CrowdLoad = typeof calls
serveCalls(calls)
