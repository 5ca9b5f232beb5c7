/** Which messages somebody has not read: what was sent to them since their marks, and what the marks except. */

import type { ChannelId, EventId, MessageId, UserId } from '../server/domain/ids.ts'
import type { Stay } from '../server/domain/places.ts'
import type { Sql, Transaction } from './connect.ts'

/** Unread messages that count for one user, the newest: older ones are as read. What clients list at most. */
export const UNREAD_MAX = 50_000

/** An unread message, as far as counts need it. */
export interface UnreadMessage {
  readonly id: MessageId
  readonly channelId: ChannelId | null
  readonly topic: string
  readonly userIds: readonly UserId[] | null
  readonly senderId: UserId
  readonly isMentioned: boolean
  readonly passed: readonly Stay[] | null
}

/**
 * The ids of a user's unread messages up to an event, at most `UNREAD_MAX`, the newest first.
 *
 * A message is unread that was sent to the user, stayed in channels that they were subscribed to all the while, and
 * is neither before its place's mark nor among what the mark excepts; or that the mark says is unread, while they are
 * subscribed to where it is now.
 */
export function unreadIds(sql: Sql | Transaction, userId: UserId, asOf: EventId) {
  return sql`
    with mark as materialized (select * from read_marks where user_id = ${userId}),
    everywhere as (select coalesce(max(through_id) filter (where place = 0), 0) as through_id from mark),
    subscription as materialized (
      select s.channel_id, s.from_id, k.read_ids, k.unread_ids,
        greatest(s.from_id, k.through_id, (select through_id from everywhere)) as low
      from subscription_spans s left join mark k on k.place = s.channel_id::bigint * 2
      where s.user_id = ${userId} and s.until_id is null and s.from_id <= ${asOf}
    ), sent as (
      select found.id from subscription s, lateral (
        select m.id from messages m
        where m.channel_id is not null and (m.channel_id, m.id) > (s.channel_id, s.low)
          and (m.channel_id, m.id) <= (s.channel_id, ${asOf}::bigint) and m.placed_id is null
          and m.read_by_id is distinct from ${userId} and (s.read_ids is null or m.id <> all(s.read_ids))
        order by m.channel_id desc, m.id desc limit ${UNREAD_MAX}) found
    ), moved as (
      select m.id from subscription s join messages m
        on m.channel_id = s.channel_id and m.placed_id is not null and m.placed_id > s.from_id
      where m.id <= ${asOf} and m.read_by_id is distinct from ${userId}
        and m.id > (select through_id from everywhere) and ${stayedSubscribed(sql, userId)}
        and not exists (select 1 from mark k where k.place = ${placeOfMessage(sql)}
          and (m.id <= k.through_id or m.id = any(k.read_ids)))
    ), direct as (
      select found.id from conversations c left join mark k on k.place = c.id::bigint * 2 + 1, lateral (
        select m.id from messages m
        where m.conversation_id is not null
          and (m.conversation_id, m.id) > (c.id, greatest(k.through_id, (select through_id from everywhere)))
          and (m.conversation_id, m.id) <= (c.id, ${asOf}::bigint)
          and m.read_by_id is distinct from ${userId} and (k.read_ids is null or m.id <> all(k.read_ids))
        order by m.conversation_id desc, m.id desc limit ${UNREAD_MAX}) found
      where c.user_ids @> array[${userId}::int]
    ), excepted as (
      select m.id from mark k, unnest(k.unread_ids) e join messages m on m.id = e
      where m.id <= ${asOf}
        and (m.channel_id is null or m.channel_id in (select channel_id from subscription))
    )
    select id from (
      select id from sent union select id from moved union select id from direct union select id from excepted) all_unread
    order by id desc limit ${UNREAD_MAX}`
}

/** Where a message `m` was sent. */
export const placeOfMessage = (sql: Sql | Transaction) =>
  sql`coalesce((m.passed -> 0 ->> 'channelId')::bigint * 2, m.channel_id::bigint * 2, m.conversation_id::bigint * 2 + 1)`

/** Whether a user was subscribed to each earlier channel of a moved message `m` for as long as it was there. */
const stayedSubscribed = (sql: Sql | Transaction, userId: UserId) => sql`not exists (
  select 1 from (
    select (stay ->> 'channelId')::int as channel_id, (stay ->> 'placedId')::bigint as placed_id,
      coalesce(lead((stay ->> 'placedId')::bigint) over (order by place), m.placed_id) as until_id
    from jsonb_array_elements(m.passed) with ordinality as t (stay, place)) stay
  where not exists (select 1 from subscription_spans s
    where s.user_id = ${userId} and s.channel_id = stay.channel_id and s.from_id < stay.placed_id
      and (s.until_id is null or s.until_id >= stay.until_id)))`

/** A user's unread messages up to an event, ascending. */
export async function readUnread(sql: Sql, userId: UserId, asOf: EventId): Promise<UnreadMessage[]> {
  const rows = await sql<UnreadMessage[]>`
    select m.id, m.channel_id as "channelId", m.topic, m.sender_id as "senderId", m.passed,
      (select user_ids from conversations c where c.id = m.conversation_id) as "userIds",
      m.is_for_all or (m.mentions is not null and exists (
        select 1 from mentions n where n.user_id = ${userId} and n.message_id = m.id)) as "isMentioned"
    from messages m where m.id in (${unreadIds(sql, userId, asOf)}) order by m.id`
  return [...rows]
}
