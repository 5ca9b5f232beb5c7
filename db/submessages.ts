/** What users did in polls and lists that messages hold. */

import type { Sql } from './connect.ts'

/** The submessages of a message `m`, the oldest first; null without any. Only what begins with a command has some. */
export const submessagesColumn = (sql: Sql) =>
  sql`(case when not starts_with(m.content, '/') then null else (
    select json_agg(json_build_object('id', s.id, 'messageId', s.message_id, 'senderId', s.sender_id,
        'type', s.type, 'content', s.content) order by s.id)
    from submessages s where s.message_id = m.id) end) as submessages`
