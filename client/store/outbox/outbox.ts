/** The outbox: sends each typed message exactly once, one after the other, across lost connections and closed pages. */

import { type ReadonlySignal, signal } from '@preact/signals-core'
import { ApiError } from '../../../packages/client/src/errors.ts'
import type { Event, Message, Operations } from '../../../packages/client/src/wire-types.ts'
import type { Narrow } from '../narrows/narrow.ts'
import { WakeableWait } from '../wakeable-wait.ts'
import { entriesIn, isSameDestination, isTo } from './entries-in.ts'
import { attempt, enter, inOrder, refuse, retry, succeed } from './outbox-entry.ts'
import type { Destination, Draft, Mark, OutboxEntry } from './stored-entry.ts'

/** Stores entries by `localId`, on the device of one user. A promise resolves when the disk has the entry. */
export interface OutboxStorage {
  load(): Promise<readonly OutboxEntry[]>
  put(entry: OutboxEntry): Promise<void>
  remove(localId: string): Promise<void>
}

type SendParams = Operations['POST /messages']['params']

export interface OutboxOptions {
  readonly storage: OutboxStorage
  /** `POST /messages`. */
  readonly send: (params: SendParams) => Promise<{ readonly id: number }>
  /** The current event queue, which then gets `local_message_id`; undefined before the first registration. */
  readonly queueId: () => string | undefined
  readonly nowMs: () => number
  /** A text that no other message of the user has, such as a random UUID. */
  readonly newId: () => string
}

/** The wait after a failed attempt doubles up to this; news of the connection end it. */
const WAIT_MS = 1_000
const WAIT_MS_MAX = 60_000
/** Sent entries whose messages did not arrive, as in channels that are not subscribed. */
const SENT_MAX = 20
/** Ids of messages that arrived before the reply to their sending: some minutes of a busy day. */
const ARRIVED_MAX = 1_000

/** Several pages may share a storage: the server takes each mark once. */
export class Outbox {
  readonly entries: ReadonlySignal<readonly OutboxEntry[]>
  /** Whether the storage works. If not, entries are lost when the page closes. */
  readonly isDurable: ReadonlySignal<boolean>
  readonly #isDurable = signal(true)
  readonly #entries = signal<readonly OutboxEntry[]>([])
  readonly #options: OutboxOptions
  readonly #wait = new WakeableWait()
  /** The queues by which messages arrived; undefined for replies. The latest is last. */
  readonly #arrived = new Map<number, string | undefined>()
  /** Messages up to this one are in the windows, without an event. */
  #registeredId = 0
  #newestId = 0
  #lastTypedMs = 0
  #waitMs = WAIT_MS

  constructor(options: OutboxOptions) {
    this.#options = options
    this.entries = this.#entries
    this.isDurable = this.#isDurable
  }

  /** Takes a message over: it is shown at once, and stored when the promise resolves. */
  async add(draft: Draft): Promise<void> {
    // Two messages of one millisecond stay in their order, too.
    this.#lastTypedMs = Math.max(this.#options.nowMs(), this.#lastTypedMs + 1)
    await this.#store(enter(draft, this.#newMark(), this.#lastTypedMs))
    this.retryNow()
  }

