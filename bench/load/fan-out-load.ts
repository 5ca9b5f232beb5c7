/**
 * A process that listens as many clients and sends as one. It measures the time from each send, at a steady rate, until
 * the last client has the message.
 */

import { setTimeout as wait } from 'node:timers/promises'
import { serveCalls } from '../start/remote.ts'
import { getRequest, HttpConnection, postRequest } from './http-connection.ts'
import { Listeners } from './listeners.ts'
import { makeContent } from './make-content.ts'
import { until } from './repeat-steadily.ts'
import { WebSocketClient } from './web-socket-client.ts'

/** The listening users, and the server. */
export interface FanOutTarget {
  readonly port: number
  readonly transport: 'web socket' | 'long poll'
  readonly clients: readonly {
    readonly authorization: string
    readonly queueId: string
    readonly lastEventId: number
  }[]
  readonly senderAuthorization: string
  readonly channel: string
}

/** Concurrent sends; with more, the machine is far too slow for the rate. */
const SENDERS = 64
/** Clients that connect at a time. */
const CONNECTING = 50
/**
 * Milliseconds after which an answered poll is sent again, as over a network. At once, the thousand new requests would
 * delay the answers whose arrival is timed.
 */
const POLL_AGAIN_MS = 20
/** Milliseconds that the last message of a turn may take. */
const SETTLE_MS_MAX = 10_000

let target: FanOutTarget
let listeners: Listeners
let idleSenders: HttpConnection[] = []
let failure: string | undefined
let nextMark = 1

const calls = {
  async connect(wanted: FanOutTarget): Promise<void> {
    target = wanted
    listeners = new Listeners(target.clients.length)
    for (let start = 0; start < target.clients.length; start += CONNECTING) {
      const batch = target.clients.slice(start, start + CONNECTING)
      await Promise.all(batch.map((client, index) => listen(client, start + index)))
    }
    idleSenders = await Promise.all(Array.from({ length: SENDERS }, () => HttpConnection.open(target.port)))
  },

  /** Sends `count` messages; returns the milliseconds of each, from its due time to its last arrival. */
  async send({ count, perSecond }: { count: number; perSecond: number }): Promise<number[]> {
    listeners.begin()
    const dueMs = new Map<number, number>()
    const answers: Promise<void>[] = []
    const startMs = performance.now() + 20
    for (let sent = 0; sent < count; sent++) {
      const due = startMs + (sent * 1000) / perSecond
      await until(due)
      const answer = sendOne().then((id) => void dueMs.set(id, due))
      answer.catch(() => {}) // Thrown below, when all are awaited.
      answers.push(answer)
    }
    await Promise.all(answers)
    const ids = [...dueMs.keys()].sort((a, b) => a - b)
    await settle(() => listeners.haveAll(ids.length))
    listeners.check(ids)
    return ids.map((id) => listeners.lastArrivalMs(id) - (dueMs.get(id) as number))
  },

  /** A text that a client received, as the template for the limit. */
  async sample(): Promise<string> {
    return listeners.sample
  },
}

async function listen(
  { authorization, queueId, lastEventId }: FanOutTarget['clients'][number],
  index: number,
) {
  const { port, transport } = target
  const path = (from: number) => `queue_id=${queueId}&last_event_id=${from}`
  const fail = (reason: string) => {
    failure ??= `client ${index}: ${reason}`
  }
  if (transport === 'web socket') {
    await WebSocketClient.open(port, `/api/v1/events/stream?${path(lastEventId)}`, authorization, {
      onText: (text) => listeners.take(index, text),
      onLost: fail,
    })
    return
  }
  const connection = await HttpConnection.open(port)
  connection.onLost = fail
  const poll = (from: number) =>
    connection.send(getRequest(`/api/v1/events?${path(from)}`, authorization), (status, body) => {
      if (status !== 200) return fail(`a poll answered ${status}: ${body.toString('latin1')}`)
      const lastId = listeners.take(index, body.toString('latin1'))
      setTimeout(poll, POLL_AGAIN_MS, lastId ?? from)
    })
  poll(lastEventId)
}

async function sendOne(): Promise<number> {
  const connection = idleSenders.pop()
  if (!connection) throw new Error(`${SENDERS} sends wait for their answers: the rate is too high`)
  const mark = nextMark++
  const { status, body } = await connection.ask(
    postRequest('/api/v1/messages', target.senderAuthorization, {
      type: 'channel',
      to: JSON.stringify(target.channel),
      topic: 'fan-out',
      content: makeContent(5 * mark + 2), // Always the same sentence: equal bytes for all.
    }),
  )
  idleSenders.push(connection)
  if (status !== 200) throw new Error(`a send answered ${status}: ${body}`)
  return (JSON.parse(body) as { id: number }).id
}

async function settle(isDone: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + SETTLE_MS_MAX
  while (!isDone()) {
    if (failure) throw new Error(failure)
    if (performance.now() > deadlineMs) throw new Error(`not all arrived: ${listeners.describe()}`)
    await wait(5)
  }
  if (failure) throw new Error(failure)
}

export type FanOutLoad = typeof calls
serveCalls(calls)
