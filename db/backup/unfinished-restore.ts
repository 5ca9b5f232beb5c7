/** Marks a database into which a backup is being restored: until that is done, no process may use it. */

import type { ReservedSql, Sql, Transaction } from '../connection/connect.ts'

/** Marks the database; a restore that did not finish may have left its mark. */
export async function markRestoring(sql: Sql | Transaction): Promise<void> {
  await sql`create table if not exists unfinished_restore (started_at timestamptz not null default now())`
}

/** Removes the mark, in the transaction that makes the restored rows visible. */
export async function unmarkRestoring(tx: Transaction): Promise<void> {
  await tx`drop table if exists unfinished_restore`
}

/** Whether a restore is running, or did not finish. */
export async function isRestoring(sql: Sql | Transaction | ReservedSql): Promise<boolean> {
  const [row] = await sql<{ exists: boolean }[]>`
    select to_regclass('unfinished_restore') is not null as exists`
  return row?.exists === true
}
