/** Deletes messages: the dependent rows, the remaining ends of their channel, and the affected users. */

import type { LogEvent } from '../../server/domain/events.ts'
import type { ChannelId, MessageId, UserId } from '../../server/domain/ids.ts'
import { DAY_SECONDS } from '../../server/domain/messages/weekly-traffic.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import { wakeForGone } from '../notifications/wake-workers.ts'
import { noteConversationsOf } from '../unread/conversations.ts'
import { findUploadsOf, type LinkedUploadId, requireLastLinks } from '../files/message-uploads.ts'
import { StaleMessageError } from './stale-message.ts'
import type { WriteBatch } from '../log/write-batch.ts'
import { keepHeldMessages } from '../holds/kept-messages.ts'

type MessagesDeleted = Extract<LogEvent, { type: 'delete_message' }>

/** The messages of a deletion, the remaining ends of the channel, and the affected users. */
export interface MessageDeletion {
  /** Ascending. */
  readonly messageIds: readonly MessageId[]
  readonly countsByDay: readonly (readonly [day: number, count: number])[]
  readonly firstMessageId: MessageId | null
  /** Set if the channel's newest message is among them. */
  readonly lastMessageAt?: number | null
  /** Users who were subscribed when one of them arrived in the channel. */
  readonly receiverIds: readonly UserId[]
  /** Users who starred or collapsed one of them. */
  readonly markerIds: readonly UserId[]
  /** The files that they link. */
  readonly uploads: readonly LinkedUploadId[]
}

/** Plans the deletion of messages of a channel; their ids are ascending, at least one. */
export async function planDeletion(
  sql: Sql,
  channelId: ChannelId,
  messages: readonly { readonly id: MessageId; readonly sentAt: number }[],
): Promise<MessageDeletion> {
  const messageIds = messages.map(({ id }) => id)
  const inChannel = messagesOf(sql, channelId)
  const [left] = await sql<
    { firstMessageId: MessageId | null; lastMessageId: MessageId | null; lastMessageAt: number | null }[]
  >`
    with taken as materialized (select unnest(${messageIds}::bigint[]) as id)
    select
      (select m.id from messages m where ${inChannel} and m.id not in (select id from taken)
        order by m.channel_id, m.id limit 1) as "firstMessageId",
      (select m.id from messages m where ${inChannel}
        order by m.channel_id desc, m.id desc limit 1) as "lastMessageId",
      (select m.sent_at from messages m where ${inChannel} and m.id not in (select id from taken)
        order by m.channel_id desc, m.id desc limit 1) as "lastMessageAt"`
  const isNewestTaken = messageIds.at(-1) === left?.lastMessageId
  return {
    messageIds,
    countsByDay: countByDay(messages.map(({ sentAt }) => sentAt)),
    firstMessageId: left?.firstMessageId ?? null,
    ...(isNewestTaken ? { lastMessageAt: left?.lastMessageAt ?? null } : {}),
    ...(await readHolders(sql, channelId, messageIds)),
    uploads: await findUploadsOf(sql, messageIds),
  }
}

/** Users who received one of some messages of a channel, and users who starred or collapsed one. */
export async function readHolders(
  sql: Sql,
  channelId: ChannelId,
  messageIds: readonly MessageId[],
): Promise<{ receiverIds: UserId[]; markerIds: UserId[] }> {
  const ids = [...messageIds]
  const receivers = await sql<{ userId: UserId }[]>`
    with held as materialized (
      select coalesce(placed_id, id) as id from messages where id = any(${ids}::bigint[]))
    select distinct s.user_id as "userId" from subscription_spans s
    where s.channel_id = ${channelId} and exists (
      select 1 from held where held.id > s.from_id and (s.until_id is null or held.id <= s.until_id))`
  const markers = await sql<{ userId: UserId }[]>`
    select distinct user_id as "userId" from message_marks where message_id = any(${ids}::bigint[])`
  return {
    receiverIds: receivers.map(({ userId }) => userId),
    markerIds: markers.map(({ userId }) => userId),
  }
}

/** Ranges of the index by channel and id, whatever the planner's statistics say. */
const messagesOf = (sql: Sql | Transaction, channelId: ChannelId) => sql`m.channel_id is not null
  and (m.channel_id, m.id) between (${channelId}, 0) and (${channelId}, ${Number.MAX_SAFE_INTEGER}::bigint)`

/** Counts messages by the day they were sent, counted from 1970 in UTC. */
export function countByDay(times: readonly number[]): [day: number, count: number][] {
  const counts = new Map<number, number>()
  for (const sentAt of times) {
    const day = Math.floor(sentAt / DAY_SECONDS)
    counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  return [...counts].sort(([a], [b]) => a - b)
}

/** A deletion was decided on outdated messages: load them and decide again. */
export class StaleDeletionError extends StaleMessageError {
  override readonly name = 'StaleDeletionError'

  constructor() {
    super('messages were sent, moved or deleted since the deletion was decided')
  }
}

/**
 * Deletes messages permanently, with all dependent rows; those that are held are kept aside. The marks of their sends stay, so that a late retry does not
 * send again. Their ids also stay in read marks, without effect.
 *
 * The event's facts about the channel were read before the log was locked. Now that it is, nothing can be sent or
 * deleted until the commit, so outdated facts are rejected here.
 */
export function deleteMessages(writes: WriteBatch, event: MessagesDeleted): void {
  const { channelId, topic, messageIds, uploadIds = [] } = event
  const refusal = () => new StaleDeletionError()
  if (channelId === null) noteConversationsOf(writes, messageIds)
  requireLastLinks(writes, messageIds, uploadIds, refusal)
  wakeForGone(writes, messageIds)
  keepHeldMessages(writes, messageIds)
  writes.change(
    writes.sql`delete from messages
      where id = any(${[...messageIds]}::bigint[]) and channel_id is not distinct from ${channelId}::int
        and lower(topic) = lower(${topic}::text)`,
    messageIds.length,
    refusal,
  )
  if (channelId !== null) requireLeftAsDecided(writes, channelId, event, refusal)
}

/** Rejects the deletion if the remaining oldest or newest message of the channel differs from the event's. */
function requireLeftAsDecided(
  writes: WriteBatch,
  channelId: ChannelId,
  { messageIds, firstMessageId, lastMessageAt }: MessagesDeleted,
  refusal: () => Error,
): void {
  const { sql } = writes
  const inChannel = messagesOf(sql, channelId)
  const last = (column: 'id' | 'sent_at') => sql`(
    select m.${sql(column)} from messages m where ${inChannel} order by m.channel_id desc, m.id desc limit 1)`
  // If the event names no newest message, it must be newer than all deleted ones.
  const isNewestAsDecided =
    lastMessageAt === undefined
      ? sql`${last('id')} > ${messageIds.at(-1) ?? 0}::bigint`
      : sql`${last('sent_at')} is not distinct from ${lastMessageAt}::bigint`
  writes.require(
    sql`(select m.id from messages m where ${inChannel} order by m.channel_id, m.id limit 1)
      is not distinct from ${firstMessageId}::bigint and ${isNewestAsDecided}`,
    refusal,
  )
}
