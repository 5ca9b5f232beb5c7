/** Drafts of one page: stored on the device with each change, and on the server after a pause. */

import { type ReadonlySignal, signal } from '@preact/signals-core'
import { ApiError } from '../../../packages/client/src/errors.ts'
import type { Draft } from '../../../packages/client/src/wire-types.ts'
import { topicKey } from '../../../packages/rules/topics.ts'
import { WakeableWait } from '../wakeable-wait.ts'
import {
  type DraftEntry,
  draftKey,
  type DraftPlace,
  isEmpty,
  type TopicPlace,
  toServer,
} from './draft-entry.ts'
import { mergeDrafts } from './merge-drafts.ts'

/** Stores entries by key, on the device of one user. */
export interface DraftStorage {
  load(): Promise<readonly DraftEntry[]>
  /** Takes an entry at once, for a page that ends before `put` does. */
  note(entry: DraftEntry): void
  put(entry: DraftEntry): Promise<void>
  remove(key: string): Promise<void>
}

type ServerForm = ReturnType<typeof toServer>

export interface DraftsOptions {
  readonly storage: DraftStorage
  readonly create: (draft: ServerForm) => Promise<number>
  readonly update: (id: number, draft: ServerForm) => Promise<unknown>
  readonly remove: (id: number) => Promise<unknown>
  /** Whether the user wants drafts on the server. */
  readonly isShared: () => boolean
  readonly nowMs: () => number
}

/** A pause in typing, after which the server gets the text. */
const PAUSE_MS = 1_000
/** While words are typed, the journal of the device has them at once, and its database once in this time. */
const WRITE_PAUSE_MS = 400
/** After a failure; news of the connection end the wait. */
const RETRY_MS = 15_000
const IDLE_MS = 3_600_000
/** Own texts of one draft whose events may still arrive. */
const ECHOES_MAX = 20

export class Drafts {
  readonly entries: ReadonlySignal<ReadonlyMap<string, DraftEntry>>
  readonly #entries = signal<ReadonlyMap<string, DraftEntry>>(new Map())
  readonly #options: DraftsOptions
  /** Ended by changes. */
  readonly #wait = new WakeableWait()
  /** Ended by news of the connection. */
  readonly #retryWait = new WakeableWait()
  readonly #echoes = new Map<number, readonly string[]>()
  readonly #seen = new Set<number>()
  /** Texts that the server refused: they are not sent again. */
  readonly #refused = new Map<string, string>()
  readonly #writing = new Map<string, Promise<void>>()
  /** Ended by words that leave: nothing else has noted that they are gone. */
  readonly #writeWait = new WakeableWait()
  /** The draft that is being made: its event may arrive before the reply. */
  #making: { readonly key: string; readonly content: string } | undefined
  readonly #loaded: Promise<void>

  constructor(options: DraftsOptions) {
    this.#options = options
    this.entries = this.#entries
    this.#loaded = this.#load()
  }

  keyOf(place: DraftPlace): string {
    return draftKey(place)
  }

  /** The draft of a place; views that ask are drawn again when it changes. */
  at(place: DraftPlace): DraftEntry | undefined {
    return this.#entries.value.get(draftKey(place))
  }

