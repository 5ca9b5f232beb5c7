/** The database's clock, as a process reckons it: what is due, and how old something is, does not depend on the machine's. */

import type { Sql } from '../../db/connect.ts'
import { type Clock, systemClock } from '../domain/clock.ts'

/** How often it is compared: steady clocks drift by less than a tenth of a millisecond meanwhile. */
const LOOK_PERIOD_MS = 1_000
/** A look that takes longer tells nothing finer than what is known already. */
const FINE_LOOK_MS_MAX = 10

/** A clock that goes by the database's. */
export interface DatabaseClock extends Clock {
  stop(): void
}

/** Reads the clock, and compares again each second; `onError` is told of failures, after which it goes on. */
export async function openDatabaseClock(sql: Sql, onError: (error: unknown) => void): Promise<DatabaseClock> {
  /** The database's time less that of the steady clock of this process. */
  let aheadMs: number | undefined
  const look = async () => {
    const askedMs = performance.now()
    const [row] = await sql<{ ms: number }[]>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`
    const answeredMs = performance.now()
    if (!row) throw new Error('the database does not tell the time')
    // It was read between the two: what lies outside is surely wrong, as after a pause of the machine.
    const isRight = aheadMs !== undefined && row.ms - answeredMs <= aheadMs && aheadMs <= row.ms - askedMs
    if (!isRight || answeredMs - askedMs <= FINE_LOOK_MS_MAX) aheadMs = row.ms - (askedMs + answeredMs) / 2
  }
  await look()
  let isLooking = false
  const timer = systemClock.every(LOOK_PERIOD_MS, () => {
    if (isLooking) return
    isLooking = true
    void look()
      .catch(onError)
      .finally(() => {
        isLooking = false
      })
  })
  return {
    nowMs: () => Math.floor((aheadMs as number) + performance.now()), // Whole, as the machine's clock tells it.
    every: (periodMs, task) => systemClock.every(periodMs, task),
    stop: () => timer.stop(),
  }
}
