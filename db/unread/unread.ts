/** Finds a user's unread messages: those sent after the read marks, and the marks' exceptions. */

import type { ChannelId, EventId, MessageId, UserId } from '../../server/domain/ids.ts'
import { MENTION_FLAGS, MESSAGE_FLAGS } from '../../server/domain/messages/message-flags.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { InSql } from '../log/write-batch.ts'

/** The newest unread messages that count for one user; older ones count as read. Clients list at most this many. */
export const UNREAD_MAX = 50_000

/** An unread message, with the fields that counts need. */
export interface UnreadMessage {
  readonly id: MessageId
  readonly channelId: ChannelId | null
  readonly topic: string
  readonly userIds: readonly UserId[] | null
  readonly isMentioned: boolean
}

/** Ids scanned in the first window, newest first; each further window is four times as long. */
const WINDOW_LENGTH = 65_536
const WINDOWS_MAX = 20
/** More events than there will ever be; times a user id it still fits into 64 bits. */
const EVENTS_MAX = 2 ** 40

/**
 * The ids of a user's unread messages up to an event, in one channel or everywhere: at most `UNREAD_MAX`, newest first.
 *
 * A message is unread if it was sent to the user, and was always in channels that they were subscribed to, and is
 * neither before its place's mark nor among the mark's exceptions. It is also unread if the mark says so while they are
 * subscribed to its present channel. `Reader` applies the same rules to one message.
 *
 * A message from a sender whom the user had muted is read, unless a mark says otherwise.
 *
 * Messages that never moved are searched in windows of ids, newest first, so that the work does not grow with
 * everything that a user never read. Exceptions are looked up by hash, whatever their place: an array is scanned from
 * its start for each message.
 */
export function unreadIds(
  sql: Sql | Transaction,
  userId: UserId,
  asOf: InSql<number>,
  channelId?: ChannelId,
) {
  const only = sql`${channelId ?? null}::int`
  return sql`
    with mark as materialized (select * from read_marks where user_id = ${userId}),
    read as materialized (select unnest(read_ids) as id from mark),
    muting as materialized (${mutingBounds(sql, userId)}),
    everywhere as materialized (
      select coalesce(max(through_id) filter (where place = 0), 0) as through_id from mark),
    newest as materialized (
      select least(${asOf}::bigint, (select coalesce(max(id), 0) from messages)) as id),
    subscription as materialized (
      select s.channel_id, s.from_id, greatest(s.from_id, k.through_id, e.through_id) as low
      from subscription_spans s cross join everywhere e left join mark k on k.place = s.channel_id::bigint * 2
      where s.user_id = ${userId} and s.until_id is null
        and (${only} is null or s.channel_id = ${only})
    ), conversation as materialized (
      select c.id, greatest(k.through_id, e.through_id) as low
      from conversations c cross join everywhere e left join mark k on k.place = c.id::bigint * 2 + 1
      where c.user_ids @> array[${userId}::int] and ${only} is null
    ), age as materialized (
      select n, newest.id - ${WINDOW_LENGTH}::bigint * (4::numeric ^ n)::bigint as low,
        case n when 0 then newest.id else newest.id - ${WINDOW_LENGTH}::bigint * (4::numeric ^ (n - 1))::bigint end as high
      from newest, generate_series(0, ${WINDOWS_MAX}) n
    ), unmoved as (
      select found.id from (select low, high from age where high > 0 order by n) age, lateral (
        select in_window.id from (
          select in_channel.id from subscription s, lateral (
            select m.id from messages m
            where m.channel_id is not null and (m.channel_id, m.id) > (s.channel_id, greatest(s.low, age.low))
              and (m.channel_id, m.id) <= (s.channel_id, age.high) and m.placed_id is null
              and ${isUnreadAtSending(sql, userId)} and m.id not in (select id from read) and ${isSenderUnmuted(sql)}
            order by m.channel_id desc, m.id desc limit ${UNREAD_MAX}) in_channel
          union all
          select in_conversation.id from conversation c, lateral (
            select m.id from messages m
            where m.conversation_id is not null and (m.conversation_id, m.id) > (c.id, greatest(c.low, age.low))
              and (m.conversation_id, m.id) <= (c.id, age.high)
              and ${isUnreadAtSending(sql, userId)} and m.id not in (select id from read) and ${isSenderUnmuted(sql)}
            order by m.conversation_id desc, m.id desc limit ${UNREAD_MAX}) in_conversation) in_window
        order by in_window.id desc limit ${UNREAD_MAX}) found
      limit ${UNREAD_MAX}
    ), moved as (
      select m.id from subscription s, lateral (
        select m.* from messages m
        -- As a range of the index: the planner underestimates these messages, and would read them all for each channel.
        where m.placed_id is not null and (m.channel_id, m.placed_id) > (s.channel_id, s.from_id)
          and (m.channel_id, m.placed_id) <= (s.channel_id, ${EVENTS_MAX}::bigint) offset 0) m
      where m.id <= ${asOf}::bigint and ${isUnreadAtSending(sql, userId)}
        and m.id > (select through_id from everywhere)
        and m.id not in (select id from read) and ${isSenderUnmuted(sql)}
        and not exists (select 1 from mark k where k.place = ${placeOfMessage(sql)} and m.id <= k.through_id)
        and ${stayedSubscribed(sql, userId)}
    ), excepted as (
      select m.id from mark k, unnest(k.unread_ids) e join messages m on m.id = e
      where m.id <= ${asOf}::bigint
        and (m.channel_id in (select channel_id from subscription) or (m.channel_id is null and ${only} is null))
    )
    select id from (
      select id from unmoved union select id from moved union select id from excepted) all_unread
    order by id desc limit ${UNREAD_MAX}`
}

