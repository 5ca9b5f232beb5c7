/** The messages of an export, with what belongs to them, page by page. */

import type { Message } from '../../server/domain/entities.ts'
import type { ChannelId, MessageId, UserId } from '../../server/domain/ids.ts'
import type { Upload } from '../../server/domain/files/uploads.ts'
import type { Sql } from '../connection/connect.ts'
import { columns, type Row, toMessage } from '../messages/message-rows.ts'
import { uploadColumns } from '../files/uploads.ts'

/** Messages in one read: each may have some edits of 10,000 characters. */
const MESSAGES_PAGE = 500
/** Rows of other tables in one read. */
const ROWS_PAGE = 5_000

/** The messages that an export has. */
export interface MessageScope {
  /** Channels with all of their messages. */
  readonly channelIds: readonly ChannelId[]
  /** Channels of which only those messages are in it that one of `userIds` received, who is still subscribed. */
  readonly receivedChannelIds: readonly ChannelId[]
  /** The users whose direct messages are in it, and whose marks. */
  readonly userIds: readonly UserId[]
  /** Users all of whose messages are in it, wherever they were sent. */
  readonly senderIds: readonly UserId[]
}

/** Whether a message `m` is in an export. */
const inScope = (sql: Sql, { channelIds, receivedChannelIds, userIds, senderIds }: MessageScope) => sql`(
  m.sender_id = any(${[...senderIds]}::int[])
  or m.channel_id = any(${[...channelIds]}::int[])
  or (m.channel_id = any(${[...receivedChannelIds]}::int[]) and exists (
    select from subscription_spans s join subscription_spans present using (channel_id, user_id)
    where s.channel_id = m.channel_id and s.user_id = any(${[...userIds]}::int[])
      and coalesce(m.placed_id, m.id) > s.from_id
      and (s.until_id is null or coalesce(m.placed_id, m.id) <= s.until_id)
      and present.until_id is null))
  or exists (select from conversations c where c.id = m.conversation_id and c.user_ids && ${[...userIds]}::int[]))`

/** The messages in ascending order; in a transaction. */
export async function* readExportedMessages(sql: Sql, scope: MessageScope): AsyncGenerator<Message> {
  const hasChannels = scope.channelIds.length > 0 || scope.receivedChannelIds.length > 0
  yield* hasChannels ? readPages(sql, scope) : readPrivate(sql, scope)
}

async function* readPages(sql: Sql, scope: MessageScope): AsyncGenerator<Message> {
  for (let afterId = 0; ; ) {
    const rows = await sql<Row[]>`
      select ${columns(sql)} from messages m
      where m.id > ${afterId} and ${inScope(sql, scope)} order by m.id limit ${MESSAGES_PAGE}`
    for (const row of rows) yield toMessage(row)
    const last = rows.at(-1)
    if (rows.length < MESSAGES_PAGE || !last) return
    afterId = last.id
  }
}

/**
 * The messages of a scope without channels: few of all, which indexes of the senders and conversations find. Of a million
 * messages with 2,800 of one person, pages of all messages read each row, and this cursor reads those 2,800.
 */
async function* readPrivate(
  sql: Sql,
  { senderIds, userIds }: Pick<MessageScope, 'senderIds' | 'userIds'>,
): AsyncGenerator<Message> {
  await sql`
    declare exported_messages no scroll cursor for
      select id from messages where sender_id = any(${[...senderIds]}::int[])
      union
      select m.id from conversations c join messages m on m.conversation_id = c.id
      where c.user_ids && ${[...userIds]}::int[]
      order by id`
  for (;;) {
    const found = await sql.unsafe<{ id: MessageId }[]>(`fetch ${MESSAGES_PAGE} from exported_messages`)
    if (found.length === 0) break
    const ids = found.map(({ id }) => id)
    const rows = await sql<Row[]>`
      select ${columns(sql)} from messages m where m.id = any(${ids}::bigint[]) order by m.id`
    for (const row of rows) yield toMessage(row)
  }
  await sql`close exported_messages`
}

/** The id of the last message; 0 without one. */
export async function readLastMessageId(sql: Sql): Promise<number> {
  const [row] = await sql<{ id: number | null }[]>`select max(id) as id from messages`
  return row?.id ?? 0
}

/** Flags that a user set on a message. */
export interface ExportedMark {
  readonly userId: UserId
  readonly messageId: MessageId
  readonly flags: number
}

/** The flags of the users of a scope, on its messages. */
export async function* readExportedMarks(sql: Sql, scope: MessageScope): AsyncGenerator<ExportedMark> {
  for (let after: readonly [number, number] = [0, 0]; ; ) {
    const rows = await sql<ExportedMark[]>`
      select k.user_id as "userId", k.message_id as "messageId", k.marks as flags
      from message_marks k join messages m on m.id = k.message_id
      where k.user_id = any(${[...scope.userIds]}::int[]) and (k.user_id, k.message_id) > (${after[0]}, ${after[1]}::bigint)
        and ${inScope(sql, scope)}
      order by k.user_id, k.message_id limit ${ROWS_PAGE}`
    yield* rows
    const last = rows.at(-1)
    if (rows.length < ROWS_PAGE || !last) return
    after = [last.userId, last.messageId]
  }
}

/** The channels with messages of a user. */
export async function readChannelsOfSender(sql: Sql, userId: UserId): Promise<ChannelId[]> {
  const rows = await sql<{ id: ChannelId }[]>`
    select distinct channel_id as id from messages where sender_id = ${userId} and channel_id is not null`
  return rows.map(({ id }) => id)
}

/**
 * The files that the messages of a scope link, by id, with those messages; also other files of some owners, or of all
 * if that is undefined.
 */
export async function* readExportedFiles(
  sql: Sql,
  scope: MessageScope,
  ownerIds: readonly UserId[] | undefined,
): AsyncGenerator<Upload & { readonly messageIds: readonly MessageId[] }> {
  for (let afterId = 0; ; ) {
    const rows = await sql<(Upload & { readonly messageIds: readonly MessageId[] })[]>`
      select * from (
        select ${uploadColumns(sql)}, array(
          select m.id from message_uploads l join messages m on m.id = l.message_id
          where l.upload_id = u.id and ${inScope(sql, scope)} order by m.id)::bigint[] as "messageIds"
        from uploads u where u.state = 'whole' and u.id > ${afterId}) upload
      where ${ownerIds === undefined} or cardinality("messageIds") > 0
        or "ownerId" = any(${[...(ownerIds ?? [])]}::int[])
      order by id limit ${ROWS_PAGE}`
    yield* rows
    const last = rows.at(-1)
    if (rows.length < ROWS_PAGE || !last) return
    afterId = last.id
  }
}
