/** Exports of the organization and of people's own data, and the work for them. */

import type { ExportId } from '../../server/domain/ids.ts'
import { EXPORTS_LISTED_MAX } from '../../server/domain/limits.ts'
import { EXPORT_WEEK_SECONDS, type OrganizationExport } from '../../server/domain/organization/exports.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** The channel of the database on which a pending export is announced. */
export const EXPORT_NOTICE = 'parley_exports'
/** The advisory lock of the worker that makes exports: one at a time, since each reads everything. */
const EXPORT_LOCK = 7_203_552_002

/** Adds or changes an export. The bytes of a deleted one are removed later. */
export function storeExport(
  writes: WriteBatch,
  { id, userId, kind, requestedAt, outcome }: OrganizationExport,
): void {
  const { sql } = writes
  writes.add(sql`
    insert into removed_files (key)
    select outcome ->> 'key' from organization_exports
    where id = ${id} and outcome ->> 'key' is not null and ${outcome.phase === 'deleted'}
    on conflict do nothing`)
  writes.add(sql`
    insert into organization_exports (id, user_id, kind, requested_at, outcome)
    values (${id}, ${userId}, ${kind}, ${requestedAt}, ${sql.json(outcome as never)})
    on conflict (id) do update set outcome = excluded.outcome`)
  writes.add(sql`
    delete from organization_exports
    where id <= ${id - EXPORTS_LISTED_MAX} and outcome ->> 'phase' not in ('pending', 'done')
      and requested_at <= ${requestedAt - EXPORT_WEEK_SECONDS}`)
  if (outcome.phase === 'pending')
    writes.add(sql`
      with work as (insert into export_work (export_id) values (${id}) on conflict do nothing)
      select pg_notify(${EXPORT_NOTICE}, '')`)
  else writes.add(sql`delete from export_work where export_id = ${id}`)
}

/** All exports, by id. */
export async function loadExports(sql: Sql | Transaction): Promise<OrganizationExport[]> {
  const rows = await sql<OrganizationExport[]>`
    select id, user_id as "userId", kind, requested_at as "requestedAt", outcome
    from organization_exports order by id`
  return [...rows] // Only the rows, without the driver's result metadata.
}

/** Whether an export waits, or has an archive from before a time in UNIX seconds. */
export async function hasExportWork(sql: Sql, before: number): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`
    select exists (select from organization_exports where outcome ->> 'phase' = 'pending'
      or (outcome ->> 'doneAt')::bigint < ${before}) as has`
  return row?.has === true
}

/** Locks the making of exports for as long as the connection lasts; returns whether nobody else has it. */
export async function tryExportLock(sql: Sql | Transaction): Promise<boolean> {
  const [row] = await sql<{ isLocked: boolean }[]>`select pg_try_advisory_lock(${EXPORT_LOCK}) as "isLocked"`
  return row?.isLocked === true
}

/** Begins a run of an export that writes to a key; returns its number. The bytes of the former run are removed later. */
export async function beginExport(sql: Sql, id: ExportId, key: string): Promise<number> {
  await sql`
    insert into removed_files (key)
    select file_key from export_work where export_id = ${id} and file_key is not null on conflict do nothing`
  const [row] = await sql<{ tries: number }[]>`
    update export_work set tries = tries + 1, file_key = ${key}, progress = 0
    where export_id = ${id} returning tries`
  return row?.tries ?? 0
}

/** Notes how far the messages are written, from 0 to 1. */
export async function noteProgress(sql: Sql, id: ExportId, progress: number): Promise<void> {
  await sql`update export_work set progress = ${progress} where export_id = ${id}`
}

/** The progress of the pending exports, from 0 to 1. */
export async function readProgress(sql: Sql): Promise<ReadonlyMap<ExportId, number>> {
  const rows = await sql<{ id: ExportId; progress: number }[]>`
    select export_id as id, progress from export_work`
  return new Map(rows.map(({ id, progress }) => [id, progress]))
}