/**
 * The spans in which a user had muted others, as one ascending list of alternating starts and ends. Each number is the
 * muted user's id times `EVENTS_MAX`, plus the event.
 */
const mutingBounds = (sql: Sql | Transaction, userId: UserId) => sql`
  select coalesce(array_agg(u.muted_id * ${EVENTS_MAX}::bigint + bound order by u.muted_id, bound), '{}') as bounds
  from mutings u, unnest(array[u.from_id, coalesce(u.until_id, ${EVENTS_MAX}::bigint - 1)]) bound
  where u.user_id = ${userId}`

/**
 * Whether the sender of a message `m` was not muted then: an even number of starts and ends lies before it. `<>` tells
 * the planner that most senders were not.
 */
const isSenderUnmuted = (sql: Sql | Transaction) => sql`width_bucket(
  m.sender_id * ${EVENTS_MAX}::bigint + m.id, (select bounds from muting)) % 2 <> 1`

/** Whether a message `m` was unread for the user when it was sent. */
export const isUnreadAtSending = (sql: Sql | Transaction, userId: AnyUser) =>
  sql`m.read_by_id is distinct from ${userId} and (m.unread_for is null or ${userId} = any(m.unread_for))`

/** The place in which a message `m` was sent. */
export const placeOfMessage = (sql: Sql | Transaction) =>
  sql`coalesce((m.passed -> 0 ->> 'channelId')::bigint * 2, m.channel_id::bigint * 2, m.conversation_id::bigint * 2 + 1)`

/** The event that moved a message `m` to its present place. */
export const placedId = (sql: Sql | Transaction) => sql`coalesce(m.placed_id, m.id)`

type Fragment = ReturnType<typeof placedId>
/** A user, or an SQL expression for one. */
type AnyUser = UserId | Fragment

/** Whether a user was subscribed to each former channel of a moved message `m` while it was there. */
export const stayedSubscribed = (sql: Sql | Transaction, userId: AnyUser) => sql`not exists (
  select 1 from (
    select (stay ->> 'channelId')::int as channel_id, (stay ->> 'placedId')::bigint as placed_id,
      coalesce(lead((stay ->> 'placedId')::bigint) over (order by place), m.placed_id) as until_id
    from jsonb_array_elements(m.passed) with ordinality as t (stay, place)) stay
  where not ${wasSubscribed(sql, userId, [sql`stay.channel_id`, sql`stay.placed_id`, sql`stay.until_id`])})`

const wasSubscribed = (
  sql: Sql | Transaction,
  userId: AnyUser,
  [channelId, from, until]: readonly [channelId: Fragment, from: Fragment, until: Fragment],
) => sql`exists (select 1 from subscription_spans s
    where s.user_id = ${userId} and s.channel_id = ${channelId} and s.from_id < ${from}
      and (s.until_id is null or s.until_id >= ${until}))`

/** Whether a user received a message `m`: they were present when it was sent, and wherever it moved. */
export const wasReceived = (sql: Sql | Transaction, userId: AnyUser) => sql`(m.conversation_id is not null
  or (${wasSubscribed(sql, userId, [sql`m.channel_id`, placedId(sql), placedId(sql)])}
    and not exists (
      select 1 from jsonb_to_recordset(m.passed) as stay ("channelId" int, "placedId" bigint)
      where not ${wasSubscribed(sql, userId, [sql`stay."channelId"`, sql`stay."placedId"`, sql`stay."placedId"`])})))`

/** Whether a message `m` mentions one of its recipients. */
export const isMentioned = (sql: Sql | Transaction, userId: UserId) => sql`(
  (m.is_for_all or (m.mentions is not null and exists (
    select 1 from mentions n where n.user_id = ${userId} and n.message_id = m.id
      and n.flags & ${MENTION_FLAGS} <> 0)))
  and ${wasReceived(sql, userId)})`

/** Whether a message `m` has an alert word of one of its recipients. */
export const isAlerting = (sql: Sql | Transaction, userId: UserId) => sql`(
  m.mentions is not null and exists (
    select 1 from mentions n where n.user_id = ${userId} and n.message_id = m.id
      and n.flags & ${MESSAGE_FLAGS.has_alert_word} <> 0)
  and ${wasReceived(sql, userId)})`

/**
 * A user's unread messages up to an event, ascending. The array makes the database look up ids one by one, however few.
 */
export async function readUnread(sql: Sql, userId: UserId, asOf: EventId): Promise<UnreadMessage[]> {
  const rows = await sql<UnreadMessage[]>`
    select m.id, m.channel_id as "channelId", m.topic, ${isMentioned(sql, userId)} as "isMentioned",
      (select user_ids from conversations c where c.id = m.conversation_id) as "userIds"
    from messages m where m.id = any(array(${unreadIds(sql, userId, asOf)})) order by m.id`
  return [...rows]
}

/** Whether a user has unread messages. */
export async function hasUnread(sql: Sql, userId: UserId, asOf: EventId): Promise<boolean> {
  const rows = await sql`select 1 from (${unreadIds(sql, userId, asOf)}) unread limit 1`
  return rows.length > 0
}
