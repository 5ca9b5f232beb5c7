/** Metadata of uploaded files, and of bytes to remove. */

import type { UploadId, UserId } from '../../server/domain/ids.ts'
import { keyOfPath, type LinkingMessage, type Upload } from '../../server/domain/files/uploads.ts'
import { removalMayRun } from '../backup/backup-snapshot.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import { received, type Reader } from '../messages/message-query.ts'
import { keepHeldFile, readKeptFiles } from '../holds/kept-files.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** An upload does not exist, or belongs to another user. */
export class MissingUploadError extends Error {
  override readonly name = 'MissingUploadError'
}

/** An upload with the messages that link it. */
export interface LinkedUpload extends Upload {
  /** The messages that its owner may read, ascending; only the newest of very many. */
  readonly messages: readonly LinkingMessage[]
}

/** Messages sent with one upload, each time that another message links it. */
const MESSAGES_LISTED_MAX = 1_000

/** The advisory lock of a move of all files. */
const MOVE_LOCK = 7_203_552_001

/** A file before its bytes have arrived. */
export interface Arrival {
  readonly ownerId: UserId
  readonly path: string
  readonly name: string
}

export const uploadColumns = (sql: Sql | Transaction) => sql`u.id, u.owner_id as "ownerId", u.path, u.name,
  u.content_type as "contentType", u.size, extract(epoch from u.created_at)::float8 as "createdAt", u.width, u.height,
  u.is_animated as "isAnimated", u.has_thumbnail as "hasThumbnail"`

/** The part of an upload's path that every link to it contains, however its name is written. */
const randomOf = (sql: Sql | Transaction) => sql`split_part(u.path, '/', 3)`

/** Records a file before its bytes arrive, so that they can be found after a failure; repeating it changes nothing. */
export async function noteArrival(sql: Sql, { ownerId, path, name }: Arrival): Promise<UploadId> {
  const [row] = await sql<{ id: UploadId }[]>`
    insert into uploads (owner_id, path, name) values (${ownerId}, ${path}, ${name})
    on conflict (path) do update set name = uploads.name
    returning id`
  if (!row) throw new Error('the arrival of a file was not noted')
  return row.id
}

/** Abandons an incomplete file: its bytes are removed later. Returns whether it existed. */
export async function giveUpArrival(sql: Sql, path: string): Promise<boolean> {
  const given = await sql`
    with gone as (delete from uploads where path = ${path} and state = 'arriving' returning path)
    insert into removed_files (key) select ${keyOfPath(path)} from gone on conflict do nothing`
  return given.count > 0
}

/** Completes an arrival. */
export function storeUpload(writes: WriteBatch, upload: Upload): void {
  const { id, ownerId, path, contentType, size, createdAt, width, height, isAnimated, hasThumbnail } = upload
  writes.change(
    writes.sql`
    update uploads set state = 'whole', name = ${upload.name}, content_type = ${contentType}, size = ${size},
      created_at = to_timestamp(${createdAt}::float8), width = ${width}, height = ${height},
      is_animated = ${isAnimated}, has_thumbnail = ${hasThumbnail}
    where id = ${id} and owner_id = ${ownerId} and path = ${path} and state = 'arriving'`,
    1,
    () => new MissingUploadError(`upload ${id} is no arrival of user ${ownerId}`),
  )
}

/** Removes an upload; its bytes are removed later, unless it is held. */
export function removeUpload(writes: WriteBatch, id: UploadId, ownerId: UserId): void {
  keepHeldFile(writes, id)
  writes.add(
    writes.sql`
      with gone as (
        delete from uploads where id = ${id} and owner_id = ${ownerId} and state = 'whole' returning path
      ), removed as (
        insert into removed_files (key)
        select split_part(path, '/', 2) || '/' || split_part(path, '/', 3) from gone
        where not exists (select from kept_files where upload_id = ${id}) on conflict do nothing)
      select refuse_write() where not exists (select from gone)`,
    () => new MissingUploadError(`user ${ownerId} has no upload ${id}`),
  )
}

