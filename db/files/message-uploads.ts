/** Links from messages to uploaded files: they let others than a file's owner read it. */

import type { EventId, MessageId, UploadId, UserId } from '../../server/domain/ids.ts'
import type { Upload } from '../../server/domain/files/uploads.ts'
import type { Sql } from '../connection/connect.ts'
import { received, type Reader } from '../messages/message-query.ts'
import { StaleMessageError } from '../messages/stale-message.ts'
import { keepHeldLinks } from '../holds/kept-files.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'

/** The parts of an upload that messages show. */
export type ShownUpload = Pick<
  Upload,
  'id' | 'path' | 'contentType' | 'width' | 'height' | 'isAnimated' | 'hasThumbnail'
>

/** The given uploads, by path, that a reader owns or that a readable message links. */
export async function findReadableUploads(
  sql: Sql,
  reader: Reader,
  paths: readonly string[],
): Promise<ShownUpload[]> {
  return sql<ShownUpload[]>`
    select u.id, u.path, u.content_type as "contentType", u.width, u.height, u.is_animated as "isAnimated",
      u.has_thumbnail as "hasThumbnail"
    from uploads u
    where u.path = any(${[...paths]}::text[]) and u.state = 'whole'
      and (u.owner_id = ${reader.userId} or exists (
        select 1 from message_uploads l join messages m on m.id = l.message_id
        where l.upload_id = u.id and m.id <= ${reader.asOf} and ${received(sql, reader)}))`
}

/** Stores a message's links; throws if one of the files is gone since the decision. */
export function linkUploads(
  writes: WriteBatch,
  messageId: InSql<MessageId | EventId>,
  uploadIds: readonly UploadId[],
): void {
  if (uploadIds.length === 0) return
  writes.change(
    writes.sql`
    insert into message_uploads (message_id, upload_id)
    select ${messageId}, id from uploads where id = any(${[...uploadIds]}::int[]) and state = 'whole'`,
    uploadIds.length,
    () => new StaleMessageError('a file that the message links is gone since'),
  )
}

/** The same for a message that may have had other links before. */
export function relinkUploads(
  writes: WriteBatch,
  messageId: MessageId,
  uploadIds: readonly UploadId[],
): void {
  keepHeldLinks(writes, writes.sql`m.id = ${messageId}`)
  writes.add(writes.sql`delete from message_uploads where message_id = ${messageId}`)
  linkUploads(writes, messageId, uploadIds)
}

/** An upload that messages link. */
export interface LinkedUploadId {
  readonly id: UploadId
  readonly ownerId: UserId
  readonly size: number
  /** Whether no other message links it. */
  readonly isLast: boolean
}

/** The uploads that some messages link, ascending. */
export async function findUploadsOf(sql: Sql, messageIds: readonly MessageId[]): Promise<LinkedUploadId[]> {
  const ids = [...messageIds]
  return sql<LinkedUploadId[]>`
    select u.id, u.owner_id as "ownerId", u.size, not exists (
      select 1 from message_uploads other
      where other.upload_id = u.id and other.message_id <> all(${ids}::bigint[])) as "isLast"
    from uploads u
    where u.id in (select upload_id from message_uploads where message_id = any(${ids}::bigint[]))
    order by u.id`
}

/** The owners of some uploads, with their uploads. */
export async function findOwners(
  sql: Sql,
  ids: readonly UploadId[],
): Promise<{ readonly ownerId: UserId; readonly ids: readonly UploadId[] }[]> {
  return sql<{ ownerId: UserId; ids: UploadId[] }[]>`
    select owner_id as "ownerId", array_agg(id) as ids from uploads
    where id = any(${[...ids]}::int[]) group by owner_id`
}

/** The given uploads that no message links, ascending. */
export async function findUnlinked(sql: Sql, ids: readonly UploadId[]): Promise<UploadId[]> {
  const rows = await sql<{ id: UploadId }[]>`
    select id from uploads u where id = any(${[...ids]}::int[])
      and not exists (select 1 from message_uploads l where l.upload_id = u.id)
    order by id`
  return rows.map(({ id }) => id)
}

/**
 * Rejects the batch unless exactly these uploads are linked by the messages and by no other: they are deleted with the
 * messages.
 */
export function requireLastLinks(
  writes: WriteBatch,
  messageIds: readonly MessageId[],
  uploadIds: readonly UploadId[],
  refusal: () => Error,
): void {
  const { sql } = writes
  const ids = sql`${[...messageIds]}::bigint[]`
  writes.require(
    sql`array(
      select distinct l.upload_id from message_uploads l
      where l.message_id = any(${ids}) and not exists (
        select from message_uploads other
        where other.upload_id = l.upload_id and other.message_id <> all(${ids}))
      order by 1) = ${[...uploadIds]}::int[]`,
    refusal,
  )
}
