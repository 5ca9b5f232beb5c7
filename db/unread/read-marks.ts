/** Read marks: how far a user has read each place, with exceptions; and starred and collapsed messages. */

import type { FlagsChanged } from '../../server/domain/events/messages.ts'
import type { ChannelId, EventId, MessageId, UserId } from '../../server/domain/ids.ts'
import { MESSAGE_FLAGS } from '../../server/domain/messages/message-flags.ts'
import { EVERYWHERE, type Place } from '../../server/domain/messages/places.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import { readLastEventId } from '../log/event-log.ts'
import { loadMutings, type MutingSpan } from '../personal/mutings.ts'
import { type Reader as MessageReader, received } from '../messages/message-query.ts'
import { loadSpans, type SubscriptionSpan } from '../organization/subscriptions.ts'
import { wakeForRead } from '../notifications/wake-workers.ts'
import { placeOfMessage, UNREAD_MAX } from './unread.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'

/** How far a user has read one place. */
export interface ReadMark {
  readonly place: Place
  readonly throughId: EventId
  readonly readIds: readonly MessageId[]
  readonly unreadIds: readonly MessageId[]
}

/** The rows that determine a user's message flags, as of an event. */
export interface ReaderRows {
  readonly asOf: EventId
  readonly spans: readonly SubscriptionSpan[]
  readonly marks: readonly ReadMark[]
  readonly mutings: readonly MutingSpan[]
  /** Starred and collapsed messages. */
  readonly chosen: readonly { readonly messageId: MessageId; readonly flags: number }[]
}

/** Loads them in one snapshot. */
export async function loadReader(sql: Sql, userId: UserId): Promise<ReaderRows> {
  return sql.begin('isolation level repeatable read read only', async (tx) => ({
    asOf: await readLastEventId(tx),
    spans: await loadSpans(tx, userId, -1 as EventId),
    mutings: await loadMutings(tx, userId, -1 as EventId),
    marks: await tx<ReadMark[]>`
      select place, through_id as "throughId", read_ids as "readIds", unread_ids as "unreadIds"
      from read_marks where user_id = ${userId}`,
    chosen: await tx<{ messageId: MessageId; flags: number }[]>`
      select message_id as "messageId", marks as flags from message_marks where user_id = ${userId}`,
  })) as Promise<ReaderRows>
}

/** The messages that a reader has starred and may still read, ascending. */
export async function readStarred(sql: Sql, reader: MessageReader): Promise<MessageId[]> {
  const rows = await sql<{ id: MessageId }[]>`
    select m.id from message_marks k join messages m on m.id = k.message_id
    where k.user_id = ${reader.userId} and k.marks & ${MESSAGE_FLAGS.starred} <> 0 and ${received(sql, reader)}
    order by m.id`
  return rows.map(({ id }) => id)
}

/** Stores flags that a user set or removed. */
export function storeFlags(writes: WriteBatch, id: InSql<EventId>, event: FlagsChanged): void {
  const { userId, op, flag, messages, isAll } = event
  if (flag !== 'read') {
    const ids = messages.flatMap(({ messageIds }) => messageIds)
    return op === 'add'
      ? addMark(writes, userId, ids, MESSAGE_FLAGS[flag])
      : removeMark(writes, userId, ids, MESSAGE_FLAGS[flag])
  }
  if (op === 'add') wakeForRead(writes, userId)
  if (isAll) return markAll(writes, userId, id)
  const { sql } = writes
  // As text: nested arrays would need equal lengths.
  const places = JSON.stringify(messages)
  if (op === 'remove') {
    writes.add(sql`insert into read_marks as r (user_id, place, unread_ids)
      select ${userId}, place, "messageIds" from ${placesOf(sql, places)}
      on conflict (user_id, place) do update set
        unread_ids = array(select unnest(r.unread_ids) union select unnest(excluded.unread_ids)
          order by 1 desc limit ${UNREAD_MAX}),
        read_ids = array(select unnest(r.read_ids) except select unnest(excluded.unread_ids))`)
    return
  }
  writes.add(sql`insert into read_marks as r (user_id, place, read_ids)
    select ${userId}, place, "messageIds" from ${placesOf(sql, places)}
    on conflict (user_id, place) do update set
      unread_ids = array(select unnest(r.unread_ids) except select unnest(excluded.read_ids)),
      read_ids = array(select unnest(r.read_ids) union
        select e from unnest(excluded.read_ids) e where e > r.through_id)`)
}

const placesOf = (sql: Sql | Transaction, places: string) =>
  sql`json_to_recordset(${places}::text::json) as p (place bigint, "messageIds" bigint[])`

function markAll(writes: WriteBatch, userId: UserId, throughId: InSql<EventId>): void {
  writes.add(writes.sql`delete from read_marks where user_id = ${userId}`)
  writes.add(
    writes.sql`insert into read_marks (user_id, place, through_id) values (${userId}, ${EVERYWHERE}, ${throughId})`,
  )
}

function addMark(writes: WriteBatch, userId: UserId, ids: readonly MessageId[], mark: number) {
  writes.add(writes.sql`insert into message_marks as k (user_id, message_id, marks)
    select ${userId}, m.id, ${mark} from messages m where m.id = any(${[...ids]}::bigint[])
    on conflict (user_id, message_id) do update set marks = k.marks | excluded.marks`)
}

function removeMark(writes: WriteBatch, userId: UserId, ids: readonly MessageId[], mark: number) {
  writes.add(writes.sql`update message_marks set marks = marks & ~${mark}::int
    where user_id = ${userId} and message_id = any(${[...ids]}::bigint[])`)
  writes.add(writes.sql`delete from message_marks
    where user_id = ${userId} and message_id = any(${[...ids]}::bigint[]) and marks = 0`)
}

/** Removes stars and collapsed marks of messages that users may no longer read. */
export function forgetMarks(
  writes: WriteBatch,
  messageIds: readonly MessageId[],
  userIds: readonly UserId[],
): void {
  writes.add(writes.sql`delete from message_marks
    where message_id = any(${[...messageIds]}::bigint[]) and user_id = any(${[...userIds]}::int[])`)
}

/** Users who leave channels have no unread messages there any more, even those that they marked unread. */
export function forgetUnread(
  writes: WriteBatch,
  channelIds: readonly ChannelId[],
  userIds: readonly UserId[],
): void {
  writes.add(writes.sql`update read_marks set unread_ids = array(
      select e from unnest(unread_ids) e where not exists (
        select 1 from messages m where m.id = e and m.channel_id = any(${[...channelIds]}::int[])))
    where user_id = any(${[...userIds]}::int[]) and unread_ids <> '{}'`)
}

/**
 * After a move to a channel, users who are not subscribed there have the messages unread no more, as if they had left.
 */
export function forgetMovedUnread(
  writes: WriteBatch,
  messageIds: readonly MessageId[],
  channelId: ChannelId,
): void {
  const ids = writes.sql`${[...messageIds]}::bigint[]`
  writes.add(writes.sql`update read_marks r set unread_ids = array(select unnest(r.unread_ids) except select unnest(${ids}))
    where r.place in (select ${placeOfMessage(writes.sql)} from messages m where m.id = any(${ids}))
      and r.unread_ids && ${ids} and not exists (select 1 from subscription_spans s
        where s.user_id = r.user_id and s.channel_id = ${channelId} and s.until_id is null)`)
}