/** An upload by its path. */
export async function findUpload(sql: Sql | Transaction, path: string): Promise<Upload | undefined> {
  const [upload] = await sql<Upload[]>`
    select ${uploadColumns(sql)} from uploads u where u.path = ${path} and u.state = 'whole'`
  return upload
}

/** An upload by its id. */
export async function findUploadById(sql: Sql | Transaction, id: UploadId): Promise<Upload | undefined> {
  const [upload] = await sql<Upload[]>`
    select ${uploadColumns(sql)} from uploads u where u.id = ${id}::bigint and u.state = 'whole'`
  return upload
}

/** Uploads by their ids, after one of them. */
export async function readUploadsAfter(sql: Sql, id: number, countMax: number): Promise<Upload[]> {
  return sql<Upload[]>`
    select ${uploadColumns(sql)} from uploads u where u.id > ${id} and u.state = 'whole' order by u.id limit ${countMax}`
}

/** Locks the move of all files for as long as the connection lasts; returns whether nobody else has it. */
export async function tryMoveLock(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ isLocked: boolean }[]>`select pg_try_advisory_lock(${MOVE_LOCK}) as "isLocked"`
  return row?.isLocked === true
}

/** Whether a message that a reader may read links an upload. */
export async function isLinkedFor(sql: Sql, id: UploadId, reader: Reader): Promise<boolean> {
  const [row] = await sql<{ isLinked: boolean }[]>`
    select exists (
      select 1 from message_uploads l join messages m on m.id = l.message_id
      where l.upload_id = ${id}::bigint and m.id <= ${reader.asOf} and ${received(sql, reader)}) as "isLinked"`
  return row?.isLinked === true
}

/** A reader's uploads, newest first; only those with the given ids, if any. */
export async function readUploads(
  sql: Sql,
  reader: Reader,
  onlyIds?: readonly UploadId[],
): Promise<LinkedUpload[]> {
  return sql<LinkedUpload[]>`
    select ${uploadColumns(sql)}, coalesce((
      select json_agg(json_build_object('id', newest.id, 'sentAt', newest.sent_at) order by newest.id)
      from (
        select m.id, m.sent_at from message_uploads l join messages m on m.id = l.message_id
        where l.upload_id = u.id and m.id <= ${reader.asOf} and ${received(sql, reader)}
        order by m.id desc limit ${MESSAGES_LISTED_MAX}) newest), '[]') as messages
    from uploads u
    where u.owner_id = ${reader.userId} and u.state = 'whole'
      ${onlyIds === undefined ? sql`` : sql`and u.id = any(${[...onlyIds]}::int[])`}
    order by u.id desc`
}

/** Rows in one read of all files. */
const FILES_PAGE = 1_000

/** The key and the size of every file, also of those that are only kept for a legal hold. */
export async function* readWholeUploads(
  sql: Sql,
): AsyncGenerator<{ readonly key: string; readonly size: number }> {
  for (let afterId: number | undefined = 0; afterId !== undefined; ) {
    const rows: readonly { id: UploadId; path: string; size: number }[] = await sql<
      { id: UploadId; path: string; size: number }[]
    >`
      select id, path, size from uploads where state = 'whole' and id > ${afterId} order by id limit ${FILES_PAGE}`
    for (const { path, size } of rows) yield { key: keyOfPath(path), size }
    afterId = rows.length < FILES_PAGE ? undefined : rows.at(-1)?.id
  }
  // After the others: a file that is removed meanwhile comes from the one list to the other.
  for await (const file of readKeptFiles(sql)) yield file
}

