/** Topics, which are there as far as messages have them: listing those of a channel, and what deleting one takes. */

import type { ChannelId, ConversationId, EventId, MessageId, UserId } from '../server/domain/ids.ts'
import { DAY_SECONDS } from '../server/domain/weekly-traffic.ts'
import type { Sql } from './connect.ts'

/** Whose view of a channel's messages it is. */
export interface TopicReader {
  readonly userId: UserId
  readonly channelId: ChannelId
  /** Whether the whole history may be read, or only what was sent while subscribed. */
  readonly isHistoryOpen: boolean
  /** Nothing later is read. */
  readonly asOf: EventId
}

/** A topic as its newest message spells it. */
interface TopicRow {
  readonly name: string
  readonly newestId: MessageId
}

/** Topics listed: a client shows some dozens, and the reply is a megabyte at most. */
export const TOPICS_LISTED_MAX = 10_000
/** Topics looked up by name: each takes some ten microseconds of the database. */
const TOPICS_WALKED_MAX = 20_000
/** Messages whose topics are always found, however many topics the channel has. */
const NEWEST_LOOKED_AT = 5_000
/** Times of being subscribed that are looked into where the past is closed, the newest: each topic is looked up in each. */
const SPANS_MAX = 10

/**
 * The topics of a channel that the reader may know of, the one with the newest message first. A channel of more than
 * `TOPICS_WALKED_MAX` topics lists those of its newest messages, and of the others those that come first by name.
 *
 * The walk jumps from one topic to the next in the index `messages_topic`, so that the work grows with the topics and
 * not with their messages. One topic is asked for as a range: for an equal one the planner, where its statistics are
 * old, reads the channel in the order of another index until it meets the topic.
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
    ), keys as (select key from walked union select lower(topic) from newest)
    select last.topic as name, last.id as "newestId" from keys, lateral (
      select found.topic, found.id from spans, lateral (
        select m.topic, m.id from messages m
        where m.channel_id = ${channelId} and lower(m.topic) between keys.key and keys.key
          and m.id > spans.from_id and m.id <= spans.until_id
        order by lower(m.topic) desc, m.id desc limit 1) found
      order by found.id desc limit 1) last
    order by last.id desc limit ${TOPICS_LISTED_MAX}`
}

function spansOf(sql: Sql, { userId, channelId, isHistoryOpen, asOf }: TopicReader) {
  return isHistoryOpen
    ? sql`select 0::bigint as from_id, ${asOf}::bigint as until_id`
    : sql`select from_id, least(until_id, ${asOf}::bigint) as until_id from subscription_spans
        where user_id = ${userId} and channel_id = ${channelId} order by from_id desc limit ${SPANS_MAX}`
}

/** What a deletion takes, and what it leaves of the channel. */
export interface TopicDeletion {
  /** Ascending. */
  readonly messageIds: readonly MessageId[]
  readonly countsByDay: readonly (readonly [day: number, count: number])[]
  readonly firstMessageId: MessageId | null
  /** Set where the channel's newest message is among them. */
  readonly lastMessageAt?: number | null
  /** Those who were subscribed when one of them was sent. */
  readonly receiverIds: readonly UserId[]
}

/** The deletion of a topic's newest messages, as far as the reader may read them; undefined without any. */
export async function planTopicDeletion(
  sql: Sql,
  reader: TopicReader,
  topic: string,
  countMax: number,
): Promise<TopicDeletion | undefined> {
  const { channelId } = reader
  const found = await sql<{ id: MessageId; sentAt: number }[]>`
    with spans as materialized (${spansOf(sql, reader)})
    select found.id, found.sent_at as "sentAt" from spans, lateral (
      select m.id, m.sent_at from messages m
      where m.channel_id = ${channelId} and lower(m.topic) between lower(${topic}::text) and lower(${topic}::text)
        and m.id > spans.from_id and m.id <= spans.until_id
      order by lower(m.topic) desc, m.id desc limit ${countMax}) found
    order by found.id desc limit ${countMax}`
  if (found.length === 0) return undefined
  const messageIds = found.map(({ id }) => id).reverse()
  const inChannel = sql`m.channel_id is not null
    and (m.channel_id, m.id) between (${channelId}, 0) and (${channelId}, ${Number.MAX_SAFE_INTEGER}::bigint)`
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
  const receivers = await sql<{ userId: UserId }[]>`
    select distinct s.user_id as "userId" from subscription_spans s
    where s.channel_id = ${channelId} and exists (
      select 1 from unnest(${messageIds}::bigint[]) taken (id)
      where taken.id > s.from_id and (s.until_id is null or taken.id <= s.until_id))`
  const isNewestTaken = messageIds.at(-1) === left?.lastMessageId
  return {
    messageIds,
    countsByDay: countByDay(found.map(({ sentAt }) => sentAt)),
    firstMessageId: left?.firstMessageId ?? null,
    ...(isNewestTaken ? { lastMessageAt: left?.lastMessageAt ?? null } : {}),
    receiverIds: receivers.map(({ userId }) => userId),
  }
}

function countByDay(times: readonly number[]): [day: number, count: number][] {
  const counts = new Map<number, number>()
  for (const sentAt of times) {
    const day = Math.floor(sentAt / DAY_SECONDS)
    counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  return [...counts].sort(([a], [b]) => a - b)
}

/** Whether a channel has a message in a topic. */
export async function hasTopic(sql: Sql, channelId: ChannelId, topic: string): Promise<boolean> {
  const rows = await sql`select 1 from messages
    where channel_id = ${channelId} and lower(topic) = lower(${topic}::text) limit 1`
  return rows.length > 0
}

/** Whether anybody has written in a conversation. */
export async function hasMessages(sql: Sql, conversationId: ConversationId): Promise<boolean> {
  const rows = await sql`select 1 from messages where conversation_id = ${conversationId} limit 1`
  return rows.length > 0
}
