/** The database's time, as each process estimates it: due times and ages do not depend on a machine's clock. */

import type { Sql } from '../../db/connection/connect.ts'
import { type Clock, systemClock } from '../domain/clock.ts'

/** Milliseconds between comparisons: steady clocks drift by less than a tenth of a millisecond meanwhile. */
const LOOK_PERIOD_MS = 1_000
/** A slower comparison is less precise than the estimate. */
const FINE_LOOK_MS_MAX = 10

/** A clock that follows the database's. */
export interface DatabaseClock extends Clock {
  stop(): void
}

/** Reads the clock, and compares again each second; `onError` receives failures, after which comparisons continue. */
export async function openDatabaseClock(sql: Sql, onError: (error: unknown) => void): Promise<DatabaseClock> {
  /** The database's time minus this process's steady clock. */
  let aheadMs: number | undefined
  const look = async () => {
    const askedMs = performance.now()
    const [row] = await sql<{ ms: number }[]>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`
    const answeredMs = performance.now()
    if (!row) throw new Error('the database does not tell the time')
    // The database read its clock between the two times. An estimate outside is wrong, for example after a pause of the
    // machine.
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
    nowMs: () => Math.floor((aheadMs as number) + performance.now()), // Whole milliseconds, like the machine's clock.
    every: (periodMs, task) => systemClock.every(periodMs, task),
    stop: () => timer.stop(),
  }
}
