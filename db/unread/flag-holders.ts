/** Users by their flags of one message: for its events, and for read receipts. */

import type { MessageId, UserId } from '../../server/domain/ids.ts'
import { MESSAGE_FLAGS } from '../../server/domain/messages/message-flags.ts'
import type { Sql } from '../connection/connect.ts'
import { placedId, placeOfMessage, stayedSubscribed, wasReceived } from './unread.ts'

/** Users by the flags that they set on a message, or did not; a message is read unless it is unread. */
export interface FlagHolders {
  readonly unreadUserIds: UserId[]
  readonly starredUserIds: UserId[]
  readonly collapsedUserIds: UserId[]
  /** Subscribers who subscribed after it was sent. */
  readonly historicalUserIds: UserId[]
}

/** The users for which it is unread, starred, collapsed or historical; each ascending. */
export async function findFlagHolders(sql: Sql, id: MessageId): Promise<FlagHolders> {
  const [readers, marks] = await Promise.all([
    sql<{ userId: UserId; isUnread: boolean; isHistorical: boolean }[]>`
      select * from (
        select r.user_id as "userId", case
            when m.id = any(k.unread_ids) then true
            when ${isReadByMarks(sql)} or ${isMuted(sql)} then false
            else r.from_id < ${placedId(sql)} and ${stayedSubscribed(sql, sql`r.user_id`)} end as "isUnread",
          not ((r.from_id < ${placedId(sql)} and m.placed_id is null) or ${wasReceived(sql, sql`r.user_id`)})
            as "isHistorical"
        from messages m cross join lateral (${possibleReaders(sql)}) r ${marksOf(sql)}
        where m.id = ${id}) reader
      where "isUnread" or "isHistorical" order by "userId"`,
    sql<{ userId: UserId; flags: number }[]>`
      select user_id as "userId", marks as flags from message_marks where message_id = ${id} order by user_id`,
  ])
  const having = (flag: number) => marks.filter(({ flags }) => flags & flag).map(({ userId }) => userId)
  return {
    unreadUserIds: readers.filter(({ isUnread }) => isUnread).map(({ userId }) => userId),
    starredUserIds: having(MESSAGE_FLAGS.starred),
    collapsedUserIds: having(MESSAGE_FLAGS.collapsed),
    historicalUserIds: readers.filter(({ isHistorical }) => isHistorical).map(({ userId }) => userId),
  }
}

/**
 * Users who received a message and have read it, without its sender; ascending. Users who left its channel before they
 * read it are not included.
 */
export async function findUsersWhoRead(sql: Sql, id: MessageId): Promise<UserId[]> {
  const rows = await sql<{ userId: UserId }[]>`
    select distinct r.user_id as "userId" from messages m cross join lateral (${receivers(sql)}) r
      ${marksOf(sql)}
    where m.id = ${id} and r.user_id <> m.sender_id and m.id <> all(coalesce(k.unread_ids, '{}'))
      and ${isReadByMarks(sql)} and ${stayedSubscribed(sql, sql`r.user_id`)}
    order by r.user_id`
  return rows.map(({ userId }) => userId)
}

/** Users who may have a message `m` unread, and since when they are in its place. */
const possibleReaders = (sql: Sql) => sql`
  select s.user_id, s.from_id from subscription_spans s where s.channel_id = m.channel_id and s.until_id is null
  union all
  select unnest(c.user_ids), 0 from conversations c where c.id = m.conversation_id`

/** Users who were in its place when a message `m` arrived. */
const receivers = (sql: Sql) => sql`
  select s.user_id from subscription_spans s
  where s.channel_id = m.channel_id and s.from_id < ${placedId(sql)}
    and (s.until_id is null or s.until_id >= ${placedId(sql)})
  union all
  select unnest(c.user_ids) from conversations c where c.id = m.conversation_id`

/** Whether a user `r` had muted the sender of a message `m` when it was sent. */
const isMuted = (sql: Sql) => sql`exists (select 1 from mutings u
  where u.muted_id = m.sender_id and u.user_id = r.user_id and u.from_id < m.id
    and (u.until_id is null or u.until_id > m.id))`

/** The read marks of a user `r` for a message `m`. */
const marksOf = (sql: Sql) => sql`
  left join read_marks k on k.user_id = r.user_id and k.place = ${placeOfMessage(sql)}
  left join read_marks every on every.user_id = r.user_id and every.place = 0`

const isReadByMarks = (sql: Sql) =>
  sql`coalesce(m.read_by_id = r.user_id or r.user_id <> all(m.unread_for) or m.id <= every.through_id or m.id <= k.through_id
    or m.id = any(k.read_ids), false)`
