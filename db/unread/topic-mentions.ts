/** Facts about the topics in a text: the targets of topic links, and the participants of topics. */

import type { ChannelId, EventId, MessageId, UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'

/** A linked topic, and how much of the channel's history the reader may read. */
export interface TopicToLink {
  readonly channelId: ChannelId
  readonly topic: string
  /** Whether the reader may read the whole history, or only messages sent while subscribed. */
  readonly isHistoryOpen: boolean
}

/** Newest subscription spans that are searched in a channel with protected history. */
const SPANS_MAX = 10
/** Newest messages of a topic that determine its participants. */
const MESSAGES_LOOKED_AT = 5_000

/**
 * The newest readable message of each topic, in order; undefined for none. With protected history, a message that moved
 * there may be skipped for an older one.
 */
export async function findNewestOfTopics(
  sql: Sql,
  userId: UserId,
  topics: readonly TopicToLink[],
  asOf: EventId,
): Promise<(MessageId | undefined)[]> {
  const rows = await sql<{ place: number; id: MessageId }[]>`
    select t.place::int as place, found.id from unnest(
        ${topics.map(({ channelId }) => channelId)}::int[], ${topics.map(({ topic }) => topic)}::text[],
        ${topics.map(({ isHistoryOpen }) => Number(isHistoryOpen))}::int[]
      ) with ordinality as t (channel_id, topic, is_open, place), lateral (
      select newest.id from (
        select 0::bigint as from_id, ${asOf}::bigint as until_id where t.is_open = 1
        union all (
          select s.from_id, least(s.until_id, ${asOf}::bigint) from subscription_spans s
          where t.is_open = 0 and s.user_id = ${userId} and s.channel_id = t.channel_id
          order by s.from_id desc limit ${SPANS_MAX})
      ) span, lateral (
        select m.id from messages m
        where m.channel_id is not null and (m.channel_id, lower(m.topic), m.id)
            between (t.channel_id, lower(t.topic), span.from_id + 1) and (t.channel_id, lower(t.topic), span.until_id)
          and (t.is_open = 1 or coalesce(m.placed_id, m.id) <= span.until_id)
        order by m.channel_id desc, lower(m.topic) desc, m.id desc limit 1) newest
      order by newest.id desc limit 1) found`
  const byPlace = new Map(rows.map(({ place, id }) => [place, id]))
  return topics.map((_, index) => byPlace.get(index + 1))
}

/** Users who sent to a topic or reacted there, within its newest messages. */
export async function findParticipants(sql: Sql, channelId: ChannelId, topic: string): Promise<UserId[]> {
  const rows = await sql<{ userId: UserId }[]>`
    with newest as materialized (
      select m.id, m.sender_id from messages m
      where m.channel_id is not null and (m.channel_id, lower(m.topic), m.id)
        between (${channelId}, lower(${topic}::text), 0)
          and (${channelId}, lower(${topic}::text), ${Number.MAX_SAFE_INTEGER}::bigint)
      order by m.channel_id desc, lower(m.topic) desc, m.id desc limit ${MESSAGES_LOOKED_AT})
    select sender_id as "userId" from newest
    union select r.user_id from reactions r where r.message_id = any(array(select id from newest))`
  return rows.map(({ userId }) => userId)
}
