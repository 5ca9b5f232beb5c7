/** Imported messages as events about unread messages name them. */

import type { UnreadDetails } from '../../server/domain/events/messages.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { MENTION_FLAGS } from '../../server/domain/messages/message-flags.ts'
import type { Place } from '../../server/domain/messages/places.ts'
import type { Sql } from '../connection/connect.ts'
import { placeOfMessage } from '../unread/unread.ts'
import type { ImportKey } from './imported-ids.ts'

/** A message that is to become unread, and the place in which it was sent. */
interface UnreadMessage {
  readonly place: Place
  readonly details: UnreadDetails
}

/** The imported messages of these keys, ascending, for one of their readers; without those that were deleted. */
export async function findUnreadDetails(
  sql: Sql,
  userId: UserId,
  keys: readonly ImportKey[],
): Promise<readonly UnreadMessage[]> {
  const rows = await sql<(UnreadDetails & { readonly place: Place })[]>`
    select ${placeOfMessage(sql)} as place, m.id as "messageId", m.channel_id as "channelId", m.topic,
      array_remove(c.user_ids, ${userId}::int) as "userIds",
      (m.is_for_all or exists (select from mentions n
        where n.message_id = m.id and n.user_id = ${userId} and n.flags & ${MENTION_FLAGS} <> 0)) as "isMentioned"
    from imported_ids i join messages m on m.id = i.id left join conversations c on c.id = m.conversation_id
    where i.key = any(${[...keys]}::uuid[]) order by m.id`
  return rows.map(({ place, ...details }) => ({ place, details }))
}
