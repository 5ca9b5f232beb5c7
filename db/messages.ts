/** Messages: writing one, and the marks by which a retry is recognized. Pages are read in `message-pages.ts`. */

import type { LogEvent, MessageSent } from '../server/domain/events.ts'
import type { ChannelId, EventId, MessageId, UserId } from '../server/domain/ids.ts'
import type { Sql, Transaction } from './connect.ts'

type MessagesDeleted = Extract<LogEvent, { type: 'delete_message' }>

export async function storeMessage(tx: Transaction, id: EventId, message: MessageSent): Promise<void> {
  const { mentions = [], isForAll = false } = message
  await tx`insert into messages (id, channel_id, conversation_id, topic, sender_id, content, rendered, sent_at,
      client, read_by_id, mentions, is_for_all)
    values (${id}, ${message.channelId}, ${message.conversationId}, ${message.topic}, ${message.senderId},
      ${message.content}, ${message.rendered}, ${message.sentAt}, ${message.client}, ${message.readById},
      ${mentions.length === 0 ? null : tx.json(mentions as never)}, ${isForAll})`
  if (mentions.length > 0)
    await tx`insert into mentions (user_id, message_id)
      select u, ${id} from unnest(${mentions.map(([userId]) => userId)}::int[]) u`
  if (message.localId === null || message.queueId === null) return
  await tx`insert into message_sends (sender_id, queue_id, local_id, message_id)
    values (${message.senderId}, ${message.queueId}, ${message.localId}, ${id})`
}

/** The message that an earlier try of the same send made, if any. */
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

/** Forgets the marks of sends whose events the log no longer holds: no client retries so late. */
export async function removeOldSendMarks(sql: Sql, countMax: number): Promise<number> {
  const rows = await sql`
    delete from message_sends where message_id in (
      select message_id from message_sends
      where message_id < (select coalesce(min(id), 0) from event_log) order by message_id limit ${countMax})`
  return rows.count
}

/** Thrown where a deletion was decided on what has changed since: it is to be looked up and decided again. */
export class StaleDeletionError extends Error {
  override readonly name = 'StaleDeletionError'
}

/**
 * Deletes messages for good; the marks of their sends stay, so that a late retry does not send again.
 *
 * What the event says of the channel was read before the log was locked. Now that it is, nothing can be
 * sent or deleted any more until the commit, so what is not as the event says is refused here.
 */
export async function deleteMessages(tx: Transaction, event: MessagesDeleted): Promise<void> {
  const { channelId, messageIds, firstMessageId, lastMessageAt } = event
  const inChannel = tx`channel_id is not null
    and (channel_id, id) between (${channelId}, 0) and (${channelId}, ${Number.MAX_SAFE_INTEGER}::bigint)`
  const deleted = await tx`delete from messages where id = any(${[...messageIds]}::bigint[])`
  const [first] = await tx<{ id: MessageId }[]>`
    select id from messages where ${inChannel} order by channel_id, id limit 1`
  const [last] = await tx<{ id: MessageId; sentAt: number }[]>`
    select id, sent_at as "sentAt" from messages where ${inChannel} order by channel_id desc, id desc limit 1`
  const newestDeleted = messageIds.at(-1) ?? 0
  const isAsDecided =
    deleted.count === messageIds.length &&
    (first?.id ?? null) === firstMessageId &&
    // Where the event says nothing of the newest message, that one must be newer than all that go.
    (lastMessageAt === undefined ? (last?.id ?? 0) > newestDeleted : (last?.sentAt ?? null) === lastMessageAt)
  if (!isAsDecided)
    throw new StaleDeletionError('messages were sent or deleted since the deletion was decided')
}

/** The channel that a message is in, whoever asks; undefined for a direct message and for none. */
export async function findMessageChannel(sql: Sql, id: MessageId): Promise<ChannelId | undefined> {
  const [row] = await sql<{ channelId: ChannelId | null }[]>`
    select channel_id as "channelId" from messages where id = ${id}`
  return row?.channelId ?? undefined
}
