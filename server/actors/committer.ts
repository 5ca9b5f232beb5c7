/**
 * The committer: decides, commits and applies changes, many at a time.
 *
 * Changes that arrive while a commit is under way are gathered into the next one. Each is decided on
 * the state as it stands then. Where another process has changed the organization meanwhile, the log
 * refuses the batch, and it is decided again on what the log holds by then. Only where that happens again and again it is
 * decided under the log's lock, where it can no longer be stale: all other writers wait for this process then.
 */

import { setTimeout as wait } from 'node:timers/promises'
import {
  type Append,
  appendEvents,
  appendMessages,
  type Appended,
  commitEvents,
  lockLog,
} from '../../db/append-events.ts'
import { isRefusedData, isUniqueViolation, type Sql } from '../../db/connect.ts'
import { beginBatch } from '../../db/write-batch.ts'
import { notify, type Notified } from '../audience/notify.ts'
import type { Decision } from '../decisions/decision.ts'
import { type Clock, nowSeconds } from '../domain/clock.ts'
import type { LogEntry } from '../domain/events.ts'
import type { MessageSent } from '../domain/events/messages.ts'
import type { EventId } from '../domain/ids.ts'
import type { Feed } from '../log/feed.ts'
import { LogLostError } from '../log/keep-up.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { ObjectTurns } from './object-turns.ts'
import { OverloadError } from './overload-error.ts'

/** Changes in one transaction: past it a commit takes longer than gathering saves. */
const BATCH_LENGTH_MAX = 256
/** Times that a batch is decided without the lock; each is lost to a structural change of another process in some milliseconds. */
const FREE_TRIES_MAX = 4
/** Milliseconds before another try at most: processes that got in each other's way shall not do so in step. */
const RETRY_WAIT_MS_MAX = 4
/** Changes that may wait; beyond it the server is overloaded and says so at once. */
const WAITING_MAX = 20_000

/** Something that wants to happen. */
export interface Change<Result> {
  /** `messages`: every event is a message, so that it is committed in a batch with others. */
  readonly kind: 'messages' | 'structure'
  /** Pure; throws what the caller shall be told when it may not be. May be called twice. */
  decide(state: OrganizationState): Decision<Result>
  /** The number of its first event where an earlier try of it was committed already, by its unique mark. */
  findEarlier?(): Promise<EventId | undefined>
}

interface Pending {
  readonly change: Change<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

interface Decided extends Notified {
  readonly pending: Pending
  readonly decision: Decision<unknown>
}

/** What the committer works with. */
export interface CommitterOptions {
  /** The connection that nothing else keeps busy. */
  readonly sql: Sql
  readonly state: OrganizationState
  readonly feed: Feed
  /** Stamps messages in the place of the database's clock. */
  readonly clock?: Clock | undefined
  /** Tells other processes; called after the changes were answered. */
  readonly publish: (entries: readonly LogEntry[]) => void
}

/** The only writer of the log in its process. */
export class Committer {
  /** Turns of changes that are decided on rows; each submits from its own. */
  readonly turns = new ObjectTurns()
  readonly #options: CommitterOptions
  #waiting: Pending[] = []
  #running: Promise<void> | undefined

  constructor(options: CommitterOptions) {
    this.#options = options
  }

