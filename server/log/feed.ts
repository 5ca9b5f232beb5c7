/**
 * The feed: every entry of the log, once and in order, even if the broadcast loses, repeats or delays some.
 *
 * Entries come from this process's own commits and from the broadcast. The next entry in order is applied at once. An
 * entry after a gap waits briefly for the broadcast; then the feed reads the missing numbers from the log.
 */

import { setTimeout as wait } from 'node:timers/promises'
import type { LogEntry } from '../domain/events.ts'
import type { EventId } from '../domain/ids.ts'

/**
 * Milliseconds that a gap waits for the broadcast before a read of the log; the broadcast is mostly less than one
 * behind.
 */
const GAP_WAIT_MS = 4
/** Entries per read; a page of messages of maximum length takes some tens of MB. */
const PAGE_LENGTH = 500
/** Milliseconds between reads while the log cannot be read. */
const RETRY_WAIT_MS = 500
/** Entries held behind a gap; beyond it they are dropped and read from the log. */
const WAITING_MAX = 2_000

/** Recent entries that are held to recognize the log's history. */
const RECENT_MAX = 100

/** The source and the target of the feed. */
export interface FeedOptions {
  /** The last entry that the state already includes. */
  readonly appliedId: EventId
  readLog(afterId: EventId, countMax: number): Promise<readonly LogEntry[]>
  /** Called once for each entry, in order. */
  onEntry(entry: LogEntry): void
  /** Called when a read of the log failed; the next gap or tick reads again. */
  onError(error: unknown): void
}

/** Applies entries in order. */
export class Feed {
  #appliedId: EventId
  readonly #options: FeedOptions
  readonly #waitingBatches = new Map<EventId, readonly LogEntry[]>()
  #waiters: { id: EventId; resolve: () => void; reject: (error: unknown) => void }[] = []
  #reading: Promise<void> | undefined
  #nextReading: Promise<void> | undefined
  /** Each at its number modulo the length. */
  readonly #recent: LogEntry[] = []
  #isGapWatched = false
  #isClosed = false
  /** Gaps in the broadcast, reads of the log that followed them or made sure, and the entries of these reads. */
  readonly figures = { gaps: 0, catchUps: 0, caughtUp: 0 }

  constructor(options: FeedOptions) {
    this.#options = options
    this.#appliedId = options.appliedId
  }

  get appliedId(): EventId {
    return this.#appliedId
  }

  /** The applied entries after a number, in order, as far as they are held. */
  recent(afterId: EventId): LogEntry[] {
    return this.#recent.filter(({ id }) => id > afterId).sort((a, b) => a.id - b.id)
  }

  /** Accepts consecutive entries from any source. */
  offer(entries: readonly LogEntry[]): void {
    const first = entries[0]
    if (!first || this.#isClosed) return
    if (first.id > this.#appliedId + 1) {
      this.figures.gaps++
      this.#keepWaiting(first.id, entries)
      this.#watchGap(GAP_WAIT_MS)
      return
    }
    this.#apply(entries)
    this.#applyWaiting()
    this.#wake()
  }

  /** Resolves when the entry of that number is applied; rejects if the feed closes first. */
  async reached(id: EventId): Promise<void> {
    if (this.#appliedId >= id) return
    if (this.#isClosed) throw closedError()
    await new Promise<void>((resolve, reject) => {
      this.#waiters.push({ id, resolve, reject })
    })
  }

  /**
   * Reads all entries that the log holds at the time of the call; rejects if the feed is closed. Calls during a read
   * share the next one.
   */
  catchUp(): Promise<void> {
    if (!this.#reading) {
      this.#reading = this.#readAll().finally(() => {
        this.#reading = undefined
      })
      return this.#reading
    }
    this.#nextReading ??= this.#reading
      .catch(() => undefined) // Its own callers handle the failure.
      .then(() => {
        this.#nextReading = undefined
        return this.catchUp()
      })
    return this.#nextReading
  }

  close(): void {
    this.#isClosed = true
    const waiters = this.#waiters
    this.#waiters = []
    for (const waiter of waiters) waiter.reject(closedError())
  }

  async #readAll(): Promise<void> {
    this.figures.catchUps++
    for (;;) {
      if (this.#isClosed) throw closedError()
      const page = await this.#options.readLog(this.#appliedId, PAGE_LENGTH)
      if (this.#isClosed) throw closedError()
      this.figures.caughtUp += page.length
      this.#apply(page)
      this.#applyWaiting()
      this.#wake()
      if (page.length < PAGE_LENGTH) return
    }
  }

  #apply(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      if (entry.id <= this.#appliedId) continue
      if (entry.id !== this.#appliedId + 1) throw new Error(`the log has no event ${this.#appliedId + 1}`)
      this.#appliedId = entry.id
      this.#recent[entry.id % RECENT_MAX] = entry
      this.#options.onEntry(entry)
    }
  }

  #applyWaiting(): void {
    for (const [firstId, entries] of [...this.#waitingBatches].sort(([a], [b]) => a - b)) {
      if (firstId > this.#appliedId + 1) return
      this.#waitingBatches.delete(firstId)
      this.#apply(entries)
    }
  }

  #wake(): void {
    if (this.#waiters.length === 0) return
    const due = this.#waiters.filter(({ id }) => id <= this.#appliedId)
    this.#waiters = this.#waiters.filter(({ id }) => id > this.#appliedId)
    for (const waiter of due) waiter.resolve()
  }

  #keepWaiting(firstId: EventId, entries: readonly LogEntry[]): void {
    const held = this.#waitingBatches.get(firstId)
    const waiting = [...this.#waitingBatches.values()].reduce((sum, { length }) => sum + length, 0)
    if (waiting - (held?.length ?? 0) + entries.length > WAITING_MAX) return
    if (held && held.length >= entries.length) return
    this.#waitingBatches.set(firstId, entries)
  }

  #watchGap(waitMs: number): void {
    if (this.#isGapWatched) return
    this.#isGapWatched = true
    void wait(waitMs).then(async () => {
      let nextWaitMs = GAP_WAIT_MS
      try {
        if (this.#waitingBatches.size > 0 && !this.#isClosed) await this.catchUp()
      } catch (error) {
        if (!this.#isClosed) this.#options.onError(error)
        nextWaitMs = RETRY_WAIT_MS
      }
      this.#isGapWatched = false
      if (this.#waitingBatches.size > 0 && !this.#isClosed) this.#watchGap(nextWaitMs)
    })
  }
}

function closedError(): Error {
  return new Error('the feed was closed')
}
