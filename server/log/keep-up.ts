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
/** A database that takes longer for a check counts as unavailable: with the period, that shows within two seconds. */
const LOOK_MS_MAX = 1_200

/** The log ends before the state: it belongs to another history. */
export class LogLostError extends Error {
  override readonly name = 'LogLostError'
}

/** The log that a process follows, and callbacks. */
export interface KeepUpOptions {
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
export interface KeepingUp {
  /** Whether the database answered the last check. */
  isServed(): boolean
  /** The end of the log at the last check. */
  lastSeenId(): EventId
  stop(): Promise<void>
}

/** Starts following. */
export async function keepUp(options: KeepUpOptions): Promise<KeepingUp> {
  const { sql, openLookSql, feed, clock, history, onError } = options
  let lookSql = openLookSql()
  let isServed = true
  let isLooking = false
  let isNoticed = false
  let isStopped = false
  /** The server's process of the last check. */
  let seenBackendId: number | undefined
  /** An entry that certainly belongs to this history. */
  let mark: LogMark = { id: 0 as EventId, loggedAt: null }

  /** Checks once; returns the reason if the state belongs to another history. */
  const compare = async (): Promise<string | undefined> => {
    const { appliedId } = feed // Taken before the check: it is applied, so it is committed.
    const { last, askedAt, epoch, isAtHome, isReadOnly, backendId } = await history.read(lookSql, mark.id)
    if (epoch !== options.epoch) return 'its log has another epoch'
    if (last.id < appliedId) return `its log ends at ${last.id}, and ${appliedId} was applied here`
    const isOther = mark.loggedAt !== null && askedAt !== null && askedAt !== mark.loggedAt
    if (isOther) return `its event ${mark.id} is another than the one that was seen here`
    // A connection was lost, which the driver may replace without an error: the database may be a different one now.
    if (backendId !== seenBackendId && !(await hasRecent(lookSql, feed, mark.id)))
      return 'its last events are others than those that were applied here'
    if (!isAtHome) return 'it is another database than the one in which its log was written'
    seenBackendId = backendId
    mark = last
    isServed = !isReadOnly
    return undefined
  }
  const lookOnce = async (): Promise<void> => {
    const reason = await within(LOOK_MS_MAX, compare())
    if (isStopped) return
    if (reason === undefined) {
      if (mark.id > feed.appliedId) await feed.catchUp()
      return
    }
    isServed = false
    await history.renew(lookSql, options.epoch) // If it fails, the next check finds the same.
    isStopped = true
    timer.stop()
    options.onLost(reason)
  }
  const look = async () => {
    // The running check may have started too early to include this notice.
    isNoticed = true
    if (isLooking || isStopped) return
    isLooking = true
    try {
      while (isNoticed && !isStopped) {
        isNoticed = false
        await lookOnce()
      }
    } catch (error) {
      isServed = false
      if (!isStopped) onError(error)
      if (error instanceof NoAnswerError && !isStopped) {
        // A hanging connection may hang forever: the next check opens a new one.
        void lookSql.end({ timeout: 0 }).catch(onError)
        lookSql = openLookSql()
      }
    } finally {
      isLooking = false
    }
  }
  const timer = clock.every(LOOK_PERIOD_MS, () => void look())
  await sql.listen(
    LOG_NOTICE,
    () => void look(),
    () => void look(),
  )
  return {
    isServed: () => isServed,
    lastSeenId: () => mark.id,
    // The listening connection ends with the pool: an explicit `unlisten` needs a reachable database.
    async stop() {
      timer.stop()
      isStopped = true
      await lookSql.end({ timeout: 0 })
    },
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
