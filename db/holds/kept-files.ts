/** Files that are held: their bytes stay when they are removed. */

import type { HoldId, MessageId, UploadId, UserId } from '../../server/domain/ids.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { Statement, WriteBatch } from '../log/write-batch.ts'
import { hasHolds, isKeptHeld, isMessageHeld, isOwnerHeld } from './legal-holds.ts'

/** Files in one read. */
const FILES_PAGE = 1_000

/** The name that the file store has for an upload `u`. */
const keyOf = (sql: Sql | Transaction) => sql`split_part(u.path, '/', 2) || '/' || split_part(u.path, '/', 3)`

/** Notes the files that held messages `m` link, before a link ends by an edit or a deletion. */
export function keepHeldLinks(writes: WriteBatch, condition: Statement): void {
  const { sql } = writes
  writes.add(sql`
    insert into kept_links (message_id, key)
    select m.id, ${keyOf(sql)}
    from messages m join message_uploads l on l.message_id = m.id join uploads u on u.id = l.upload_id
    where ${condition} and ${hasHolds(sql)} and ${isMessageHeld(sql)}
    on conflict do nothing`)
}

/** Keeps an upload that is removed if a held message links it, or did, or its owner is held. */
export function keepHeldFile(writes: WriteBatch, id: UploadId): void {
  const { sql } = writes
  keepHeldLinks(writes, sql`u.id = ${id}`)
  writes.add(sql`
    insert into kept_files (key, upload_id, path, name, content_type, size, owner_id, created_at)
    select ${keyOf(sql)}, u.id, u.path, u.name, u.content_type, u.size, u.owner_id, u.created_at
    from uploads u
    where u.id = ${id} and u.state = 'whole' and ${hasHolds(sql)}
      and (exists (select from kept_links l where l.key = ${keyOf(sql)}) or ${isOwnerHeld(sql, sql`u.owner_id`)})`)
}

/** The key, path and size of every kept file. */
export async function* readKeptFiles(
  sql: Sql,
): AsyncGenerator<{ readonly key: string; readonly path: string; readonly size: number }> {
  for (let afterKey = ''; ; ) {
    const rows = await sql<{ key: string; path: string; size: number }[]>`
      select key, path, size from kept_files where key > ${afterKey} order by key limit ${FILES_PAGE}`
    yield* rows
    const last = rows.at(-1)
    if (rows.length < FILES_PAGE || !last) return
    afterKey = last.key
  }
}

/** Whether a file at a path is kept. */
export async function isFileKept(sql: Sql, path: string): Promise<boolean> {
  const found = await sql`select from kept_files where path = ${path}`
  return found.count > 0
}

/** A file that a hold holds. */
export interface HeldFile {
  readonly key: string
  readonly id: UploadId
  readonly path: string
  readonly name: string
  readonly contentType: string
  readonly size: number
  readonly ownerId: UserId
  /** In UNIX seconds. */
  readonly createdAt: number
  /** The messages that link it, or did before an edit or their deletion. */
  readonly messageIds: readonly MessageId[]
  /** Whether people removed it. */
  readonly isRemoved: boolean
}

/**
 * The files that a hold holds: those that are there, and those that are only kept; in a transaction. A cursor looks at each
 * file once: pages by key would look at all of the others each time.
 */
export async function* readHeldFiles(sql: Sql, holdId: HoldId): AsyncGenerator<HeldFile> {
  await sql`
    declare held_files no scroll cursor for
    with file as (
      select ${keyOf(sql)} as key, u.id, u.path, u.name, u.content_type, u.size, u.owner_id, u.created_at,
        false as is_removed
      from uploads u where u.state = 'whole'
      union all
      select key, upload_id, path, name, content_type, size, owner_id, created_at, true from kept_files),
    held as (
      select f.*, ${isOwnerHeld(sql, sql`f.owner_id`, holdId)} as is_of_held,
        array(
          select m.id from message_uploads l join messages m on m.id = l.message_id
          where l.upload_id = f.id and ${isMessageHeld(sql, holdId)}
          union
          select m.id from kept_links l join messages m on m.id = l.message_id
          where l.key = f.key and ${isMessageHeld(sql, holdId)}
          union
          select k.id from kept_links l join kept_messages k on k.id = l.message_id
          where l.key = f.key and ${isKeptHeld(sql, holdId)}
          order by 1)::bigint[] as message_ids
      from file f)
    select key, id, path, name, content_type as "contentType", size, owner_id as "ownerId",
      extract(epoch from created_at)::float8 as "createdAt", message_ids as "messageIds", is_removed as "isRemoved"
    from held where is_of_held or cardinality(message_ids) > 0`
  for (;;) {
    const rows = await sql.unsafe<HeldFile[]>(`fetch ${FILES_PAGE} from held_files`)
    yield* rows
    if (rows.length < FILES_PAGE) break
  }
  await sql`close held_files`
}
