/**
 * Keeps a process up with the log where the broadcast does not: by a notice of the database, and by a look twice a
 * second. The same look tells whether the database serves, and whether its log is still the one that the state is of.
 */

import { isDeepStrictEqual } from 'node:util'
import type { Sql } from '../../db/connect.ts'
import { readLog } from '../../db/event-log.ts'
import type { LogHistory, LogMark } from '../../db/log-history.ts'
import type { Clock } from '../domain/clock.ts'
import type { EventId } from '../domain/ids.ts'
import type { Feed } from './feed.ts'

/** On it writers without a broadcast, such as the admin command line, tell that the log has grown. */
export const LOG_NOTICE = 'parley_log'
/** The longest that an event may stay unheard of when every notice of it was lost. */
const LOOK_PERIOD_MS = 500
/** A database that takes longer for a look is away: with the period before it, that is known within two seconds. */
const LOOK_MS_MAX = 1_200

/** Thrown where the log ends before what the state holds of it: it is another history's. */
export class LogLostError extends Error {
  override readonly name = 'LogLostError'
}

/** What a process keeps up with. */
export interface KeepUpOptions {
  /** Notices are heard by it. */
  readonly sql: Sql
  /** Opens a connection for the looks alone, so that they wait for nothing but the database. */
  readonly openLookSql: () => Sql
  readonly feed: Feed
  readonly clock: Clock
  readonly history: LogHistory
  /** The epoch in which the state was loaded. */
  readonly epoch: string
  /** Told of failures, after which it goes on. */
  readonly onError: (error: unknown) => void
  /** The database has another history than the state: the process must start anew. Nothing is looked at from then on. */
  readonly onLost: (reason: string) => void
}

/** Keeping up with the log. */
export interface KeepingUp {
  /** Whether the database serves, as of the last look. */
  isServed(): boolean
  stop(): Promise<void>
}

/** Starts keeping up. */
export async function keepUp(options: KeepUpOptions): Promise<KeepingUp> {
  const { sql, openLookSql, feed, clock, history, onError } = options
  let lookSql = openLookSql()
  let isServed = true
  let isLooking = false
  let isNoticed = false
  let isStopped = false
  /** A connection was lost, with which the database may have become another. */
  let isDoubtful = false
  /** An entry that was surely in this history. */
  let mark: LogMark = { id: 0 as EventId, loggedAt: null }

  /** Looks once; answers why the state is of another history, if it is. */
  const compare = async (): Promise<string | undefined> => {
    const { appliedId } = feed // Before the look: it is applied, so it is committed.
    const { last, askedAt, epoch, isAtHome, isReadOnly } = await history.read(lookSql, mark.id)
    if (epoch !== options.epoch) return 'its log has another epoch'
    if (last.id < appliedId) return `its log ends at ${last.id}, and ${appliedId} was applied here`
    const isOther = mark.loggedAt !== null && askedAt !== null && askedAt !== mark.loggedAt
    if (isOther) return `its event ${mark.id} is another than the one that was seen here`
    if (isDoubtful && !(await hasRecent(lookSql, feed, mark.id)))
      return 'its last events are others than those that were applied here'
    if (!isAtHome) return 'it is another database than the one in which its log was written'
    isDoubtful = false
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
    await history.renew(lookSql, options.epoch) // Where it fails, the next look finds the same.
    isStopped = true
    timer.stop()
    options.onLost(reason)
  }
  const look = async () => {
    // The look under way may have been too early for what this one was asked for.
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
      isDoubtful = true
      if (!isStopped) onError(error)
      if (error instanceof NoAnswerError && !isStopped) {
        // What hangs may hang for ever: the next look has a connection of its own.
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
    () => {
      isDoubtful = true
      void look()
    },
  )
  return {
    isServed: () => isServed,
    // The connection that listens goes with the pool: to end the listening itself takes a database that is there.
    async stop() {
      timer.stop()
      isStopped = true
      await lookSql.end({ timeout: 0 })
    },
  }
}

/** Whether the log has what was applied last after a number. */
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

/** What a promise comes to in time; rejects past it. */
async function within<Value>(msMax: number, promise: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    // An answer that came while this process was busy is read first.
    setImmediate(() => late.reject(new NoAnswerError(`the database did not answer within ${msMax} ms`)))
  }, msMax)
  late.promise.catch(() => undefined) // Either may fail when nobody waits for it.
  promise.catch(() => undefined)
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
