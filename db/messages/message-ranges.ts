/**
 * Finds ids of readable, matching messages in the index ranges that may hold some: a subscription, a conversation, a
 * sender. So the work grows with these and with the requested count, not with other users' messages. Ranges are
 * compared as rows, which only the index with these columns serves: with equal columns and an order by id, the planner
 * sometimes scanned the whole table.
 */

import type { UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import { matchingFilter } from './message-filter.ts'
import { findOwnLeader, idsOfOwn, type OwnProperty, withoutOwn } from './message-properties.ts'
import { allowed, type MessageQuery, received } from './message-query.ts'

/** The direction from an id. */
export type Direction = 'before' | 'after'

/** Up to `count` messages from an id on. */
export interface Stretch {
  readonly direction: Direction
  readonly fromId: number
  readonly count: number
}

type Fragment = ReturnType<typeof matchingFilter>

/** The request for each range. */
interface Wanted extends MessageQuery {
  /** Ids after `low`, up to and including `high`. */
  readonly low: number
  readonly high: number
  readonly order: Fragment
  readonly count: number
  /** Another condition, beside the rights and the filter. */
  readonly condition: Fragment
  readonly matches: Fragment
}

/** The ids of up to `count` messages from an id. */
export function idsInRanges(
  sql: Sql,
  query: MessageQuery,
  { direction, fromId, count }: Stretch,
  condition: Fragment = sql`true`,
) {
  const { asOf } = query.reader
  const isBefore = direction === 'before'
  const order = isBefore ? sql`desc` : sql`asc`
  const wanted = {
    ...query,
    low: isBefore ? 0 : fromId - 1,
    high: isBefore ? Math.min(fromId, asOf) : asOf,
    order,
    count,
    condition,
    matches: sql`${condition} and ${matchingFilter(sql, query.filter)}`,
  }
  return sql`select found.id from (${ranges(sql, wanted)}) found order by found.id ${order} limit ${count}`
}

/** The ranges of the most selective condition. */
function ranges(sql: Sql, wanted: Wanted) {
  const { filter } = wanted
  if (filter.onlyId !== undefined) return ofId(sql, wanted, filter.onlyId)
  const own = findOwnLeader(filter)
  if (own) return withOwn(sql, wanted, own)
  if (filter.onlyConversationIds !== undefined) return inConversations(sql, wanted)
  if (filter.onlyChannelIds !== undefined) return inChannels(sql, wanted)
  if (filter.isDirect === true || filter.conversationId !== undefined) return inConversations(sql, wanted)
  if (filter.channelId !== undefined || filter.topic !== undefined || filter.isDirect === false)
    return inChannels(sql, wanted)
  if (filter.senderId !== undefined) return ofSender(sql, wanted, filter.senderId)
  return sql`(${inChannels(sql, wanted)}) union all (${inConversations(sql, wanted)})`
}

/** The spans of ids in which the reader may read a channel. */
function channelSpans(sql: Sql, { reader, filter }: MessageQuery) {
  const { userId, openChannelId, openChannelIds = [], readableChannelIds } = reader
  if (openChannelId !== undefined)
    return sql`select ${openChannelId}::int as channel_id, 0::bigint as from_id, null::bigint as until_id, true as is_open`
  const opened = new Set(openChannelIds)
  const closedIds = (filter.onlyChannelIds ?? readableChannelIds).filter((id) => !opened.has(id))
  return sql`select channel_id, from_id, until_id, false as is_open from subscription_spans
      where user_id = ${userId} and channel_id = any(${[...readableChannelIds]}::int[])
        and channel_id = any(${closedIds}::int[])
        and (${filter.channelId ?? null}::int is null or channel_id = ${filter.channelId ?? null}::int)
      union all
      select id, 0::bigint, null::bigint, true from unnest(${[...openChannelIds]}::int[]) id
        where ${filter.channelId ?? null}::int is null or id = ${filter.channelId ?? null}::int`
}

function inChannels(sql: Sql, wanted: Wanted) {
  const { filter, low, high, order, count, matches } = wanted
  const spans = channelSpans(sql, wanted)
  const [key, value, sorting] =
    filter.topic === undefined
      ? [sql`m.channel_id`, sql`s.channel_id`, sql`m.channel_id ${order}`]
      : [
          sql`m.channel_id, lower(m.topic)`,
          sql`s.channel_id, lower(${filter.topic}::text)`,
          sql`m.channel_id ${order}, lower(m.topic) ${order}`,
        ]
  // A moved message may have an id from before the reader could read the channel: find it by its move.
  return sql`(select found.id from (${spans}) s, lateral (
      select m.id from messages m
      where m.channel_id is not null and (${key}, m.id) > (${value}, greatest(s.from_id, ${low}::bigint))
        and (${key}, m.id) <= (${value}, least(s.until_id, ${high}::bigint))
        and (s.is_open or m.placed_id is null) and ${matches}
      order by ${sorting}, m.id ${order} limit ${count}) found)
    union all (select found.id from (${spans}) s, lateral (
      select m.id from messages m
      where not s.is_open and m.channel_id = s.channel_id and m.placed_id is not null
        and m.placed_id > s.from_id and (s.until_id is null or m.placed_id <= s.until_id)
        and m.id > ${low}::bigint and m.id <= ${high}::bigint
        and (${filter.topic === undefined} or lower(m.topic) = lower(${filter.topic ?? ''}::text)) and ${matches}
      order by m.id ${order} limit ${count}) found)`
}

function inConversations(sql: Sql, { reader, filter, low, high, order, count, matches }: Wanted) {
  return sql`select found.id from conversations c, lateral (
      select m.id from messages m
      where m.conversation_id is not null and (m.conversation_id, m.id) > (c.id, ${low}::bigint)
        and (m.conversation_id, m.id) <= (c.id, ${high}::bigint) and ${matches}
      order by m.conversation_id ${order}, m.id ${order} limit ${count}) found
    where c.user_ids @> array[${reader.userId}::int]
      and (${filter.conversationId ?? null}::int is null or c.id = ${filter.conversationId ?? null}::int)
      and (${filter.onlyConversationIds === undefined} or c.id = any(${[...(filter.onlyConversationIds ?? [])]}::int[]))`
}

function ofSender(sql: Sql, { reader, low, high, order, count, matches }: Wanted, senderId: UserId) {
  return sql`select found.id from (
      select m.id from messages m
      where (m.sender_id, m.id) > (${senderId}::int, ${low}::bigint)
        and (m.sender_id, m.id) <= (${senderId}::int, ${high}::bigint) and ${received(sql, reader)} and ${matches}
      order by m.sender_id ${order}, m.id ${order} limit ${count}) found`
}

function ofId(sql: Sql, { reader, low, high, matches }: Wanted, id: number) {
  return sql`select m.id from messages m
      where m.id = ${id}::bigint and m.id > ${low} and m.id <= ${high} and ${allowed(sql, reader)} and ${matches}`
}

/** A reader's marked, unread or mentioning messages are fewer than their readable ones. */
function withOwn(sql: Sql, { reader, filter, low, high, order, count, condition }: Wanted, own: OwnProperty) {
  return sql`
      select m.id from messages m
      where m.id = any(array(${idsOfOwn(sql, own, reader.userId, { low, high })})) and m.id > ${low} and m.id <= ${high}
        and ${allowed(sql, reader)} and ${condition} and ${matchingFilter(sql, withoutOwn(filter, own))}
      order by m.id ${order} limit ${count}`
}
