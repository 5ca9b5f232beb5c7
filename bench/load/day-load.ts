/**
 * A process that runs a mixed day: all users poll, and requests of all kinds are sent at a steady rate, however long
 * the answers take.
 */

import { setTimeout as wait } from 'node:timers/promises'
import { serveCalls } from '../start/remote.ts'
import type { RegisteredQueue } from '../start/register-queues.ts'
import { DayPerson } from './day-person.ts'
import { HttpConnection, getRequest, postRequest } from './http-connection.ts'
import { makeContent } from './make-content.ts'

/** The number of each kind in 56 requests; the other 44 of a hundred are the polls that sends and flags cause. */
const SHARES = { presence: 36, send: 8, read: 5, flag: 4, upload: 1, search: 1, register: 1 }
/** Bytes of an uploaded file. */
const FILE_BYTES = 20_000
/** How long to wait for the last messages when none arrives. */
const QUIET_MS_MAX = 10_000
/** How often an upload is retried if all places are taken, and after which delay. */
const TRIES_MAX = 10
const AGAIN_MS = 500

export type DayRequest = keyof typeof SHARES

/** The users of the day, and the server. */
export interface DayTarget {
  readonly port: number
  readonly people: readonly (RegisteredQueue & { readonly id: number; readonly channel: string })[]
}

/** Milliseconds from each request's due time to its answer. */
export type DayLatencies = Readonly<Record<DayRequest, number[]>>

/** The results of a stretch of the day. */
export type DayStretch = DayLatencies & { readonly polls: number }

const KINDS = spread()
const idle: HttpConnection[] = []
const people: DayPerson[] = []
const ids: number[] = []
/** By channel, the ids of all messages. */
const sent = new Map<string, number[]>()
let port: number
let count = 0
let failure: Error | undefined

const calls = {
  async start(target: DayTarget): Promise<void> {
    port = target.port
    for (const { id, ...client } of target.people) {
      const person = new DayPerson({ ...client, onError: (error) => (failure ??= error) })
      ids.push(id)
      people.push(person)
      await person.start(port)
    }
  },

  /** Runs a stretch of the day. Rejects at the first wrong answer. */
  async live({ ms, perSecond }: { ms: number; perSecond: number }): Promise<DayStretch> {
    const latencies = Object.fromEntries(
      KINDS.map((kind) => [kind, [] as number[]]),
    ) as unknown as DayLatencies
    const pollsBefore = countPolls()
    const asked = new Set<Promise<void>>()
    const startMs = performance.now()
    for (let number = 0; number < (ms * perSecond) / 1000; number++) {
      const dueMs = startMs + (number * 1000) / perSecond
      const earlyMs = dueMs - performance.now()
      if (earlyMs > 0) await wait(earlyMs)
      if (failure) throw failure
      const kind = KINDS[count % KINDS.length] as DayRequest
      const request = act(kind, count++)
        .then(() => void latencies[kind].push(performance.now() - dueMs))
        .catch((error: Error) => void (failure ??= error))
        .finally(() => asked.delete(request))
      asked.add(request)
    }
    await Promise.all(asked)
    if (failure) throw failure
    return { ...latencies, polls: countPolls() - pollsBefore }
  },

  /** Ends the day: every user must have received each message of their channel once and in order. */
  async finish(): Promise<{ messages: number; deliveries: number }> {
    const wanted = people.map(({ channel }) => [...(sent.get(channel) ?? [])].sort((a, b) => a - b))
    const countMissing = () =>
      people.reduce((sum, { messageIds }, index) => sum + (wanted[index]?.length ?? 0) - messageIds.length, 0)
    let missing = countMissing()
    for (let quietMs = 0; missing > 0 && quietMs < QUIET_MS_MAX && !failure; quietMs += 50) {
      await wait(50)
      const now = countMissing()
      if (now < missing) quietMs = 0
      missing = now
    }
    for (const person of people) person.stop()
    if (failure) throw failure
    for (const [index, { messageIds, channel }] of people.entries()) {
      const ofChannel = wanted[index] as number[]
      const at = ofChannel.findIndex((id, place) => messageIds[place] !== id)
      if (at >= 0 || messageIds.length !== ofChannel.length)
        throw new Error(
          `message ${ofChannel[at] ?? messageIds[ofChannel.length]} of ${channel} came ${at < 0 ? 'twice' : 'late, or not at all'}`,
        )
    }
    return {
      messages: [...sent.values()].reduce((sum, { length }) => sum + length, 0),
      deliveries: people.reduce((sum, { messageIds }) => sum + messageIds.length, 0),
    }
  },
}

