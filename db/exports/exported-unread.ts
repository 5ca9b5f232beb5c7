/** The unread messages of a user for an export, and the places of messages, as the export names them. */

import type { ChannelId, EventId, MessageId, UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import { unreadIds } from '../unread/unread.ts'

/** The place of messages: a channel, or the partners of a conversation. */
export interface ExportedPlace {
  readonly channelId: ChannelId | null
  readonly userIds: readonly UserId[] | null
}

/** The unread messages of a user by their present places; ids ascend. As clients count them: the newest 50,000. */
export async function readUnreadByPlace(
  sql: Sql,
  userId: UserId,
  asOf: EventId,
): Promise<(ExportedPlace & { readonly messageIds: readonly MessageId[] })[]> {
  return sql<(ExportedPlace & { readonly messageIds: MessageId[] })[]>`
    select m.channel_id as "channelId", c.user_ids as "userIds", array_agg(m.id order by m.id) as "messageIds"
    from messages m left join conversations c on c.id = m.conversation_id
    where m.id in (${unreadIds(sql, userId, asOf)})
    group by m.channel_id, c.user_ids order by min(m.id)`
}

/** The present places of messages; without those that are gone. */
export async function readPlaces(
  sql: Sql,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, ExportedPlace>> {
  if (ids.length === 0) return new Map()
  const rows = await sql<(ExportedPlace & { readonly id: MessageId })[]>`
    select m.id, m.channel_id as "channelId", c.user_ids as "userIds"
    from messages m left join conversations c on c.id = m.conversation_id where m.id = any(${[...ids]}::bigint[])`
  return new Map(rows.map(({ id, ...place }) => [id, place]))
}
