/** Keeps a process up with the log where the broadcast does not: by a notice of the database, and by a look each second. */

import { readLastEventId } from '../../db/event-log.ts'
import type { Sql } from '../../db/connect.ts'
import type { Clock } from '../domain/clock.ts'
import type { Feed } from './feed.ts'

/** On it writers without a broadcast, such as the admin command line, tell that the log has grown. */
export const LOG_NOTICE = 'parley_log'
/** The longest that an event may stay unheard of when every notice of it was lost. */
const LOOK_PERIOD_MS = 1_000

/** Starts keeping up; `onError` is told of failures, after which it goes on. */
export async function keepUp(
  sql: Sql,
  feed: Feed,
  clock: Clock,
  onError: (error: unknown) => void,
): Promise<{ stop(): void; lastLookMs(): number }> {
  let lastLookMs = clock.nowMs()
  let isLooking = false
  let isNoticed = false
  let isStopped = false
  const look = async () => {
    // The look under way may have been too early for what this one was asked for.
    isNoticed = true
    if (isLooking || isStopped) return
    isLooking = true
    try {
      while (isNoticed) {
        isNoticed = false
        if ((await readLastEventId(sql)) > feed.appliedId) await feed.catchUp()
        lastLookMs = clock.nowMs()
      }
    } catch (error) {
      if (!isStopped) onError(error)
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
    // The connection that listens goes with the pool: to end the listening itself takes a database that is there.
    stop() {
      timer.stop()
      isStopped = true
    },
    lastLookMs: () => lastLookMs,
  }
}