  /** Resolves with the answer once the change is committed and the own state includes it. */
  submit<Result>(change: Change<Result>): Promise<Result> {
    if (this.#waiting.length >= WAITING_MAX) throw new OverloadError('too many changes are waiting')
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ change, resolve: resolve as (result: unknown) => void, reject })
      this.#running ??= this.#run()
    })
  }

  /** Resolves when nothing waits any more. */
  async drain(): Promise<void> {
    while (this.#running) await this.#running
  }

  async #run(): Promise<void> {
    // One turn of the event loop gathers what arrived together; a timer would only add latency.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) await this.#commit(this.#takeBatch())
    this.#running = undefined
  }

  #takeBatch(): Pending[] {
    const isMessages = (pending: Pending | undefined) => pending?.change.kind === 'messages'
    let length = 1
    if (isMessages(this.#waiting[0])) {
      while (length < BATCH_LENGTH_MAX && isMessages(this.#waiting[length])) length++
    }
    return this.#waiting.splice(0, length)
  }

  async #commit(batch: readonly Pending[]): Promise<void> {
    let decided = this.#decide(batch)
    try {
      for (let tries = 1; decided.length > 0; tries++) {
        const appended = await this.#append(decided)
        if (appended.kind === 'appended') return await this.#settle(decided, appended)
        const again = decided.map(({ pending }) => pending)
        if (tries === FREE_TRIES_MAX) return await this.#commitUnderLock(again)
        await wait(Math.random() * RETRY_WAIT_MS_MAX * (tries - 1))
        await this.#options.feed.catchUp()
        decided = this.#decide(again)
      }
    } catch (error) {
      await this.#recover(decided, error)
    }
  }

  /** Decides each on the present state; those that fail or change nothing are answered at once. */
  #decide(batch: readonly Pending[]): Decided[] {
    const decided: Decided[] = []
    for (const pending of batch) {
      try {
        const decision = pending.change.decide(this.#options.state)
        if (decision.events.length > 0)
          decided.push({ pending, decision, ...notify(this.#options.state, decision.events) })
        else pending.resolve(decision.reply(this.#options.state.appliedId))
      } catch (error) {
        pending.reject(error)
      }
    }
    return decided
  }

  #append(decided: readonly Decided[]): Promise<Appended> {
    const events = decided.flatMap((one) => one.entries)
    const { sql, state } = this.#options
    const append = this.#appendAt(state.appliedId)
    // A message may make users known to each other, of which clients are told first.
    const isMessages = decided[0]?.pending.change.kind === 'messages'
    // Those that link files are written one by one, while the log is locked.
    if (isMessages && events.every(({ event }) => event.type === 'message' && !event.uploadIds)) {
      const messages = events.map(({ event }) => event as MessageSent)
      return appendMessages(sql, messages, append)
    }
    return appendEvents(sql, events, append)
  }

  #appendAt(seenId: EventId): Append {
    const { clock } = this.#options
    return { seenId, nowSeconds: clock && nowSeconds(clock) }
  }

  /** The transaction ends by itself where this process is stopped in it, and nothing of it was written then. */
  async #commitUnderLock(batch: readonly Pending[]): Promise<void> {
    const { sql, state, feed } = this.#options
    let decided: Decided[] = []
    const appended = await beginBatch(sql, async (tx): Promise<Appended | undefined> => {
      const lastId = await lockLog(tx)
      if (lastId < feed.appliedId)
        throw new LogLostError(`the log ends at ${lastId}, and more was applied here`)
      while (feed.appliedId < lastId) await feed.catchUp()
      decided = this.#decide(batch)
      if (decided.length === 0) return undefined
      const events = decided.flatMap((one) => one.entries)
      return commitEvents(tx, events, this.#appendAt(state.appliedId))
    })
    if (appended?.kind === 'appended') await this.#settle(decided, appended)
    else if (appended) throw new Error('a decision made under the lock of the log was stale')
  }

  /** Applies what was committed, answers, and tells the others. */
  async #settle(
    decided: readonly Decided[],
    { baseId, sentAt }: Extract<Appended, { kind: 'appended' }>,
  ): Promise<void> {
    const { feed, publish } = this.#options
    const entries: LogEntry[] = []
    for (const { entries: own } of decided) {
      for (const { event, audience } of own) {
        const stamped = event.type === 'message' && event.sentAt !== sentAt ? { ...event, sentAt } : event
        entries.push({ event: stamped, audience, id: (baseId + entries.length + 1) as EventId })
      }
    }
    feed.offer(entries)
    await feed.reached((baseId + entries.length) as EventId)
    setImmediate(publish, entries)
    let firstId = baseId + 1
    for (const { pending, decision, entries: own, leadCount } of decided) {
      try {
        pending.resolve(decision.reply((firstId + leadCount) as EventId))
      } catch (error) {
        pending.reject(error)
      }
      firstId += own.length
    }
  }

  /**
   * One bad change must not fail its batch: halves are tried until it stands alone, which takes few
   * commits even for a large batch. A repeated one gets its earlier answer.
   */
  async #recover(decided: readonly Decided[], error: unknown): Promise<void> {
    if (decided.length > 1 && isRefusedData(error)) {
      const batch = decided.map(({ pending }) => pending)
      const half = batch.length >> 1
      await this.#commit(batch.slice(0, half))
      await this.#commit(batch.slice(half))
      return
    }
    for (const { pending, decision } of decided) {
      try {
        const earlier = isUniqueViolation(error) ? await pending.change.findEarlier?.() : undefined
        if (earlier === undefined) throw error
        await this.#options.feed.catchUp() // Another process may have committed it, and this one not heard of it yet.
        pending.resolve(decision.reply(earlier))
      } catch (failure) {
        pending.reject(failure)
      }
    }
  }
}
