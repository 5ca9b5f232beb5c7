/** Queries for messages: the filter, the reader, and the reader's rights as SQL. */

import type { ChannelId, EventId, UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import { isPlace, type MessageFilter, matchingFilter } from './message-filter.ts'
import { findOwnLeader } from './message-properties.ts'

/** A reader of messages, with the reader's rights. */
export interface Reader {
  readonly userId: UserId
  /** Channels whose messages the reader may read now. */
  readonly readableChannelIds: readonly ChannelId[]
  /** A channel in the narrow whose whole history the reader may read, subscribed or not. */
  readonly openChannelId: ChannelId | undefined
  /** The same for narrows to a kind of channels. */
  readonly openChannelIds?: readonly ChannelId[]
  /** The event as of which the above holds; later messages are not read. */
  readonly asOf: EventId
}

/** A query for messages. */
export interface MessageQuery {
  readonly reader: Reader
  readonly filter: MessageFilter
}

/** Whether the query selects only a channel with readable history, or one topic of it. */
export function isOpenChannel({ reader, filter }: MessageQuery): boolean {
  return isPlace(filter) && filter.channelId === reader.openChannelId
}

/** Whether the filter leads to the messages, and not only the reader's own ones. */
export function isNarrowed({ filter }: MessageQuery): boolean {
  const { isNothing, channelId, topic, conversationId, isDirect, senderId, onlyId, onlyConversationIds } =
    filter
  if (findOwnLeader(filter)) return true
  const leaders = [channelId, topic, conversationId, senderId, onlyId, onlyConversationIds]
  return isNothing || leaders.some((one) => one !== undefined) || isDirect === true
}

/** The filter and the rights. */
export function matching(sql: Sql, { reader, filter }: MessageQuery) {
  return sql`m.id <= ${reader.asOf} and ${allowed(sql, reader)} and ${matchingFilter(sql, filter)}`
}

/** All readable messages. */
export function allowed(sql: Sql, reader: Reader) {
  const { openChannelId } = reader
  return openChannelId === undefined ? received(sql, reader) : sql`m.channel_id = ${openChannelId}`
}

/**
 * Messages sent or moved to a channel while the reader was subscribed to it, if it is still readable, or sent to one of
 * the reader's conversations.
 */
export function received(sql: Sql, { userId, readableChannelIds, openChannelIds = [] }: Reader) {
  return sql`(
    m.channel_id = any(${[...openChannelIds]}::int[])
    or (m.channel_id = any(${[...readableChannelIds]}::int[]) and exists (
      select 1 from subscription_spans s
      where s.user_id = ${userId} and s.channel_id = m.channel_id and coalesce(m.placed_id, m.id) > s.from_id
        and (s.until_id is null or coalesce(m.placed_id, m.id) <= s.until_id)))
    or m.conversation_id in (select id from conversations where user_ids @> array[${userId}::int]))`
}