/** Sends one request of a kind, and checks its answer. */
async function act(kind: DayRequest, number: number): Promise<void> {
  const index = (number * 7919) % people.length
  const person = people[index] as DayPerson
  const { authorization, channel } = person
  switch (kind) {
    case 'presence':
      await ask(
        postRequest('/api/v1/users/me/presence', authorization, { status: 'active', ping_only: 'true' }),
      )
      return
    case 'send': {
      const fields = { type: 'channel', to: JSON.stringify(channel), topic: `topic ${number % 5}` }
      const request = postRequest('/api/v1/messages', authorization, {
        ...fields,
        content: makeContent(number),
      })
      const { id } = (await ask(request)) as { id: number }
      const ofChannel = sent.get(channel)
      if (ofChannel) ofChannel.push(id)
      else sent.set(channel, [id])
      return
    }
    case 'read':
      await ask(getRequest(`/api/v1${readPath(number, index, channel)}`, authorization))
      return
    case 'flag':
      if (person.newestId === 0) return
      await ask(
        postRequest('/api/v1/messages/flags', authorization, {
          messages: JSON.stringify(person.messageIds.slice(-3)),
          op: 'add',
          flag: number % 10 === 0 ? 'starred' : 'read',
        }),
      )
      return
    case 'upload':
      await askAgain(uploadRequest(authorization, `file ${number}.txt`, 'x'.repeat(FILE_BYTES)))
      return
    case 'search': {
      const narrow = JSON.stringify([
        { operator: 'channel', operand: channel },
        { operator: 'search', operand: 'meeting' },
      ])
      const query = new URLSearchParams({ narrow, anchor: 'newest', num_before: '20', num_after: '0' })
      await ask(getRequest(`/api/v1/messages?${query}`, authorization))
      return
    }
    case 'register': {
      const request = postRequest('/api/v1/register', authorization, { event_types: '["message"]' })
      const { queue_id: queueId } = (await ask(request)) as { queue_id: string }
      const body = `queue_id=${queueId}`
      const head = postRequest('/api/v1/events', authorization, {}).replace('POST', 'DELETE')
      await ask(head.replace('Content-Length: 0', `Content-Length: ${body.length}`) + body)
    }
  }
}

function readPath(number: number, index: number, channel: string): string {
  switch (number % 4) {
    case 0:
      return `/users/${ids[index]}`
    case 1:
      return '/users/me/subscriptions'
    case 2:
      return '/realm/presence'
    default: {
      const narrow = JSON.stringify([{ operator: 'channel', operand: channel }])
      const query = new URLSearchParams({ narrow, anchor: 'newest', num_before: '50', num_after: '0' })
      return `/messages?${query}`
    }
  }
}

function uploadRequest(authorization: string, name: string, content: string): string {
  const mark = 'day-of-the-bench'
  const body =
    `--${mark}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n` +
    `Content-Type: text/plain\r\n\r\n${content}\r\n--${mark}--\r\n`
  return (
    `POST /api/v1/user_uploads HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\n` +
    `Content-Type: multipart/form-data; boundary=${mark}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  )
}

async function ask(request: string): Promise<unknown> {
  // The connection that was idle longest: the server closes connections after ten idle seconds.
  const connection = idle.shift() ?? (await HttpConnection.open(port))
  const { status, body } = await connection.ask(request)
  idle.push(connection)
  if (status !== 200)
    throw new Error(`${request.slice(0, request.indexOf(' HTTP'))} answered ${status}: ${body}`)
  return JSON.parse(body)
}

/** Retries like a client that is asked to; the whole time until the answer counts. */
async function askAgain(request: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await ask(request)
      return
    } catch (error) {
      if (tries === TRIES_MAX || !(error as Error).message.includes('answered 503')) throw error
      await wait(AGAIN_MS)
    }
  }
}

const countPolls = () => people.reduce((sum, { pollCount }) => sum + pollCount, 0)

/** The kinds in an order in which each is evenly spread. */
function spread(): DayRequest[] {
  const placed = Object.entries(SHARES).flatMap(([kind, share]) =>
    Array.from({ length: share }, (_, index) => ({ kind: kind as DayRequest, at: (index + 0.5) / share })),
  )
  return placed.sort((a, b) => a.at - b.at).map(({ kind }) => kind)
}

export type DayLoad = typeof calls
serveCalls(calls)
