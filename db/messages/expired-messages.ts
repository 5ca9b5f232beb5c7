/**
 * Finds messages that have outlived the retention of their channel or of the organization. Timestamps rise with the ids,
 * so the oldest message of a place shows whether any of it has expired.
 */

import type { ChannelId, ConversationId, MessageId, UserId } from '../../server/domain/ids.ts'
import { DAY_SECONDS } from '../../server/domain/messages/weekly-traffic.ts'
import type { Sql } from '../connection/connect.ts'
import { type MessageDeletion, planDeletion } from './message-deletion.ts'
import { findUploadsOf, type LinkedUploadId } from '../files/message-uploads.ts'

/** A channel or a conversation whose oldest message has expired. */
export type ExpiringPlace =
  | { readonly kind: 'channel'; readonly channelId: ChannelId; readonly days: number }
  | {
      readonly kind: 'direct'
      readonly conversationId: ConversationId
      readonly userIds: readonly UserId[]
      readonly days: number
    }

/** Expired messages of one topic, with what depends on them. */
export interface ExpiredInChannel {
  readonly channelId: ChannelId
  /** As spelled in the newest of them. */
  readonly topic: string
  readonly deletion: MessageDeletion
  /** When the newest of them was sent, in UNIX seconds. */
  readonly sentAt: number
}

/** Expired messages of one conversation, with what depends on them. */
export interface ExpiredInConversation {
  readonly messageIds: readonly MessageId[]
  readonly userIds: readonly UserId[]
  readonly uploads: readonly LinkedUploadId[]
  /** When the newest of them was sent, in UNIX seconds. */
  readonly sentAt: number
}

/** The places with expired messages at a time, by the committed settings; null for a channel inherits, -1 is forever. */
export async function findExpiringPlaces(sql: Sql, nowSeconds: number): Promise<ExpiringPlace[]> {
  const inherited = sql`organization as (
    select coalesce((settings ->> 'messageRetentionDays')::int, -1) as days from organization)`
  const channels = await sql<{ channelId: ChannelId; days: number }[]>`
    with ${inherited}, durations as (
      select c.id, coalesce(c.retention_days, o.days) as days from channels c, organization o)
    select durations.id as "channelId", durations.days from durations, lateral (
      select m.sent_at from messages m
      where m.channel_id is not null
        and (m.channel_id, m.id) between (durations.id, 0) and (durations.id, ${Number.MAX_SAFE_INTEGER}::bigint)
      order by m.channel_id, m.id limit 1) oldest
    where durations.days > 0 and oldest.sent_at < ${nowSeconds}::bigint - durations.days * ${DAY_SECONDS}::bigint
    order by durations.id`
  const conversations = await sql<{ conversationId: ConversationId; userIds: UserId[]; days: number }[]>`
    with ${inherited}
    select c.id as "conversationId", c.user_ids as "userIds", o.days from organization o, conversations c, lateral (
      select m.sent_at from messages m where m.conversation_id = c.id order by m.id limit 1) oldest
    where o.days > 0 and oldest.sent_at < ${nowSeconds}::bigint - o.days * ${DAY_SECONDS}::bigint
    order by c.id`
  return [
    ...channels.map((one) => ({ kind: 'channel', ...one }) as const),
    ...conversations.map((one) => ({ kind: 'direct', ...one }) as const),
  ]
}

/** Whether any place has expired messages at a time. */
export async function hasExpiringPlace(sql: Sql, nowSeconds: number): Promise<boolean> {
  return (await findExpiringPlaces(sql, nowSeconds)).length > 0
}

interface Found {
  readonly id: MessageId
  readonly sentAt: number
  readonly topic: string
}

/** Plans the deletion of a channel's oldest expired messages, of one topic; undefined for none. */
export async function planExpiredInChannel(
  sql: Sql,
  channelId: ChannelId,
  sentBefore: number,
  countMax: number,
): Promise<ExpiredInChannel | undefined> {
  const found = await sql<Found[]>`
    with oldest as materialized (
      select lower(m.topic) as key from messages m
      where m.channel_id is not null
        and (m.channel_id, m.id) between (${channelId}, 0) and (${channelId}, ${Number.MAX_SAFE_INTEGER}::bigint)
      order by m.channel_id, m.id limit 1)
    select found.id, found.sent_at as "sentAt", found.topic from oldest, lateral (
      select m.id, m.sent_at, m.topic from messages m
      where m.channel_id = ${channelId} and lower(m.topic) between oldest.key and oldest.key
      order by lower(m.topic), m.id limit ${countMax}) found
    where found.sent_at < ${sentBefore} order by found.id`
  const newest = found.at(-1)
  if (!newest) return undefined
  const deletion = await planDeletion(sql, channelId, found)
  return { channelId, topic: newest.topic, deletion, sentAt: newestTime(found) }
}

/** Plans the deletion of a conversation's oldest expired messages; undefined for none. */
export async function planExpiredInConversation(
  sql: Sql,
  { conversationId, userIds }: Extract<ExpiringPlace, { kind: 'direct' }>,
  sentBefore: number,
  countMax: number,
): Promise<ExpiredInConversation | undefined> {
  const found = await sql<Omit<Found, 'topic'>[]>`
    select id, sent_at as "sentAt" from (
      select m.id, m.sent_at from messages m where m.conversation_id = ${conversationId}
      order by m.id limit ${countMax}) oldest
    where sent_at < ${sentBefore} order by id`
  if (found.length === 0) return undefined
  const messageIds = found.map(({ id }) => id)
  return { messageIds, userIds, uploads: await findUploadsOf(sql, messageIds), sentAt: newestTime(found) }
}

const newestTime = (found: readonly Pick<Found, 'sentAt'>[]) => Math.max(...found.map(({ sentAt }) => sentAt))
