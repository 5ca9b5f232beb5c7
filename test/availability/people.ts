/** People who write and listen all the time, by the client that programs use. */

import { setTimeout as wait } from 'node:timers/promises'
import type { Person } from '../../bench/start/create-people.ts'
import { ApiError, ConnectionError, ParleyClient } from '../../packages/client/src/index.ts'
import { pollUntil, STILL_MS_MAX } from '../services/poll-until.ts'

const WRITERS = 4
/** Pause of a writer after each message, and before another attempt. */
const PAUSE_MS = 20
const RETRY_MS = 100
/** A request that takes longer is tried again, as the browser's outbox does. */
const REQUEST_MS_MAX = 10_000
/** A message is scheduled this often, for this much later. */
const SCHEDULE_PERIOD_MS = 1_000
const SCHEDULED_SECONDS = 3
const CHANNEL = 'general'
const TOPIC = 'availability'
/** The beginning of messages that show who listens. */
const MARK = 'heard?'

/** A message that a server acknowledged, or will send at its time. */
export interface Acknowledged {
  readonly content: string
  readonly atMs: number
}

/** Of the proxy, and of each process behind it. */
interface Addresses {
  readonly url: string
  readonly processUrls: readonly string[]
}

/** Everybody, connected to the proxy. */
export class People {
  readonly #url: string
  readonly #processUrls: readonly string[]
  readonly #people: readonly Person[]
  readonly #stopping = new AbortController()
  readonly #running: Promise<unknown>[] = []
  readonly #acknowledged: Acknowledged[] = []
  readonly #scheduled: Acknowledged[] = []
  /** The latest of those messages that each has heard. */
  readonly #heard = new Map<Person, string>()
  #channelId = 0
  #count = 0

  constructor({ url, processUrls }: Addresses, people: readonly Person[]) {
    this.#url = url
    this.#processUrls = processUrls
    this.#people = people
  }

  /** Everything acknowledged so far, in the order of time. */
  get acknowledged(): readonly Acknowledged[] {
    return this.#acknowledged
  }

  /** Scheduled messages that the server took. */
  get scheduled(): readonly Acknowledged[] {
    return this.#scheduled
  }

  /** Starts all; resolves once everybody hears what is written. */
  async start(): Promise<void> {
    const [owner] = this.#people as [Person]
    const client = this.#clientOf(owner)
    await client.call('POST /users/me/subscriptions', {
      subscriptions: [{ name: CHANNEL }],
      principals: this.#people.map(({ id }) => id),
    })
    // Without Redis, the other process hears of it within half a second.
    for (const url of this.#processUrls) {
      await pollUntil('each process knows the channel', async () => {
        const asked = this.#clientOf(owner, url).call('GET /get_stream_id', { stream: CHANNEL })
        this.#channelId = await asked.then(
          ({ stream_id: id }) => id,
          () => 0,
        )
        return this.#channelId
      })
    }
    for (const person of this.#people) this.#running.push(this.#listen(person))
    for (let index = 0; index < WRITERS; index++) this.#running.push(this.#write(index))
    this.#running.push(this.#schedule(owner))
    await this.untilBack()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#running)
  }

  /** Milliseconds of the longest time without an acknowledgement since then. */
  longestSilence(sinceMs: number): number {
    const later = this.#acknowledged.filter(({ atMs }) => atMs > sinceMs).map(({ atMs }) => atMs)
    const times = [sinceMs, ...later, performance.now()]
    return Math.max(...times.slice(1).map((atMs, index) => atMs - (times[index] as number)))
  }

  /** Waits until as many more messages are acknowledged. */
  async untilWritten(more: number): Promise<void> {
    const wanted = this.#acknowledged.length + more
    await pollUntil('people write', () => this.#acknowledged.length >= wanted)
  }

  /** Resolves with whether every listener hears of a new message, by itself. */
  async untilBack(): Promise<boolean> {
    const round = `${MARK} ${this.#count++} `
    const endMs = performance.now() + STILL_MS_MAX
    const [owner] = this.#people as [Person]
    while (performance.now() < endMs) {
      // Several, since a client that registers anew finds the earlier ones in its history, not in its events.
      await this.#sendSurely(owner, `${round}${this.#count++}`)
      await wait(RETRY_MS)
      if (this.#people.every((person) => this.#heard.get(person)?.startsWith(round))) return true
    }
    return false
  }

  #clientOf({ authorization }: Person, url = this.#url): ParleyClient {
    const login = Buffer.from(authorization.slice('Basic '.length), 'base64').toString()
    const [email = '', key = ''] = login.split(':')
    return new ParleyClient({ url, email, key })
  }

  async #write(index: number): Promise<void> {
    const person = this.#people[index % this.#people.length] as Person
    while (!this.#stopping.signal.aborted) {
      const content = `message ${index} ${this.#count++}`
      if (!(await this.#sendSurely(person, content))) return
      this.#acknowledged.push({ content, atMs: performance.now() })
      await wait(PAUSE_MS)
    }
  }

  /** Sends a message once, however many attempts it takes; false if all end before. */
  async #sendSurely(person: Person, content: string): Promise<boolean> {
    const client = this.#clientOf(person)
    const mark = { queue_id: 'availability', local_id: content }
    while (!this.#stopping.signal.aborted) {
      const isSent = await attempt((signal) =>
        client.callWith({ signal }, 'POST /messages', {
          type: 'channel',
          to: CHANNEL,
          topic: TOPIC,
          content,
          ...mark,
        }),
      )
      if (isSent) return true
      await wait(RETRY_MS)
    }
    return false
  }

  /** Work for the workers: an attempt without an answer may have stored it, so that only answered ones count. */
  async #schedule(person: Person): Promise<void> {
    const client = this.#clientOf(person)
    while (!this.#stopping.signal.aborted) {
      const content = `scheduled ${this.#count++}`
      const sinceMs = performance.now()
      const isTaken = await attempt((signal) =>
        client.callWith({ signal }, 'POST /scheduled_messages', {
          type: 'channel',
          to: this.#channelId,
          topic: TOPIC,
          content,
          scheduled_delivery_timestamp: Math.ceil(Date.now() / 1_000) + SCHEDULED_SECONDS,
        }),
      ).catch((error: unknown) => {
        // On a busy machine its time may be over when it is decided.
        if (performance.now() - sinceMs > SCHEDULED_SECONDS * 1_000) return false
        throw error
      })
      if (isTaken) this.#scheduled.push({ content, atMs: performance.now() })
      await wait(SCHEDULE_PERIOD_MS)
    }
  }

  async #listen(person: Person): Promise<void> {
    const register = { event_types: ['message'], fetch_event_types: [], apply_markdown: false }
    const signal = AbortSignal.any([this.#stopping.signal]) // Each has waits of its own.
    for await (const update of this.#clientOf(person).updates({ register, signal })) {
      if (update.kind !== 'event' || update.event.type !== 'message') continue
      const { content } = update.event.message
      if (content.includes(MARK)) this.#heard.set(person, content)
    }
  }
}

/** Whether a request succeeds; a refusal that another attempt cannot mend is thrown. */
async function attempt(ask: (signal: AbortSignal) => Promise<unknown>): Promise<boolean> {
  const signal = AbortSignal.timeout(REQUEST_MS_MAX)
  try {
    await ask(signal)
    return true
  } catch (error) {
    const isPassing =
      signal.aborted ||
      error instanceof ConnectionError ||
      (error instanceof ApiError && (error.status >= 500 || error.retryAfterSeconds !== undefined))
    if (!isPassing) throw error
    return false
  }
}
