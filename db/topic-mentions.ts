/** What a text needs to know of topics that it names: where a link to one leads, and who takes part in one. */

import type { ChannelId, EventId, MessageId, UserId } from '../server/domain/ids.ts'
import type { Sql } from './connect.ts'

/** A topic that is linked to, and how much of the channel's past its reader may read. */
export interface TopicToLink {
  readonly channelId: ChannelId
  readonly topic: string
  /** Whether the whole history may be read, or only what was sent while subscribed. */
  readonly isHistoryOpen: boolean
}

/** Times of being subscribed that are looked into where the past is closed, the newest. */
const SPANS_MAX = 10
/** Newest messages of a topic by which people take part in it. */
const MESSAGES_LOOKED_AT = 5_000

/**
 * The newest message of each of some topics that a reader may read, in their order; undefined without any. Where the
 * past is closed, one that was moved there later than it was sent may be passed over for an older one.
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

/** Who has sent to a topic or reacted there, as far as its newest messages tell. */
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