  /** Notes a change; the promise resolves when the device has it. */
  change(
    place: DraftPlace,
    change: Partial<Pick<DraftEntry, 'content' | 'topic'>>,
    after: Promise<unknown> = this.#loaded,
  ): Promise<void> {
    const key = draftKey(place)
    const former = this.#entries.peek().get(key) ?? { place, topic: '', content: '', serverId: undefined }
    const entry = { ...former, ...change, editedAtMs: this.#options.nowMs(), isSaved: false }
    const isGone = isEmpty(entry) && entry.topic === '' && entry.serverId === undefined
    this.#set(key, isGone ? undefined : entry)
    // Words that leave are forgotten once it is known that they are elsewhere.
    if (isEmpty(entry)) this.#writeWait.wake()
    else this.#options.storage.note(entry)
    this.#wait.wake()
    return after.then(() => this.#write(key))
  }

  /** Removes the words of a place; the device forgets them once its outbox has them. */
  remove(place: DraftPlace, after?: Promise<unknown>): Promise<void> {
    return this.change(place, { content: '' }, after)
  }

  /** The draft follows its conversation to another place; words that are there already come first. */
  async move(from: TopicPlace, to: TopicPlace): Promise<void> {
    const whole: DraftPlace = { type: 'channel', channelId: from.channelId, topic: undefined }
    const typed = this.#entries.peek().get(draftKey(whole))
    if (typed && to.channelId === from.channelId && topicKey(typed.topic) === topicKey(from.topic))
      void this.change(whole, { topic: to.topic })
    const [fromKey, toKey] = [draftKey(from), draftKey(to)]
    const entry = this.#entries.peek().get(fromKey)
    if (!entry || fromKey === toKey) return
    const there = this.#entries.peek().get(toKey)
    if (there && !isEmpty(there)) {
      const content = isEmpty(entry) ? there.content : `${there.content}\n\n${entry.content}`
      await Promise.all([this.change(to, { content }), this.remove(from)])
      return
    }
    this.#set(fromKey, undefined)
    // The server gets the new place with its next save.
    const moved = { ...entry, place: to, isSaved: false }
    this.#set(toKey, moved)
    if (!isEmpty(moved)) this.#options.storage.note(moved)
    this.#wait.wake()
    await Promise.all([this.#write(fromKey), this.#write(toKey)])
  }

  /** Takes the server's drafts; a whole list is that of a registration. */
  take(drafts: readonly Draft[], isWhole: boolean): void {
    // Entries of the device come first: only they say which drafts are its own.
    void this.#loaded.then(() => {
      const changes = mergeDrafts(this.#entries.peek(), drafts, {
        wasThere: (id) => isWhole || this.#seen.has(id),
        isBeingMade: (key, { content }) =>
          this.#making?.key === key && this.#making.content === content.trimEnd(),
        isOwnEcho: ({ id, content }) => this.#echoes.get(id)?.includes(content.trimEnd()) ?? false,
      })
      for (const { id } of drafts) this.#seen.add(id)
      for (const [key, entry] of changes) {
        this.#set(key, entry)
        if (entry?.isSaved && entry.serverId !== undefined) this.#echoes.delete(entry.serverId)
        void this.#write(key)
      }
      this.#wait.wake()
    })
  }

  /** Ends a wait after a failure. */
  retryNow(): void {
    this.#retryWait.wake()
  }

  /** Saves changed drafts on the server until the signal aborts. */
  async run(stop: AbortSignal): Promise<void> {
    await this.#loaded
    while (!stop.aborted) {
      const waiting = [...this.#entries.peek()].filter((one) => this.#mustSave(one))
      const due = waiting.find(([, entry]) => this.#restMs(entry) <= 0)
      if (!due) {
        const rests = waiting.map(([, entry]) => this.#restMs(entry))
        await this.#wait.wait(Math.min(IDLE_MS, ...rests), stop)
      } else if (!(await this.#save(due[0], due[1]))) await this.#retryWait.wait(RETRY_MS, stop)
    }
  }

  #mustSave([key, entry]: readonly [string, DraftEntry]): boolean {
    if (entry.isSaved || !this.#options.isShared()) return false
    if (isEmpty(entry)) return entry.serverId !== undefined
    return this.#refused.get(key) !== entry.content
  }

  /** Removals do not wait. */
  #restMs(entry: DraftEntry): number {
    return isEmpty(entry) ? 0 : entry.editedAtMs + PAUSE_MS - this.#options.nowMs()
  }

  /** One attempt; false if another one must follow later. */
  async #save(key: string, entry: DraftEntry): Promise<boolean> {
    const { create, update, remove } = this.#options
    const { serverId } = entry
    try {
      if (isEmpty(entry)) {
        if (serverId !== undefined) await ignoreMissing(remove(serverId))
        this.#settle(key, entry, undefined)
      } else if (serverId === undefined) {
        this.#making = { key, content: entry.content.trimEnd() }
        this.#settle(key, entry, await create(toServer(entry)))
      } else {
        this.#noteEcho(serverId, entry.content)
        await update(serverId, toServer(entry))
        this.#settle(key, entry, serverId)
      }
      return true
    } catch (error) {
      if (!(error instanceof ApiError) || error.retryAfterSeconds !== undefined || error.status === 401)
        return false
      // The draft was removed elsewhere, and these words are newer: they make a new one.
      if (isMissing(error)) this.#settle(key, { ...entry, content: '' }, undefined)
      else this.#refused.set(key, entry.content)
      return true
    } finally {
      this.#making = undefined
    }
  }

  /** After a reply: the text may have changed meanwhile. */
  #settle(key: string, sent: DraftEntry, serverId: number | undefined): void {
    if (serverId !== undefined) this.#noteEcho(serverId, sent.content)
    const current = this.#entries.peek().get(key)
    if (!current) {
      // It was sent or removed while the server stored it.
      if (serverId !== undefined)
        this.#set(key, { ...sent, content: '', topic: '', serverId, isSaved: false })
    } else {
      const isSaved = current.content === sent.content && current.topic === sent.topic
      const isGone = isEmpty(current) && serverId === undefined && current.topic === ''
      this.#set(key, isGone ? undefined : { ...current, serverId, isSaved })
    }
    void this.#write(key)
  }

  #noteEcho(serverId: number, content: string): void {
    const former = this.#echoes.get(serverId) ?? []
    this.#echoes.set(serverId, [...former, content.trimEnd()].slice(-ECHOES_MAX))
  }

  #set(key: string, entry: DraftEntry | undefined): void {
    const next = new Map(this.#entries.peek())
    if (entry) next.set(key, entry)
    else next.delete(key)
    this.#entries.value = next
  }

  /** Writes the newest state of an entry; while one write runs, one more waits. */
  #write(key: string): Promise<void> {
    const { storage } = this.#options
    const former = this.#writing.get(key)
    const next = (former ?? this.#loaded).then(async () => {
      // A later write of the same entry waits already, and has the newer state.
      if (this.#writing.get(key) !== next) return
      if (this.#isNoted(key)) await this.#writeWait.wait(WRITE_PAUSE_MS, undefined)
      const entry = this.#entries.peek().get(key)
      // Without a storage, the server still has the text.
      await (entry ? storage.put(entry) : storage.remove(key)).catch(() => undefined)
      if (this.#writing.get(key) === next) this.#writing.delete(key)
    })
    this.#writing.set(key, next)
    return next
  }

  /** Whether the journal has the newest words of an entry. */
  #isNoted(key: string): boolean {
    const entry = this.#entries.peek().get(key)
    return entry !== undefined && !entry.isSaved && !isEmpty(entry)
  }

  async #load(): Promise<void> {
    const stored = await this.#options.storage.load().catch(() => [])
    const typed = this.#entries.peek()
    this.#entries.value = new Map([...stored.map((one) => [draftKey(one.place), one] as const), ...typed])
  }
}

async function ignoreMissing(done: Promise<unknown>): Promise<void> {
  await done.catch((error: unknown) => {
    if (!(error instanceof ApiError) || !isMissing(error)) throw error
  })
}

/** The API has no code of its own for this. */
function isMissing(error: ApiError): boolean {
  return error.message === 'Draft does not exist'
}