/** Bytes of all uploads. */
export async function readSpaceUsed(sql: Sql | Transaction): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select coalesce(sum(size), 0)::bigint as bytes from uploads where state = 'whole'`
  return row?.bytes ?? 0
}

/**
 * Uploads from before a time that no message links, oldest first. Excludes uploads in their owner's unsent messages,
 * which only the owner can read.
 */
export async function findUnusedUploads(
  sql: Sql | Transaction,
  before: Date,
  countMax: number,
): Promise<Upload[]> {
  return sql<Upload[]>`
    select ${uploadColumns(sql)} from uploads u
    where ${isUnused(sql, before)}
    order by u.created_at, u.id limit ${countMax}`
}

/** Whether an upload `u` is from before a time, and neither a message nor an unsent message of its owner links it. */
const isUnused = (sql: Sql | Transaction, before: Date) => sql`u.created_at < ${before} and u.state = 'whole'
  and not exists (select from message_uploads l where l.upload_id = u.id)
  and not exists (select from scheduled_messages s
    where s.user_id = u.owner_id and s.sent_id is null and position(${randomOf(sql)} in s.content) > 0)
  and not exists (select from drafts d where d.user_id = u.owner_id and position(${randomOf(sql)} in d.content) > 0)
  and not exists (select from saved_snippets n
    where n.user_id = u.owner_id and position(${randomOf(sql)} in n.content) > 0)`

/** An upload is in use that was unused when it was checked. */
export class UploadInUseError extends Error {
  override readonly name = 'UploadInUseError'
}

/**
 * Rejects the batch if one of some uploads is in use by now, or if the total size of uploads differs from the one that
 * was read.
 */
export function requireUnused(
  writes: WriteBatch,
  ids: readonly UploadId[],
  before: Date,
  spaceUsed: number,
): void {
  const { sql } = writes
  writes.require(
    sql`${ids.length} = (select count(*) from uploads u where u.id = any(${[...ids]}::int[]) and ${isUnused(sql, before)})
      and ${spaceUsed} = (select coalesce(sum(size), 0) from uploads where state = 'whole')`,
    () => new UploadInUseError('an upload is used since it was looked at'),
  )
}

/** Abandons arrivals that began before a time; returns their number. */
export async function giveUpOldArrivals(sql: Sql, before: Date, countMax: number): Promise<number> {
  const given = await sql`
    with old as materialized (
      select id from uploads where created_at < ${before} and state = 'arriving'
      order by created_at limit ${countMax} for update skip locked
    ), gone as (
      delete from uploads where id in (select id from old) returning path
    )
    insert into removed_files (key)
      select split_part(path, '/', 2) || '/' || split_part(path, '/', 3) as key from gone
      order by key on conflict do nothing`
  return given.count
}

/** Records files for removal that neither a file nor an upload in progress names; returns their number. */
export async function recordStrayFiles(sql: Sql, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0
  const recorded = await sql`
    insert into removed_files (key)
    select stray.key from unnest(${[...keys]}::text[]) as stray (key)
    where not exists (
        select from uploads u where split_part(u.path, '/', 2) || '/' || split_part(u.path, '/', 3) = stray.key)
      and not exists (select from kept_files k where k.key = stray.key)
      and not exists (select from tus_uploads t where t.key = stray.key)
      and not exists (select from export_work w where w.file_key = stray.key)
      and not exists (select from organization_exports e where e.outcome ->> 'key' = stray.key)
      and not exists (select from organization_imports i where i.state -> 'archive' ->> 'key' = stray.key)
    order by stray.key on conflict do nothing`
  return recorded.count
}

/** Keys of bytes to remove; none while a backup runs, which may need them. */
export async function findRemovedFiles(sql: Sql, countMax: number): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select key from removed_files where ${removalMayRun(sql)} order by removed_at, key limit ${countMax}`
  return rows.map(({ key }) => key)
}

/** Deletes the record of removed bytes. */
export async function deleteFileRecord(sql: Sql, key: string): Promise<void> {
  await sql`delete from removed_files where key = ${key}`
}
