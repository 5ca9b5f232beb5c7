/** Work in tables that workers claim when its time, `due_at`, has come. */

import type { Sql } from './connection/connect.ts'
import type { Statement } from './log/write-batch.ts'

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
