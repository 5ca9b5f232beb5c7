/**
 * Follows the log when the broadcast does not: through database notices, and with a check twice a second. The same
 * check shows whether the database answers, and whether its log is still the one that the state was loaded from.
 */

import { isDeepStrictEqual } from 'node:util'
import type { Sql } from '../../db/connection/connect.ts'
import { readLog } from '../../db/log/event-log.ts'
import type { LogHistory, LogMark } from '../../db/log/log-history.ts'
import type { Clock } from '../domain/clock.ts'
import type { EventId } from '../domain/ids.ts'
import type { Feed } from './feed.ts'

/** Writers without a broadcast, such as the admin command line, use it to announce new entries. */
export const LOG_NOTICE = 'parley_log'
/** The name of the connection for checks: each web process has one. */
export const LOOK_CONNECTION = 'parley-look'
/** The longest delay of an event if every notice of it was lost. */
const LOOK_PERIOD_MS = 500
/**
 * A database that takes longer for a check counts as unavailable: with the period, that shows within three seconds, after
 * which requests are answered then. One on a machine that is short of the processor takes a second now and then.
 */
const LOOK_MS_MAX = 2_400

/** The log ends before the state: it belongs to another history. */
export class LogLostError extends Error {
  override readonly name = 'LogLostError'
}

/** The log that a process follows, and callbacks. */
export interface LogTailOptions {
  /** For listening to notices. */
  readonly sql: Sql
  /** Opens a connection for the checks alone, so that they wait for nothing but the database. */
  readonly openLookSql: () => Sql
  readonly feed: Feed
  readonly clock: Clock
  readonly history: LogHistory
  /** The epoch of the loaded state. */
  readonly epoch: string
  /** Receives failures; following continues after them. */
  readonly onError: (error: unknown) => void
  /** The database has another history than the state: the process must restart. Checks stop. */
  readonly onLost: (reason: string) => void
}

/** A running follower of the log. */
export interface LogTail {
  /** Whether the database answered the last check. */
  isServed(): boolean
  /** The end of the log at the last check. */
  lastSeenId(): EventId
  stop(): Promise<void>
}

/** Starts following. */
export async function tailLog(options: LogTailOptions): Promise<LogTail> {
  const follower = new Follower(options)
  const look = () => void follower.look()
  await options.sql.listen(LOG_NOTICE, look, look)
  return follower
}

/** Checks the log periodically and on notices. */
class Follower implements LogTail {
  readonly #options: LogTailOptions
  readonly #timer: { stop(): void }
  #lookSql: Sql
  #isServed = true
  #isLooking = false
  #isNoticed = false
  #isStopped = false
  /** The server's process of the last check. */
  #seenBackendId: number | undefined
  /** An entry that certainly belongs to this history. */
  #mark: LogMark = { id: 0 as EventId, loggedAt: null }

  constructor(options: LogTailOptions) {
    this.#options = options
    this.#lookSql = options.openLookSql()
    this.#timer = options.clock.every(LOOK_PERIOD_MS, () => void this.look())
  }

  isServed(): boolean {
    return this.#isServed
  }

  lastSeenId(): EventId {
    return this.#mark.id
  }

  /** The listening connection ends with the pool: an explicit `unlisten` needs a reachable database. */
  async stop(): Promise<void> {
    this.#timer.stop()
    this.#isStopped = true
    await this.#lookSql.end({ timeout: 0 })
  }

  /** Checks now, or once more after the running check, which may have started too early to include this notice. */
  async look(): Promise<void> {
    this.#isNoticed = true
    if (this.#isLooking || this.#isStopped) return
    this.#isLooking = true
    try {
      while (this.#isNoticed && !this.#isStopped) {
        this.#isNoticed = false
        await this.#lookOnce()
      }
    } catch (error) {
      this.#isServed = false
      if (!this.#isStopped) this.#noteFailure(error)
    } finally {
      this.#isLooking = false
    }
  }

  #noteFailure(error: unknown): void {
    const { onError, openLookSql } = this.#options
    onError(error)
    if (!(error instanceof NoAnswerError)) return
    // A hanging connection may hang forever: the next check opens a new one.
    void this.#lookSql.end({ timeout: 0 }).catch(onError)
    this.#lookSql = openLookSql()
  }

  async #lookOnce(): Promise<void> {
    const { feed, history, epoch, onLost } = this.#options
    const reason = await within(LOOK_MS_MAX, this.#compare())
    if (this.#isStopped) return
    if (reason === undefined) {
      if (this.#mark.id > feed.appliedId) await feed.catchUp()
      return
    }
    this.#isServed = false
    await history.renew(this.#lookSql, epoch) // If it fails, the next check finds the same.
    this.#isStopped = true
    this.#timer.stop()
    onLost(reason)
  }

  /** Returns the reason if the state belongs to another history. */
  async #compare(): Promise<string | undefined> {
    const { feed, history } = this.#options
    const mark = this.#mark
    const { appliedId } = feed // Taken before the check: it is applied, so it is committed.
    const { last, askedAt, epoch, isAtHome, isReadOnly, backendId } = await history.read(
      this.#lookSql,
      mark.id,
    )
    if (epoch !== this.#options.epoch) return 'its log has another epoch'
    if (last.id < appliedId) return `its log ends at ${last.id}, and ${appliedId} was applied here`
    const isOther = mark.loggedAt !== null && askedAt !== null && askedAt !== mark.loggedAt
    if (isOther) return `its event ${mark.id} is another than the one that was seen here`
    // A connection was lost, which the driver may replace without an error: the database may be a different one now.
    if (backendId !== this.#seenBackendId && !(await hasRecent(this.#lookSql, feed, mark.id)))
      return 'its last events are others than those that were applied here'
    if (!isAtHome) return 'it is another database than the one in which its log was written'
    this.#seenBackendId = backendId
    this.#mark = last
    this.#isServed = !isReadOnly
    return undefined
  }
}

/** Whether the log has the most recent applied entries after a number. */
async function hasRecent(sql: Sql, feed: Feed, afterId: EventId): Promise<boolean> {
  const recent = feed.recent(afterId)
  const first = recent[0]
  if (!first) return true
  const logged = await readLog(sql, (first.id - 1) as EventId, recent.length)
  return recent.every(({ id, event }, index) => {
    const there = logged[index]
    return there?.id === id && isDeepStrictEqual(there.event, JSON.parse(JSON.stringify(event)))
  })
}

class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}

/** The result of a promise; rejects after the time limit. */
async function within<Value>(msMax: number, promise: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    // First read an answer that arrived while this process was busy.
    setImmediate(() => late.reject(new NoAnswerError(`the database did not answer within ${msMax} ms`)))
  }, msMax)
  late.promise.catch(() => undefined) // Either may reject after nobody waits for it any more.
  promise.catch(() => undefined)
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
