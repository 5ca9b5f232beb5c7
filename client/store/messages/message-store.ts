/** The loaded messages: a window for each narrow, changed by events, bounded in number. */

import { topicKey } from '../../../packages/rules/topics.ts'
import { type ReadonlySignal, type Signal, signal } from '@preact/signals-core'
import type { Event, Message } from '../../../packages/client/src/wire-types.ts'
import { keyOf, type Narrow } from '../narrows/narrow.ts'
import { applyToWindow } from './apply-to-window.ts'
import {
  addNewer,
  addOlder,
  emptyWindow,
  findPlace,
  type MessageWindow,
  type Page,
  trim,
  windowOf,
} from './message-window.ts'

/** Bounds of memory. A message with its text takes about 3 kB. */
export interface MessageLimits {
  /** Messages of all windows that are not shown; the least recently shown windows go first. */
  readonly hiddenMax: number
  /** Messages of one window; the far end goes first. */
  readonly windowMax: number
}

/** About 15 MB in hidden windows. Of a shown one every page compares each row, which is to take no longer than a frame. */
const LIMITS: MessageLimits = { hiddenMax: 5_000, windowMax: 500 }

interface Entry {
  readonly window: Signal<MessageWindow>
  /** The number of views that show it. */
  shown: number
}

/** Whether nothing lies beyond the ends of a window. */
type Ends = Pick<MessageWindow, 'hasOldest' | 'hasNewest'>

/** The place of a page in relation to the window. */
export type PagePlace = 'instead' | 'older' | 'newer'

/** Windows by narrow. Messages are immutable: a change makes a new object in each window that has it. */
export class MessageStore {
  /** Least recently shown first. */
  readonly #entries = new Map<string, Entry>()
  readonly #limits: MessageLimits
  readonly #ownId: () => number
  /** Events since the oldest load that has not ended: its page may be older than they are. */
  #events: Event[] = []
  #firstEvent = 0
  /** The first event of each running load, counted from the start. */
  readonly #loads = new Map<number, number>()
  #loadCount = 0
  /** Loads that began before the last registration. */
  readonly #outdated = new Set<number>()

  constructor(ownId: () => number, limits: Partial<MessageLimits> = {}) {
    this.#ownId = ownId
    this.#limits = { ...LIMITS, ...limits }
  }

  /** The window of a narrow, at first an empty one. It may be dropped while no view shows it. */
  window(narrow: Narrow): ReadonlySignal<MessageWindow> {
    return this.#entry(narrow).window
  }

  /** Holds a window until the returned function is called. */
  show(narrow: Narrow): () => void {
    const entry = this.#entry(narrow)
    entry.shown++
    this.#touch(keyOf(narrow), entry)
    let isShown = true
    return () => {
      if (!isShown) return
      isShown = false
      entry.shown--
      this.#dropHidden()
    }
  }

  /** A loaded message, of any window. */
  find(id: number): Message | undefined {
    return findIn(this.#windows(), id)
  }

  /** Begins a load; events from now on are applied to its page, too. Each must end by `addPage` or `endLoad`. */
  beginLoad(): number {
    const load = ++this.#loadCount
    this.#loads.set(load, this.#firstEvent + this.#events.length)
    return load
  }

  /** Whether the page of a load may lack messages from before the last registration: no events follow with them. */
  isOutdated(load: number): boolean {
    return this.#outdated.has(load)
  }

  /** Forgets a load that failed. */
  endLoad(load: number): void {
    this.#loads.delete(load)
    this.#outdated.delete(load)
    const first = Math.min(...this.#loads.values(), this.#firstEvent + this.#events.length)
    this.#events = this.#events.slice(first - this.#firstEvent)
    this.#firstEvent = first
  }

  /** Puts the page of a load into a window. */
  addPage(load: number, narrow: Narrow, place: PagePlace, page: Page): void {
    const { window } = this.#entry(narrow)
    const { windowMax } = this.#limits
    let next = windowOf(narrow, page)
    if (place === 'older') next = trim(addOlder(window.peek(), page), windowMax, 'newest')
    if (place === 'newer') next = trim(addNewer(window.peek(), page), windowMax, 'oldest')
    const start = this.#loads.get(load) ?? this.#firstEvent
    for (const event of this.#events.slice(start - this.#firstEvent))
      next = applyToWindow(next, event, this.#ownId())
    window.value = next
    this.endLoad(load)
    this.#dropHidden()
  }

  /** Messages that are known to be of a narrow: they are shown until its window is loaded. */
  adopt(narrow: Narrow, messages: readonly Message[], ends: Partial<Ends> = {}): void {
    const { window } = this.#entry(narrow)
    if (window.peek().messages.length > 0) return
    window.value = { ...emptyWindow(narrow), messages, ...ends, isStale: true }
  }

  /** The windows that have messages; the one that was shown last is the last one. */
  seen(): readonly MessageWindow[] {
    return this.#windows().filter(({ messages }) => messages.length > 0)
  }

  /** All loaded messages, ascending. */
  all(): readonly Message[] {
    const messages = this.#windows().flatMap((window) => window.messages)
    return [...new Map(messages.map((one) => [one.id, one])).values()].sort((a, b) => a.id - b.id)
  }

  /** The topics of the loaded messages; the newest of each window first. */
  topics(): readonly { readonly channelId: number; readonly topic: string }[] {
    const seen = new Map<string, { readonly channelId: number; readonly topic: string }>()
    for (const { messages } of this.#windows()) {
      for (const { stream_id: channelId, subject: topic } of messages.toReversed())
        if (channelId !== undefined) seen.set(`${channelId} ${topicKey(topic)}`, { channelId, topic })
    }
    return [...seen.values()]
  }

  /** Changes the windows by an event. */
  apply(event: Event): void {
    if (this.#loads.size > 0) this.#events.push(event)
    // A moved message leaves one window and enters another.
    const before = this.#windows()
    for (const { window } of this.#entries.values()) {
      const next = applyToWindow(window.peek(), event, this.#ownId(), (id) => findIn(before, id))
      window.value = trim(next, this.#limits.windowMax, 'oldest')
    }
    this.#dropHidden()
  }

  /** After another registration events are missing: all windows must be loaded anew. */
  markStale(): void {
    for (const load of this.#loads.keys()) this.#outdated.add(load)
    for (const { window } of this.#entries.values())
      window.value = { ...window.peek(), isStale: true, hasNewest: false }
  }

  #windows(): readonly MessageWindow[] {
    return [...this.#entries.values()].map(({ window }) => window.peek())
  }

  #entry(narrow: Narrow): Entry {
    const key = keyOf(narrow)
    let entry = this.#entries.get(key)
    if (!entry) {
      entry = { window: signal(emptyWindow(narrow)), shown: 0 }
      this.#entries.set(key, entry)
    }
    return entry
  }

  #touch(key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#entries.set(key, entry)
  }

  #dropHidden(): void {
    const hidden = [...this.#entries].filter(([, { shown }]) => shown === 0)
    let count = hidden.reduce((sum, [, { window }]) => sum + window.peek().messages.length, 0)
    for (const [key, { window }] of hidden) {
      if (count <= this.#limits.hiddenMax) return
      count -= window.peek().messages.length
      this.#entries.delete(key)
    }
  }
}

function findIn(windows: readonly MessageWindow[], id: number): Message | undefined {
  for (const { messages } of windows) {
    const message = messages[findPlace(messages, id)]
    if (message?.id === id) return message
  }
  return undefined
}
