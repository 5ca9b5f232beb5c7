/** Topics, which exist through their messages: lists those of a channel, and plans the deletion of one. */

import type { ChannelId, ConversationId, EventId, MessageId, UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import { type MessageDeletion, planDeletion } from './message-deletion.ts'

/** The reader of a channel's topics. */
export interface TopicReader {
  readonly userId: UserId
  readonly channelId: ChannelId
  /** Whether the reader may read the whole history, or only messages sent while subscribed. */
  readonly isHistoryOpen: boolean
  /** Later messages are not read. */
  readonly asOf: EventId
}

/** A topic, spelled as in its newest message. */
interface TopicRow {
  readonly name: string
  readonly newestId: MessageId
}

/** Listed topics: a client shows some dozens, and the reply is a megabyte at most. */
export const TOPICS_LISTED_MAX = 10_000
/** Topics looked up by name: each takes some ten microseconds of the database. */
const TOPICS_WALKED_MAX = 20_000
/** Newest messages whose topics are always listed, however many topics the channel has. */
const NEWEST_LOOKED_AT = 5_000
/** Newest subscription spans that are searched with protected history: each topic is looked up in each span. */
const SPANS_MAX = 10

/**
 * The topics of a channel that the reader may see, the one with the newest message first. A channel of more than
 * `TOPICS_WALKED_MAX` topics lists those of its newest messages, and the first others by name.
 *
 * The walk jumps from one topic to the next in the index `messages_topic`, so the work grows with the topics, not with
 * their messages. One topic is selected as a range: for an equality with old statistics, the planner scans the channel
 * in the order of another index until it finds the topic. With protected history, moved messages are found by their
 * move.
 */
export async function readTopics(sql: Sql, reader: TopicReader): Promise<TopicRow[]> {
  const { channelId, asOf } = reader
  return sql<TopicRow[]>`
    with recursive spans as materialized (${spansOf(sql, reader)}), walked (key, place) as (
      (select lower(m.topic), 1 from messages m where m.channel_id is not null and m.channel_id = ${channelId}
        order by m.channel_id, lower(m.topic) limit 1)
      union all
      select next.key, walked.place + 1 from walked, lateral (
        select lower(m.topic) as key from messages m
        where m.channel_id = ${channelId} and lower(m.topic) > walked.key
        order by lower(m.topic) limit 1) next
      where walked.place < ${TOPICS_WALKED_MAX}
    ), newest as (
      select m.topic from messages m
      where m.channel_id is not null
        and (m.channel_id, m.id) between (${channelId}, 0) and (${channelId}, ${asOf}::bigint)
      order by m.channel_id desc, m.id desc limit ${NEWEST_LOOKED_AT}
    ), keys as (select key from walked union select lower(topic) from newest),
    lasts as (
      select keys.key, last.topic, last.id from keys, lateral (
        select found.topic, found.id from spans, lateral (
          select m.topic, m.id from messages m
          where m.channel_id = ${channelId} and lower(m.topic) between keys.key and keys.key
            and m.id > spans.from_id and m.id <= spans.until_id and (spans.is_open or m.placed_id is null)
          order by lower(m.topic) desc, m.id desc limit 1) found
        order by found.id desc limit 1) last
      union all
      select lower(m.topic), m.topic, m.id from spans join messages m
        on m.channel_id = ${channelId} and m.placed_id is not null
          and m.placed_id > spans.from_id and m.placed_id <= spans.until_id
      where not spans.is_open
    ), last as (select distinct on (key) topic, id from lasts order by key, id desc)
    select last.topic as name, last.id as "newestId" from last
    order by last.id desc limit ${TOPICS_LISTED_MAX}`
}

/** The spans in which the reader was in the channel: unlimited if the whole history is readable. */
export function spansOf(sql: Sql, { userId, channelId, isHistoryOpen, asOf }: TopicReader) {
  return isHistoryOpen
    ? sql`select 0::bigint as from_id, ${asOf}::bigint as until_id, true as is_open`
    : sql`select from_id, least(until_id, ${asOf}::bigint) as until_id, false as is_open from subscription_spans
        where user_id = ${userId} and channel_id = ${channelId} order by from_id desc limit ${SPANS_MAX}`
}

/** The deletion of messages of a topic, spelled as in the newest of them. */
export interface TopicDeletion extends MessageDeletion {
  readonly topic: string
}

/** Plans the deletion of a topic's newest messages that the reader may read; undefined for none. */
export async function planTopicDeletion(
  sql: Sql,
  reader: TopicReader,
  topic: string,
  countMax: number,
): Promise<TopicDeletion | undefined> {
  const { channelId } = reader
  const found = await sql<{ id: MessageId; sentAt: number; topic: string }[]>`
    with spans as materialized (${spansOf(sql, reader)})
    select found.id, found.sent_at as "sentAt", found.topic from spans, lateral (
      select m.id, m.sent_at, m.topic from messages m
      where m.channel_id = ${channelId} and lower(m.topic) between lower(${topic}::text) and lower(${topic}::text)
        and coalesce(m.placed_id, m.id) > spans.from_id and coalesce(m.placed_id, m.id) <= spans.until_id
      order by lower(m.topic) desc, m.id desc limit ${countMax}) found
    order by found.id desc limit ${countMax}`
  const [newest] = found
  if (!newest) return undefined
  return { ...(await planDeletion(sql, channelId, found.reverse())), topic: newest.topic }
}

/** Whether a channel has a message in a topic. */
export async function hasTopic(sql: Sql, channelId: ChannelId, topic: string): Promise<boolean> {
  const rows = await sql`select 1 from messages
    where channel_id = ${channelId} and lower(topic) = lower(${topic}::text) limit 1`
  return rows.length > 0
}

/** Whether a conversation has messages. */
export async function hasMessages(sql: Sql, conversationId: ConversationId): Promise<boolean> {
  const rows = await sql`select 1 from messages where conversation_id = ${conversationId} limit 1`
  return rows.length > 0
}
