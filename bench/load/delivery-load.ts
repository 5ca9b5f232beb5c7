/**
 * A process that listens as many WebSocket clients of one server, and sends there as one of them: at a steady rate, or
 * as fast as its own listeners receive.
 */

import { setTimeout as wait } from 'node:timers/promises'
import { serveCalls } from '../start/remote.ts'
import { HttpConnection, postRequest } from './http-connection.ts'
import { Listeners } from './listeners.ts'
import { makeContent } from './make-content.ts'
import { until } from './repeat-steadily.ts'
import { WebSocketClient } from './web-socket-client.ts'

/** The listening users, and the server. */
export interface DeliveryTarget {
  readonly port: number
  readonly clients: readonly {
    readonly authorization: string
    readonly queueId: string
    readonly lastEventId: number
  }[]
  readonly senderAuthorization: string
  readonly channel: string
}

/** Clients that connect at a time. */
const CONNECTING = 50
/** Concurrent sends at a steady rate; with more, the machine is far too slow for it. */
const SENDERS = 64
/** Milliseconds that the last message of a turn may take. */
const SETTLE_MS_MAX = 20_000
/** Milliseconds after which a failure is noticed although nothing arrives. */
const LATE_MS = 1_000

let target: DeliveryTarget
let listeners: Listeners
let senders: HttpConnection[] = []
let failure: string | undefined
let nextMark = 1
let onArrival = () => {}

const calls = {
  async connect(wanted: DeliveryTarget): Promise<void> {
    target = wanted
    listeners = new Listeners(target.clients.length)
    for (let start = 0; start < target.clients.length; start += CONNECTING) {
      const batch = target.clients.slice(start, start + CONNECTING)
      await Promise.all(batch.map((client, index) => listen(client, start + index)))
    }
    senders = await Promise.all(Array.from({ length: SENDERS }, () => HttpConnection.open(target.port)))
  },

  /** Forgets earlier messages; call it in all processes before the first send of a turn. */
  async begin(): Promise<void> {
    listeners.begin()
  },

  /** Sends messages at a steady rate; returns their ids. */
  async sendSteadily({ count, perSecond }: { count: number; perSecond: number }): Promise<number[]> {
    const answers: Promise<number>[] = []
    const startMs = performance.now()
    for (let sent = 0; sent < count; sent++) {
      await until(startMs + (sent * 1000) / perSecond)
      const answer = sendOne()
      answer.catch(() => {}) // Thrown below, when all are awaited.
      answers.push(answer)
    }
    return Promise.all(answers)
  },

  /**
   * Sends messages, each as soon as fewer than `window` are on their way to the listeners of this process; returns their
   * ids.
   */
  async sendInWindow({ count, window }: { count: number; window: number }): Promise<number[]> {
    const answers: Promise<number>[] = []
    while (answers.length < count) {
      const needed = answers.length - window + 1
      if (needed > 0) await settle(() => listeners.haveAll(needed))
      const answer = sendOne()
      answer.catch(() => {})
      answers.push(answer)
    }
    return Promise.all(answers)
  },

  /** Resolves when the listeners of this process have these messages, each once and in order, and no other. */
  async receive(ids: readonly number[]): Promise<void> {
    await settle(() => listeners.haveAll(ids.length))
    listeners.check([...ids].sort((a, b) => a - b))
  },
}

async function listen(
  { authorization, queueId, lastEventId }: DeliveryTarget['clients'][number],
  index: number,
) {
  await WebSocketClient.open(
    target.port,
    `/api/v1/events/stream?queue_id=${queueId}&last_event_id=${lastEventId}`,
    authorization,
    {
      onText: (text) => {
        listeners.take(index, text)
        onArrival()
      },
      onLost: (reason) => {
        failure ??= `client ${index}: ${reason}`
      },
    },
  )
}

async function sendOne(): Promise<number> {
  const connection = senders.pop()
  if (!connection) throw new Error(`${SENDERS} sends wait for their answers: the rate is too high`)
  const { status, body } = await connection.ask(
    postRequest('/api/v1/messages', target.senderAuthorization, {
      type: 'channel',
      to: JSON.stringify(target.channel),
      topic: 'deliveries',
      content: makeContent(nextMark++),
    }),
  )
  senders.push(connection)
  if (status !== 200) throw new Error(`a send answered ${status}: ${body}`)
  return (JSON.parse(body) as { id: number }).id
}

/** Resolves when it is done, which is checked after each arrival. */
async function settle(isDone: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + SETTLE_MS_MAX
  while (!isDone()) {
    if (failure) throw new Error(failure)
    if (performance.now() > deadlineMs) throw new Error(`not all arrived: ${listeners.describe()}`)
    const late = wait(LATE_MS)
    await Promise.race([late, new Promise<void>((resolve) => (onArrival = resolve))])
  }
  if (failure) throw new Error(failure)
}

export type DeliveryLoad = typeof calls
serveCalls(calls)
