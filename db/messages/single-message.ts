/** One message by its id, with the facts that readers' rights depend on. */

import type { Message } from '../../server/domain/entities.ts'
import type { ChannelId, MessageId, UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import { columns, type Row, toMessage } from './message-rows.ts'

/** A message, independent of rights. */
export interface SingleMessage {
  readonly message: Message
  /** Whether the user was subscribed to its channel when it was sent or moved there; false for direct messages. */
  readonly wasSubscribed: boolean
}

/** The message with an id, with the user's relation to it. */
export async function readMessage(
  sql: Sql,
  id: MessageId,
  userId: UserId,
): Promise<SingleMessage | undefined> {
  const [row] = await sql<(Row & { wasSubscribed: boolean })[]>`
    select ${columns(sql)}, exists (select 1 from subscription_spans s
      where s.user_id = ${userId} and s.channel_id = m.channel_id and coalesce(m.placed_id, m.id) > s.from_id
        and (s.until_id is null or coalesce(m.placed_id, m.id) <= s.until_id)) as "wasSubscribed"
    from messages m where m.id = ${id}`
  if (!row) return undefined
  const { wasSubscribed, ...message } = row
  return { message: toMessage(message), wasSubscribed }
}

/** All users who were subscribed to a channel when a message was sent or moved there. */
export async function readReceivers(sql: Sql, channelId: ChannelId, id: MessageId): Promise<UserId[]> {
  const rows = await sql<{ userId: UserId }[]>`
    select distinct s.user_id as "userId" from subscription_spans s
      join messages m on m.id = ${id} and m.channel_id = s.channel_id
    where s.channel_id = ${channelId} and s.from_id < coalesce(m.placed_id, m.id)
      and (s.until_id is null or s.until_id >= coalesce(m.placed_id, m.id))`
  return rows.map(({ userId }) => userId)
}
