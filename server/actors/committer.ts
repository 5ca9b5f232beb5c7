/**
 * Decides, commits and applies changes in batches.
 *
 * Messages that arrive during a commit form the next batch; other changes are committed one by one, in turns with them.
 * Each is decided on the current state. If another process has changed the organization meanwhile, the log refuses the
 * batch, which is then decided again on the newer state. After several refusals it is decided under the log's lock,
 * where it cannot be stale; all other writers wait meanwhile.
 */

import { setTimeout as wait } from 'node:timers/promises'
import { type Append, appendMessages, type Appended, lockLog } from '../../db/log/append-events.ts'
import { tryAgain } from '../../db/connection/collisions.ts'
import { isRefusedData, isUniqueViolation, type Sql, type Transaction } from '../../db/connection/connect.ts'
import { beginBatch } from '../../db/log/write-batch.ts'
import { appendEvents, commitEvents } from '../events/append-events.ts'
import { notify, type Notified } from '../events/notify.ts'
import type { Decision } from '../decisions/decision.ts'
import { type Clock, nowSeconds } from '../domain/clock.ts'
import type { LogEntry } from '../domain/events.ts'
import type { MessageSent } from '../domain/events/messages.ts'
import type { EventId } from '../domain/ids.ts'
import type { ActorId } from '../domain/users/audit.ts'
import type { Feed } from '../log/feed.ts'
import { LogLostError } from '../log/tail-log.ts'
import { following } from '../measures/following.ts'
import type { Span } from '../measures/span.ts'
import type { Tracer } from '../measures/tracer.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { CommitFigures } from './commit-figures.ts'
import { ObjectTurns } from './object-turns.ts'
import { OverloadError } from './overload-error.ts'

/** Changes in one transaction: with more, the commit takes longer than batching saves. */
const BATCH_LENGTH_MAX = 256
/** Attempts without the lock; each loses to a structural change of another process within milliseconds. */
const FREE_TRIES_MAX = 4
/**
 * The longest delay before a retry, in milliseconds: it is random, so that competing processes do not retry in step.
 */
const RETRY_WAIT_MS_MAX = 4
/** Changes that may wait; with more, the server is overloaded and says so at once. */
const WAITING_MAX = 20_000

/** A change to decide and commit. */
export interface Change<Result> {
  /** `messages`: every event is a message, so the change is committed in a batch with others. */
  readonly kind: 'messages' | 'structure'
  /** The user or the provider that asked for it, for the audit log; left out for the server itself. */
  readonly actorId?: ActorId | undefined
  /** Pure; throws an error for the caller to refuse. May be called twice. */
  decide(state: OrganizationState): Decision<Result>
  /** The id of the first event if an earlier attempt was committed, found by its unique mark. */
  findEarlier?(): Promise<EventId | undefined>
}

interface Pending {
  readonly change: Change<unknown>
  /** The span of its request, while spans are exported. */
  readonly span: Span | undefined
  resolve(result: unknown): void
  reject(error: unknown): void
}

interface Decided extends Notified {
  readonly pending: Pending
  readonly decision: Decision<unknown>
}

/** The dependencies of the committer. */
export interface CommitterOptions {
  /** A connection for the committer alone. */
  readonly sql: Sql
  readonly state: OrganizationState
  readonly feed: Feed
  /** Replaces the database's clock for messages. */
  readonly clock?: Clock | undefined
  readonly tracer?: Tracer | undefined
  /** Notifies other processes; called after the changes are answered. */
  readonly publish: (entries: readonly LogEntry[]) => void
}

/** The only writer of the log in its process. */
export class Committer {
  /** Turns of changes that are decided on rows; each submits in its turn. */
  readonly turns = new ObjectTurns()
  readonly figures = new CommitFigures()
  readonly #options: CommitterOptions
  readonly #waiting: Readonly<Record<Change<unknown>['kind'], Pending[]>> = { messages: [], structure: [] }
  #wasForMessages = false
  #running: Promise<void> | undefined

  constructor(options: CommitterOptions) {
    this.#options = options
  }

  /** Resolves with the result once the change is committed and applied to this process's state. */
  submit<Result>(change: Change<Result>): Promise<Result> {
    if (this.waitingCount >= WAITING_MAX) {
      this.figures.refused++
      throw new OverloadError('too many changes are waiting')
    }
    return new Promise<Result>((resolve, reject) => {
      const span = this.#options.tracer && following.getStore()?.span
      this.#waiting[change.kind].push({ change, span, resolve: resolve as (result: unknown) => void, reject })
      this.#running ??= this.#run()
    })
  }

  /** Changes that wait for the batch in progress. */
  get waitingCount(): number {
    return this.#waiting.messages.length + this.#waiting.structure.length
  }

  /** Resolves when no change waits. */
  async drain(): Promise<void> {
    while (this.#running) await this.#running
  }

  async #run(): Promise<void> {
    // One turn of the event loop collects changes that arrive together; a timer would only add latency.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (this.waitingCount > 0) await this.#commit(this.#takeBatch())
    this.#running = undefined
  }

