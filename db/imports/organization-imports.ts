/** Imports by owners: their rows, their archives, and the reports of the worker. */

import type { ImportId } from '../../server/domain/ids.ts'
import { IMPORTS_LISTED_MAX } from '../../server/domain/limits.ts'
import {
  type ChangedImport,
  isImportOver,
  type OrganizationImport,
} from '../../server/domain/organization/imports.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** The channel of the database on which work for an import is announced. */
export const IMPORT_NOTICE = 'parley_imports'
/** The advisory lock of the worker that imports. */
const IMPORT_LOCK = 7_203_552_003

/** Adds or changes an import. Once it is over, its archive is removed later, and the part of one that is still arriving. */
export function storeImport(writes: WriteBatch, one: ChangedImport): void {
  const { sql } = writes
  const { id, userId, product, fileName, isFetching, isKeepingRoles, channelNames, requestedAt, state } = one
  const isOver = isImportOver(one)
  if (isOver)
    writes.add(sql`
      with gone as (delete from tus_uploads where import_id = ${id} and reply is null returning key)
      insert into removed_files (key)
      select key from (
        select key from gone
        union select state -> 'archive' ->> 'key' from organization_imports where id = ${id}
      ) archives where key is not null
      on conflict do nothing`)
  writes.add(sql`
    insert into organization_imports as known
      (id, user_id, product, file_name, is_fetching, is_keeping_roles, channel_names, requested_at, state)
    values (${id}, ${userId}, ${product}, ${fileName}, ${isFetching}, ${isKeepingRoles},
      ${sql.json((channelNames ?? []) as never)}, ${requestedAt}, ${sql.json(state as never)})
    on conflict (id) do update set state = excluded.state,
      channel_names = case when ${channelNames === undefined} then known.channel_names else excluded.channel_names end,
      tries = case when known.state ->> 'phase' = excluded.state ->> 'phase' then known.tries else 0 end`)
  writes.add(sql`delete from organization_imports where id <= ${id - IMPORTS_LISTED_MAX}`)
  const isWork = state.phase === 'checking' || state.phase === 'running'
  if (isWork && state.progress.step === 'starting') writes.add(sql`select pg_notify(${IMPORT_NOTICE}, '')`)
}

/** All imports, by id. */
export async function loadImports(sql: Sql | Transaction): Promise<OrganizationImport[]> {
  const rows = await sql<OrganizationImport[]>`
    select id, user_id as "userId", product, file_name as "fileName", is_fetching as "isFetching",
      is_keeping_roles as "isKeepingRoles", channel_names as "channelNames", requested_at as "requestedAt", state
    from organization_imports order by id`
  return [...rows] // Only the rows, without the driver's result metadata.
}

/** Whether an import waits for a worker, or was left alone since a time in UNIX seconds, by its phase. */
export async function hasImportWork(
  sql: Sql,
  { waitingSince, checkedSince }: { readonly waitingSince: number; readonly checkedSince: number },
): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`
    select exists (select from organization_imports where state ->> 'phase' in ('checking', 'running')
      or state ->> 'phase' = 'waiting' and (state ->> 'at')::bigint < ${waitingSince}
      or state ->> 'phase' = 'checked' and (state ->> 'at')::bigint < ${checkedSince}) as has`
  return row?.has === true
}

/** Locks the imports for as long as the connection lasts; returns whether nobody else has it. */
export async function tryImportLock(sql: Sql | Transaction): Promise<boolean> {
  const [row] = await sql<{ isLocked: boolean }[]>`select pg_try_advisory_lock(${IMPORT_LOCK}) as "isLocked"`
  return row?.isLocked === true
}

/** Begins a run of an import; returns its number within the phase. */
export async function beginImport(sql: Sql, id: ImportId): Promise<number> {
  const [row] = await sql<{ tries: number }[]>`
    update organization_imports set tries = tries + 1 where id = ${id} returning tries`
  return row?.tries ?? 0
}

/** Takes the last run of an import back: it stopped with its process, and nothing failed. */
export async function takeBackTry(sql: Sql, id: ImportId): Promise<void> {
  await sql`update organization_imports set tries = tries - 1 where id = ${id} and tries > 0`
}

/** Stores what would come over (`plan`), or what came (`report`). */
export async function storeImportReport(
  sql: Sql,
  id: ImportId,
  kind: 'plan' | 'report',
  report: object,
): Promise<void> {
  await sql`update organization_imports set ${sql(kind)} = ${sql.json(report as never)} where id = ${id}`
}

/** The last report of an import; undefined if there is none yet. */
export async function readImportReport(sql: Sql, id: ImportId): Promise<object | undefined> {
  const [row] = await sql<{ report: object | null }[]>`
    select coalesce(report, plan) as report from organization_imports where id = ${id}`
  return row?.report ?? undefined
}

/** The upload that brings the archive of an import, with its bytes if they are declared; undefined if none has begun. */
export async function findArchiveUpload(
  sql: Sql,
  id: ImportId,
): Promise<{ readonly key: string; readonly size: number | null } | undefined> {
  const [row] = await sql<{ key: string; size: number | null }[]>`
    select key, size from tus_uploads where import_id = ${id} and reply is null order by created_at desc limit 1`
  return row
}