  /** Sends a failed message again, perhaps changed. */
  async retry(localId: string, draft?: Draft): Promise<void> {
    const entry = this.#find(localId)
    if (entry?.phase.name !== 'failed') return
    const next = retry(entry, this.#newMark(), draft)
    if (next.localId !== localId) await this.discard(localId)
    await this.#store(next)
    this.retryNow()
  }

  /** Forgets a failed message. */
  async discard(localId: string): Promise<void> {
    if (this.#find(localId)?.phase.name !== 'failed') return
    this.#drop(localId)
    await this.#forget(localId)
  }

  /** Messages that were not sent yet follow their conversation to another place. */
  redirect(from: Destination, to: Destination): void {
    for (const entry of this.#entries.peek())
      if (entry.phase.name !== 'sent' && isSameDestination(entry.to, from)) void this.#store({ ...entry, to })
  }

  /** The message of an entry has arrived. */
  note(event: Event): void {
    if (event.type !== 'message') return
    const { local_message_id: localId, message } = event
    this.#noteArrival(message.id, this.#options.queueId())
    const entry = this.#entries
      .peek()
      .find(
        (one) => one.localId === localId || (one.phase.name === 'sent' && one.phase.messageId === message.id),
      )
    if (!entry) return
    // An entry that is being sent leaves the storage with its reply.
    this.#replace(succeed(entry, message.id))
    this.#drop(entry.localId)
  }

  /** After a registration: the windows are loaded anew, with all messages up to this one. */
  noteAll(maxId: number): void {
    this.#registeredId = maxId
    this.#newestId = Math.max(this.#newestId, maxId)
    const left = this.#entries.peek().filter(({ phase }) => phase.name !== 'sent' || phase.messageId > maxId)
    this.#entries.value = left
  }

  /**
   * The messages on their way to a narrow, without those that its list has. A page may have the message of an entry
   * before its reply or event says so: then the entry is hidden, though the message may be one that the user has written
   * elsewhere at the same time.
   */
  shownIn(narrow: Narrow, messages: readonly Message[], ownId: number): readonly OutboxEntry[] {
    const taken = new Set<number>()
    return entriesIn(narrow, this.entries.value).filter((entry) => {
      const { phase, afterId } = entry
      if (phase.name === 'sent') return !messages.some(({ id }) => id === phase.messageId)
      if (phase.name === 'failed' || afterId === undefined) return true
      const own = messages.find(
        (message) =>
          message.id > afterId &&
          message.sender_id === ownId &&
          !taken.has(message.id) &&
          !this.#isOfAnother(message.id, entry) &&
          isTo(entry.to, message, ownId),
      )
      if (own) taken.add(own.id)
      return !own
    })
  }

  /** Whether a message is known to be that of another entry, or of another program. */
  #isOfAnother(messageId: number, { queueId }: OutboxEntry): boolean {
    // The event of this entry would have come with its mark.
    if (this.#arrived.get(messageId) === queueId) return true
    return this.#arrived.has(messageId) && this.#arrived.get(messageId) === undefined
  }

  /** Ends a wait between attempts, for example because the connection is back. */
  retryNow(): void {
    this.#waitMs = WAIT_MS
    this.#wait.wake()
  }

  /** Loads the storage and sends, until the signal aborts. */
  async run(stop: AbortSignal): Promise<void> {
    await this.takeStored()
    while (!stop.aborted) {
      const entry = this.#entries.peek().find(({ phase }) => phase.name === 'waiting')
      if (!entry) await this.#wait.wait(WAIT_MS_MAX, stop)
      else if (!(await this.#send(entry))) {
        const waitMs = this.#waitMs
        this.#waitMs = Math.min(WAIT_MS_MAX, waitMs * 2)
        await this.#wait.wait(waitMs, stop)
      } else this.#waitMs = WAIT_MS
    }
  }

  /** Takes up what is in the storage: from before this page, or just put there by the service worker. */
  async takeStored(): Promise<void> {
    const before = this.#entries.peek()
    const stored = await this.#load()
    // An attempt of an earlier run may have ended meanwhile.
    const known = new Set([...before, ...this.#entries.peek()].map(({ localId }) => localId))
    this.#entries.value = inOrder([
      ...stored.filter(({ localId }) => !known.has(localId)),
      ...this.#entries.peek(),
    ])
    this.retryNow()
  }

  /** One attempt; false if another one must follow. */
  async #send(waiting: OutboxEntry): Promise<boolean> {
    const entry = attempt(waiting, this.#options.nowMs(), this.#newestId)
    await this.#store(entry)
    if (entry.phase.name === 'failed') return true
    try {
      const { id } = await this.#options.send(paramsOf(entry))
      const hasArrived = id <= this.#registeredId || this.#arrived.has(id)
      this.#noteArrival(id, undefined)
      if (hasArrived) this.#drop(entry.localId)
      else if (this.#find(entry.localId)) this.#replace(succeed(entry, id))
      this.#dropOldSent()
      await this.#forget(entry.localId)
      return true
    } catch (error) {
      // Its message arrived, though the reply did not.
      if (!this.#find(entry.localId)) {
        await this.#forget(entry.localId)
        return true
      }
      if (!isRefusal(error)) return false
      // It may have been redirected meanwhile.
      await this.#store(refuse(this.#find(entry.localId) ?? entry, error.message))
      return true
    }
  }

  #noteArrival(id: number, queueId: string | undefined): void {
    this.#arrived.delete(id)
    this.#arrived.set(id, queueId)
    this.#newestId = Math.max(this.#newestId, id)
    for (const first of this.#arrived.keys()) {
      if (this.#arrived.size <= ARRIVED_MAX) return
      this.#arrived.delete(first)
    }
  }

  #newMark(): Mark {
    const localId = this.#options.newId()
    return { localId, queueId: this.#options.queueId() ?? localId }
  }

  #find(localId: string): OutboxEntry | undefined {
    return this.#entries.peek().find((one) => one.localId === localId)
  }

  async #load(): Promise<readonly OutboxEntry[]> {
    try {
      return await this.#options.storage.load()
    } catch {
      this.#isDurable.value = false
      return []
    }
  }

  async #store(entry: OutboxEntry): Promise<void> {
    this.#replace(entry)
    try {
      await this.#options.storage.put(entry)
    } catch {
      this.#isDurable.value = false
    }
  }

  async #forget(localId: string): Promise<void> {
    try {
      await this.#options.storage.remove(localId)
    } catch {
      this.#isDurable.value = false
    }
  }

  #replace(entry: OutboxEntry): void {
    const others = this.#entries.peek().filter(({ localId }) => localId !== entry.localId)
    this.#entries.value = inOrder([...others, entry])
  }

  #drop(localId: string): void {
    this.#entries.value = this.#entries.peek().filter((one) => one.localId !== localId)
  }

  #dropOldSent(): void {
    const sent = this.#entries.peek().filter(({ phase }) => phase.name === 'sent')
    for (const { localId } of sent.slice(0, -SENT_MAX)) this.#drop(localId)
  }
}

function paramsOf({ to, content, queueId, localId }: OutboxEntry): SendParams {
  const mark = { content, queue_id: queueId, local_id: localId, read_by_sender: true }
  return to.type === 'channel'
    ? { type: 'channel', to: to.channelId, topic: to.topic, ...mark }
    : { type: 'direct', to: to.userIds, ...mark }
}

/** Whether the server will never take the message as it is. */
function isRefusal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.retryAfterSeconds !== undefined) return false
  // A session that has ended: the message is sent once the user has logged in again.
  return error.status !== 401 && error.code !== 'CSRF_FAILED'
}
