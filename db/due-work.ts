/**
 * Work in tables that workers claim when its time, `due_at`, has come. A claim moves the time on and names the worker. It ends
 * with the worker's sessions (`living-workers.ts`), and at the latest when that time has come.
 *
 * A claim finds its rows in a materialized `with`. A subquery of the statement may run once for each row of the table, by a
 * plan that PostgreSQL prefers while it takes the table for empty; each run skips the rows that the one before has claimed, so
 * that one claim would take them all, whatever its limit says.
 */

import type { Sql } from './connection/connect.ts'
import { WORKER_SETTING } from './connection/worker-session.ts'
import type { Statement } from './log/write-batch.ts'

/** The assignments of a claim, besides counting: no other worker takes the rows for that time. */
export const claimedFor = (sql: Sql, seconds: number) => sql`
  due_at = now() + ${seconds} * interval '1 second',
  claimed_by = nullif(current_setting(${WORKER_SETTING}, true), '')::int`

/** The assignments that end the claim of work that is tried again after some seconds. */
export const dueAgainIn = (sql: Sql, seconds: number) => sql`
  due_at = now() + ${seconds} * interval '1 second', claimed_by = null`

/** The assignments that end the claim of work that is done, or waits for an occasion. */
export const dueNever = (sql: Sql) => sql`due_at = null, claimed_by = null`

/** The time of the next due work, for a timer. */
export interface NextDue {
  /** Milliseconds of UNIX time. */
  readonly atMs: number
  /** Milliseconds until then, by the database's clock. */
  readonly delayMs: number
}

/** When the next of some rows is due; undefined for none. `rows` is a table, with a condition for those that wait. */
export async function findNextDue(sql: Sql, rows: Statement): Promise<NextDue | undefined> {
  const [row] = await sql<{ atMs: number | null; delayMs: number }[]>`
    select ceil(extract(epoch from min(due_at)) * 1000)::float8 as "atMs",
      greatest(0, ceil(extract(epoch from min(due_at) - clock_timestamp()) * 1000))::float8 as "delayMs"
    from ${rows}`
  return row && row.atMs !== null ? { atMs: row.atMs, delayMs: row.delayMs } : undefined
}
