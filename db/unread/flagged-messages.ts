/** The parts of messages that their flags depend on, without the content. */

import type { Message } from '../../server/domain/entities.ts'
import type { ChannelId, EventId, MessageId, UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import { type Details, destinationOf, movesOf, partners, type Row } from '../messages/message-rows.ts'
import { placedId, unreadIds } from './unread.ts'

/** The parts of a message that its flags depend on. */
export type FlaggedMessage = Pick<
  Message,
  'id' | 'destination' | 'senderId' | 'readById' | 'unreadFor' | 'moves' | 'mentions' | 'isForAll'
>

type FlaggedRow = Pick<
  Row,
  'id' | 'channelId' | 'conversationId' | 'userIds' | 'topic' | 'senderId' | 'readById'
> &
  Pick<Details, 'mentions' | 'unreadFor' | 'isForAll' | 'placedId' | 'passed'>

/** The given messages that exist, ascending, and whether the user was subscribed when they arrived. */
export async function readFlaggedMessages(
  sql: Sql,
  ids: readonly MessageId[],
  userId: UserId,
): Promise<{ message: FlaggedMessage; wasSubscribed: boolean }[]> {
  const rows = await sql<(FlaggedRow & { wasSubscribed: boolean })[]>`
    select ${flaggedColumns(sql)}, exists (select 1 from subscription_spans s
      where s.user_id = ${userId} and s.channel_id = m.channel_id and s.from_id < ${placedId(sql)}
        and (s.until_id is null or s.until_id >= ${placedId(sql)})) as "wasSubscribed"
    from messages m where m.id = any(${[...ids]}::bigint[]) order by m.id`
  return rows.map(({ wasSubscribed, ...row }) => ({ message: toFlaggedMessage(row), wasSubscribed }))
}

/** A user's unread messages in a channel, or in one topic of it, ascending. */
export async function readUnreadOfChannel(
  sql: Sql,
  { userId, asOf }: { readonly userId: UserId; readonly asOf: EventId },
  channelId: ChannelId,
  topic: string | undefined,
): Promise<FlaggedMessage[]> {
  const rows = await sql<FlaggedRow[]>`
    select ${flaggedColumns(sql)} from messages m
    where m.id = any(array(${unreadIds(sql, userId, asOf, channelId)}))
      and (${topic === undefined} or lower(m.topic) = lower(${topic ?? ''}::text)) order by m.id`
  return rows.map(toFlaggedMessage)
}

/** A user's unread messages from a sender, ascending. */
export async function readUnreadFrom(
  sql: Sql,
  userId: UserId,
  asOf: EventId,
  senderId: UserId,
): Promise<FlaggedMessage[]> {
  const rows = await sql<FlaggedRow[]>`
    select ${flaggedColumns(sql)} from messages m
    where m.id = any(array(${unreadIds(sql, userId, asOf)})) and m.sender_id = ${senderId} order by m.id`
  return rows.map(toFlaggedMessage)
}

/** Whether a user received a message that is now in a topic. */
export async function hasReceivedTopic(
  sql: Sql,
  { userId, asOf }: { readonly userId: UserId; readonly asOf: EventId },
  channelId: ChannelId,
  topic: string,
): Promise<boolean> {
  const rows = await sql`
    select 1 from subscription_spans s, lateral (
      (select 1 from messages m
        where m.channel_id is not null and (m.channel_id, lower(m.topic), m.id)
            > (${channelId}, lower(${topic}::text), s.from_id)
          and (m.channel_id, lower(m.topic), m.id)
            <= (${channelId}, lower(${topic}::text), least(s.until_id, ${asOf}::bigint))
          and m.placed_id is null limit 1)
      union all
      (select 1 from messages m
        where m.channel_id = ${channelId} and m.placed_id > s.from_id
          and m.placed_id <= least(s.until_id, ${asOf}::bigint)
          and lower(m.topic) = lower(${topic}::text) limit 1)) found
    where s.user_id = ${userId} and s.channel_id = ${channelId} limit 1`
  return rows.length > 0
}

const flaggedColumns = (sql: Sql) => sql`m.id, m.channel_id as "channelId",
  m.conversation_id as "conversationId", ${partners(sql)}, m.topic, m.sender_id as "senderId", m.read_by_id as "readById",
  m.unread_for as "unreadFor", m.mentions,
  m.is_for_all as "isForAll", m.placed_id as "placedId", m.passed`

function toFlaggedMessage(row: FlaggedRow): FlaggedMessage {
  const { id, senderId, readById, unreadFor, mentions, isForAll, placedId, passed } = row
  const [destination, moves] = [destinationOf(row), movesOf(placedId, passed)]
  const quiet = unreadFor ? { unreadFor } : {}
  return { id, senderId, readById, ...quiet, isForAll, mentions: mentions ?? [], destination, moves }
}
