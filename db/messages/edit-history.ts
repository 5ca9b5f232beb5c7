/** Differences between versions of edited messages, stored once they are computed: HTML, as a JSON string. */

import type { EventId, MessageId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'

/** The stored differences of a message's edits, by edit id. */
export async function readDiffs(sql: Sql, id: MessageId): Promise<Map<EventId, string>> {
  const rows = await sql<{ id: EventId; diff: string }[]>`
    select id, encoded_diff as diff from message_edits
    where message_id = ${id} and encoded_diff is not null`
  return new Map(rows.map(({ id: editId, diff }) => [editId, diff]))
}

/**
 * Stores differences. No event reports them: they follow from two versions that never change. Every computation gives
 * the same result, and a failure to store loses nothing.
 */
export async function storeDiffs(
  sql: Sql,
  id: MessageId,
  diffs: ReadonlyMap<EventId, string>,
): Promise<void> {
  // One at a time: an array of such texts would need escaping, and few are missing at once.
  for (const [editId, diff] of diffs) {
    await sql`update message_edits set encoded_diff = ${diff}
      where message_id = ${id} and id = ${editId} and encoded_diff is null`
  }
}

/** Clears differences of edits made before a time in UNIX seconds; returns their number. */
export async function clearOldDiffs(sql: Sql, before: number, countMax: number): Promise<number> {
  const rows = await sql`
    with old as materialized (
      select message_id, id from message_edits
      where encoded_diff is not null and edited_at < ${before}::bigint order by edited_at limit ${countMax}
      for update skip locked
    )
    update message_edits set encoded_diff = null where (message_id, id) in (table old)`
  return rows.count
}