  /** Both kinds take turns: however many other changes somebody submits, messages wait for one of them. */
  #takeBatch(): Pending[] {
    const { messages, structure } = this.#waiting
    this.#wasForMessages = structure.length === 0 || (messages.length > 0 && !this.#wasForMessages)
    return this.#wasForMessages ? messages.splice(0, BATCH_LENGTH_MAX) : structure.splice(0, 1)
  }

  async #commit(batch: readonly Pending[]): Promise<void> {
    let decided = this.#decide(batch)
    try {
      for (let tries = 1; decided.length > 0; tries++) {
        const startMs = performance.now()
        const appended = await this.#append(decided)
        if (appended.kind === 'appended') {
          this.#noteCommit(decided, startMs)
          return await this.#settle(decided, appended)
        }
        this.figures.stale++
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

  /** Decides each change on the current state; changes that fail or change nothing are answered at once. */
  #decide(batch: readonly Pending[]): Decided[] {
    const decided: Decided[] = []
    for (const pending of batch) {
      const startMs = pending.span ? performance.now() : 0
      try {
        const decision = pending.change.decide(this.#options.state)
        if (pending.span) this.#options.tracer?.record('decide', pending.span, startMs)
        if (decision.events.length > 0)
          decided.push({ pending, decision, ...notify(this.#options.state, decision.events) })
        else pending.resolve(decision.reply(this.#options.state.appliedId))
      } catch (error) {
        pending.reject(error)
      }
    }
    return decided
  }

  #noteCommit(decided: readonly Decided[], startMs: number): void {
    this.figures.noteCommit(decided.length, isOfMessages(decided), startMs)
    this.#record('commit', decided, startMs)
  }

  /** Records a part that the traced changes of a batch have in common. */
  #record(name: string, decided: readonly Decided[], startMs: number): void {
    const { tracer } = this.#options
    if (!tracer) return
    for (const { pending } of decided)
      if (pending.span) tracer.record(name, pending.span, startMs, { 'parley.changes': decided.length })
  }

  #append(decided: readonly Decided[]): Promise<Appended> {
    const events = decided.flatMap((one) => one.entries)
    const { sql, state } = this.#options
    const append = this.#appendAt(state.appliedId, decided)
    // A message may make users known to each other; clients get that event first.
    const isMessages = isOfMessages(decided)
    // Messages with linked files are written one by one under the log's lock.
    if (isMessages && events.every(({ event }) => event.type === 'message' && !event.uploadIds)) {
      const messages = events.map(({ event }) => event as MessageSent)
      return appendMessages(sql, messages, append)
    }
    return appendEvents(sql, events, append)
  }

  #appendAt(seenId: EventId, decided: readonly Decided[]): Append {
    const { clock } = this.#options
    // Several changes in one batch are messages, which the audit log does not have.
    const actorId = decided[0]?.pending.change.actorId
    return { seenId, nowSeconds: clock && nowSeconds(clock), actorId }
  }

  /** If this process is stopped, the transaction ends by itself without a commit. */
  async #commitUnderLock(batch: readonly Pending[]): Promise<void> {
    const { sql, state, feed } = this.#options
    let decided: Decided[] = []
    this.figures.locked++
    const startMs = performance.now()
    const decideLocked = async (tx: Transaction): Promise<Appended | undefined> => {
      const lastId = await lockLog(tx)
      if (lastId < feed.appliedId)
        throw new LogLostError(`the log ends at ${lastId}, and more was applied here`)
      while (feed.appliedId < lastId) await feed.catchUp()
      decided = this.#decide(batch)
      if (decided.length === 0) return undefined
      const events = decided.flatMap((one) => one.entries)
      return commitEvents(tx, events, this.#appendAt(state.appliedId, decided))
    }
    const appended = await tryAgain(sql, () => beginBatch(sql, decideLocked))
    if (appended?.kind === 'appended') {
      this.#noteCommit(decided, startMs)
      await this.#settle(decided, appended)
    } else if (appended) throw new Error('a decision made under the lock of the log was stale')
  }

  /** Applies the committed changes, answers, and notifies the others. */
  async #settle(
    decided: readonly Decided[],
    { baseId, sentAt }: Extract<Appended, { kind: 'appended' }>,
  ): Promise<void> {
    const { feed, publish } = this.#options
    const entries: LogEntry[] = []
    for (const { entries: own } of decided) {
      for (const { event, audience } of own) {
        const stamped = event.type === 'message' ? stampedOf(event, sentAt) : event
        entries.push({ event: stamped, audience, id: (baseId + entries.length + 1) as EventId })
      }
    }
    feed.offer(entries)
    await feed.reached((baseId + entries.length) as EventId)
    setImmediate(() => {
      const startMs = performance.now()
      publish(entries)
      this.#record('publish', decided, startMs)
    })
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
   * One bad change must not fail its batch: the batch is halved until the change stands alone, which takes few commits
   * even for a large batch. A repeated change gets its earlier result.
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
        await this.#options.feed.catchUp() // Another process may have committed it, and the notice has not arrived yet.
        pending.resolve(decision.reply(earlier))
      } catch (failure) {
        pending.reject(failure)
      }
    }
  }
}

/** A message as it was committed; its notifications are rows by now. */
function stampedOf(message: MessageSent, sentAt: number): MessageSent {
  if (message.sentAt === sentAt && message.pending === undefined) return message
  const { pending: _, ...stamped } = message
  return { ...stamped, sentAt }
}

function isOfMessages(decided: readonly Decided[]): boolean {
  return decided[0]?.pending.change.kind === 'messages'
}
