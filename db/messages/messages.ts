/** Writes messages, and the send marks that identify a retry. `message-pages.ts` reads pages. */

import type { MessageSent } from '../../server/domain/events/messages.ts'
import type { ChannelId, EventId, MessageId, UserId } from '../../server/domain/ids.ts'
import type { Mention } from '../../server/domain/messages/message-flags.ts'
import type { Sql } from '../connection/connect.ts'
import { linkUploads } from '../files/message-uploads.ts'
import { storeWaiting } from './link-previews.ts'
import { storePending } from '../notifications/pending-notifications.ts'
import { storeOpening } from './submessages.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'

export function storeMessage(writes: WriteBatch, id: InSql<EventId>, message: MessageSent): void {
  const { mentions = [], isForAll = false, uploadIds = [] } = message
  writes.add(writes.sql`insert into messages (id, channel_id, conversation_id, topic, sender_id, content, rendered, sent_at,
      client, read_by_id, unread_for, mentions, is_for_all)
    values (${id}, ${message.channelId}, ${message.conversationId}, ${message.topic}, ${message.senderId},
      ${message.content}, ${message.rendered}, (select stamped_at from event_counter), ${message.client}, ${message.readById}, ${message.unreadFor ? [...message.unreadFor] : null}::int[],
      ${mentions.length === 0 ? null : writes.sql.json(mentions as never)}, ${isForAll})`)
  if (mentions.length > 0) storeMentions(writes, id, mentions)
  linkUploads(writes, id, uploadIds)
  if (message.submessage !== undefined) storeOpening(writes, id, message.senderId, message.submessage)
  storePending(writes, id, message.pending)
  storeWaiting(writes, id, message.links)
  if (message.localId === null || message.queueId === null) return
  writes.add(writes.sql`insert into message_sends (sender_id, queue_id, local_id, message_id)
    values (${message.senderId}, ${message.queueId}, ${message.localId}, ${id})`)
}

/** Stores index rows from mentioned and alerted users to a message. */
export function storeMentions(
  writes: WriteBatch,
  id: InSql<EventId | MessageId>,
  mentions: readonly Mention[],
): void {
  writes.add(writes.sql`insert into mentions (user_id, message_id, flags)
    select u, ${id}, f::smallint from unnest(${mentions.map(([userId]) => userId)}::int[],
      ${mentions.map(([, flags]) => flags)}::int[]) t (u, f)`)
}

/** The message of an earlier attempt of the same send, if any. */
export async function findSentMessage(
  sql: Sql,
  senderId: UserId,
  queueId: string,
  localId: string,
): Promise<MessageId | undefined> {
  const [row] = await sql<{ id: MessageId }[]>`
    select message_id as id from message_sends
    where sender_id = ${senderId} and queue_id = ${queueId} and local_id = ${localId}`
  return row?.id
}

/** Removes send marks of events that the log no longer holds: no client retries so late. */
export async function removeOldSendMarks(sql: Sql, countMax: number): Promise<number> {
  const rows = await sql`
    with old as materialized (
      select message_id from message_sends
      where message_id < (select coalesce(min(id), 0) from event_log) order by message_id limit ${countMax}
      for update skip locked
    )
    delete from message_sends where message_id in (table old)`
  return rows.count
}

/** The channel of a message, without a check of rights; undefined for direct and missing messages. */
export async function findMessageChannel(sql: Sql, id: MessageId): Promise<ChannelId | undefined> {
  const [row] = await sql<{ channelId: ChannelId | null }[]>`
    select channel_id as "channelId" from messages where id = ${id}`
  return row?.channelId ?? undefined
}
