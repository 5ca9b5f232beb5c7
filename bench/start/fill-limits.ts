/** Fills a user's drafts, scheduled messages and invitations up to their limits, directly in the tables. */

import { connect } from '../../db/connection/connect.ts'
import {
  DRAFTS_MAX,
  INVITATION_MAILS_OF_USER_MAX,
  SCHEDULED_MESSAGES_MAX,
  SCHEDULED_TEXT_LENGTH_MAX,
} from '../../server/domain/limits.ts'
import type { UserId } from '../../server/domain/ids.ts'

/** UNIX seconds in the far future. */
const LATER = 4_000_000_000
/** Characters of Markdown, and of HTML, in one scheduled message. */
const TEXT_LENGTH = Math.floor(SCHEDULED_TEXT_LENGTH_MAX / SCHEDULED_MESSAGES_MAX / 2)

/** Negative ids are those of no event. */
export async function fillLimits(databaseUrl: string, userId: UserId): Promise<void> {
  const sql = connect(databaseUrl, 1, 'bench', { work: 'administration' })
  try {
    await sql`insert into drafts (id, user_id, topic, content, edited_at)
      select -i, ${userId}, '', 'a draft', 1 from generate_series(1, ${DRAFTS_MAX}::int) i`
    // Digits that do not repeat, so that they are stored as large as they are.
    await sql`insert into scheduled_messages (id, user_id, topic, user_ids, content, rendered, deliver_at,
        is_read_by_sender, client, changed_id)
      select -i, ${userId}, '', array[${userId}::int], text, text, ${LATER}, false, '', -i
      from generate_series(1, ${SCHEDULED_MESSAGES_MAX}::int) i, lateral (
        select left(string_agg(md5(i || ' ' || part), ''), ${TEXT_LENGTH}) as text
        from generate_series(1, ${Math.ceil(TEXT_LENGTH / 32)}::int) part) made`
    // Half of a day's: a call with one more than the other half is refused at its end.
    await sql`insert into mails (kind, recipient, user_id, due_at)
      select 'invitation', 'sent' || i || '@example.com', ${userId}, null
      from generate_series(1, ${INVITATION_MAILS_OF_USER_MAX / 2}::int) i`
    await sql`analyze`
  } finally {
    await sql.end()
  }
}
