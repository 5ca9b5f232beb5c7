/** What messages were before they were edited. */

import type { Sql } from './connect.ts'

/** The edits of a message `m`, the newest first; null without any. */
export const editsColumn = (sql: Sql) =>
  sql`(case when m.edited_at is null and m.moved_at is null then null else (
    select json_agg(json_strip_nulls(json_build_object('id', e.id, 'userId', e.user_id, 'editedAt', e.edited_at,
        'content', case when e.prev_content is not null
          then json_build_object('previous', e.prev_content, 'previousRendered', e.prev_rendered) end,
        'topic', case when e.prev_topic is not null
          then json_build_object('previous', e.prev_topic, 'now', e.topic) end,
        'channelId', case when e.prev_channel_id is not null
          then json_build_object('previous', e.prev_channel_id, 'now', e.channel_id) end)) order by e.id desc)
    from message_edits e where e.message_id = m.id) end) as edits`
