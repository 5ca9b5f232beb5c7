/** What changed with each edit of a message, as HTML that is kept once it is computed. */

import type { EventId, MessageId } from '../server/domain/ids.ts'
import type { Sql } from './connect.ts'

/** The differences of a message's edits that are known, by the edit's id. */
export async function readDiffs(sql: Sql, id: MessageId): Promise<Map<EventId, string>> {
  const rows = await sql<{ id: EventId; diff: string }[]>`
    select id, content_html_diff as diff from message_edits
    where message_id = ${id} and content_html_diff is not null`
  return new Map(rows.map(({ id: editId, diff }) => [editId, diff]))
}

/**
 * Keeps differences. No event tells of them: they follow from the two versions, which never change, so whoever
 * computes them comes to the same, and nothing is lost where they are not kept.
 */
export async function keepDiffs(sql: Sql, id: MessageId, diffs: ReadonlyMap<EventId, string>): Promise<void> {
  await sql`
    update message_edits e set content_html_diff = kept.diff
    from unnest(${[...diffs.keys()]}::bigint[], ${[...diffs.values()]}::text[]) kept (id, diff)
    where e.message_id = ${id} and e.id = kept.id and e.content_html_diff is null`
}
