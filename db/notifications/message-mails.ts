/** Mails about messages: what waits for one conversation becomes one mail. */

import type { MessageId, UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import { MAIL_NOTICE } from '../mail/mails.ts'

/** Mails about messages that a user gets in an hour: with more, the next one gathers more. */
const MESSAGE_MAILS_PER_HOUR_MAX = 60

/**
 * Turns everything that waits for a user in the conversation of a message into one mail; false if the user has got so many
 * mails that this must wait. One statement: a worker that ends here leaves either the notifications or the mail.
 */
export async function queueMessageMail(sql: Sql, userId: UserId, messageId: MessageId): Promise<boolean> {
  const [row] = await sql<{ hasRoom: boolean }[]>`
    with room as (
      select count(*) < ${MESSAGE_MAILS_PER_HOUR_MAX} as "hasRoom" from mails
      where kind = 'messages' and user_id = ${userId} and asked_at > now() - interval '1 hour'
    ), place as (
      select channel_id, conversation_id, lower(topic) as topic from messages where id = ${messageId}
    ), waiting as materialized (
      select p.message_id from pending_notifications p join messages m on m.id = p.message_id, place, room
      where p.way = 'mail' and p.user_id = ${userId} and "hasRoom"
        and m.channel_id is not distinct from place.channel_id
        and m.conversation_id is not distinct from place.conversation_id and lower(m.topic) = place.topic
      order by p.message_id for update of p
    ), taken as (
      delete from pending_notifications p using waiting w
      where p.way = 'mail' and p.user_id = ${userId} and p.message_id = w.message_id returning p.message_id
    ), mailed as (
      insert into mails (kind, recipient, user_id, details)
      select 'messages', email, id,
        json_build_object('messageIds', (select json_agg(message_id order by message_id) from taken))
      from users where id = ${userId} and exists (select from taken)
      returning 1
    )
    select "hasRoom", (select count(pg_notify(${MAIL_NOTICE}, '')) from mailed) from room`
  return row?.hasRoom === true
}
