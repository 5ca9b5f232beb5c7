/** What changed with each edit of a message, kept once it is computed: HTML, as a string of JSON. */

import type { EventId, MessageId } from '../server/domain/ids.ts'
import type { Sql } from './connect.ts'

/** The differences of a message's edits that are known, by the edit's id. */
export async function readDiffs(sql: Sql, id: MessageId): Promise<Map<EventId, string>> {
  const rows = await sql<{ id: EventId; diff: string }[]>`
    select id, encoded_diff as diff from message_edits
    where message_id = ${id} and encoded_diff is not null`
  return new Map(rows.map(({ id: editId, diff }) => [editId, diff]))
}

/**
 * Keeps differences. No event tells of them: they follow from the two versions, which never change, so whoever
 * computes them comes to the same, and nothing is lost where they are not kept.
 */
export async function keepDiffs(sql: Sql, id: MessageId, diffs: ReadonlyMap<EventId, string>): Promise<void> {
  // One by one: a list of such texts would have to be escaped, and few are missing at a time.
  for (const [editId, diff] of diffs) {
    await sql`update message_edits set encoded_diff = ${diff}
      where message_id = ${id} and id = ${editId} and encoded_diff is null`
  }
}
