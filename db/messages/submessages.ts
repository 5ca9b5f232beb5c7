/** Submessages: users' actions in polls and to-do lists. */

import type { SubmessageAdded } from '../../server/domain/events/messages.ts'
import type { EventId } from '../../server/domain/ids.ts'
import { SUBMESSAGES_LENGTH_MAX } from '../../server/domain/limits.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import { StaleMessageError } from './stale-message.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'

/** The submessages of a message `m`, oldest first; null for none. */
export const submessagesOf = (sql: Sql | Transaction) =>
  sql`(
    select json_agg(json_build_object('id', s.id, 'messageId', s.message_id, 'senderId', s.sender_id,
        'type', s.type, 'content', s.content) order by s.id)
    from submessages s where s.message_id = m.id)`

/** Stores a submessage, if the message exists and has room for it. */
export function storeSubmessage(writes: WriteBatch, id: InSql<EventId>, event: SubmessageAdded): void {
  const { messageId, channelId, senderId, content } = event
  writes.change(
    writes.sql`
    insert into submessages (id, message_id, sender_id, type, content)
    select ${id}, m.id, ${senderId}, 'widget', ${content} from messages m
    where m.id = ${messageId} and m.channel_id is not distinct from ${channelId}::int
      and (select coalesce(sum(length(s.content)), 0) from submessages s where s.message_id = m.id)
        <= ${SUBMESSAGES_LENGTH_MAX - content.length}`,
    1,
    () => new StaleMessageError(),
  )
}

/** Stores the first submessage of a message. */
export function storeOpening(
  writes: WriteBatch,
  id: InSql<EventId>,
  senderId: number,
  content: string,
): void {
  writes.add(writes.sql`insert into submessages (id, message_id, sender_id, type, content)
    values (${id}, ${id}, ${senderId}, 'widget', ${content})`)
}
