/** Tells which of some messages are unread for their readers, without reading all that is unread for each. */

import type { MessageId, UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import { isUnreadAtSending, placedId, placeOfMessage, stayedSubscribed } from './unread.ts'

/** A message and a user who may be its reader. */
export interface ReaderOfMessage {
  readonly userId: UserId
  readonly messageId: MessageId
}

/**
 * The pairs whose message is unread for the user, which includes that the user may read it, in the given order. The same
 * rules as `unreadIds`, but for its bound: messages beyond the newest that count are unread here.
 */
export async function filterUnread<Pair extends ReaderOfMessage>(
  sql: Sql,
  pairs: readonly Pair[],
): Promise<readonly Pair[]> {
  if (pairs.length === 0) return []
  const reader = sql`p.user_id`
  const rows = await sql<{ index: number }[]>`
    select p.index::int as index
    from unnest(${pairs.map(({ userId }) => userId)}::int[], ${pairs.map(({ messageId }) => messageId)}::bigint[])
        with ordinality p (user_id, message_id, index)
      join messages m on m.id = p.message_id
      -- By its own query: planned as a part of this one, it may read all members of the channel for each pair.
      left join lateral (select channel_id, from_id from subscription_spans
        where user_id = p.user_id and channel_id = m.channel_id and until_id is null limit 1) s on true
      left join conversations c on c.id = m.conversation_id
    where (m.channel_id is null or s.channel_id is not null) and (
      (${isUnreadAtSending(sql, reader)}
        and (p.user_id = any(c.user_ids) or (s.from_id < ${placedId(sql)}
          and (m.placed_id is null or ${stayedSubscribed(sql, reader)})))
        and not exists (select from mutings u where u.user_id = p.user_id and u.muted_id = m.sender_id
          and u.from_id <= m.id and (u.until_id is null or u.until_id > m.id))
        and not exists (select from read_marks k where k.user_id = p.user_id and (
          m.id = any(k.read_ids) or (k.place in (0, ${placeOfMessage(sql)}) and k.through_id >= m.id))))
      or exists (select from read_marks k where k.user_id = p.user_id and m.id = any(k.unread_ids)))
    order by p.index`
  return rows.map(({ index }) => pairs[index - 1] as Pair)
}
