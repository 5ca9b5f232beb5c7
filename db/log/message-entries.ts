/** Rows that are stored with messages, in the write that numbers them: a list of JSON, an entry for each row. */

import type { EventId, MessageId } from '../../server/domain/ids.ts'
import type { InSql, WriteBatch } from './write-batch.ts'

/** A table of such rows. */
export interface EntryTable {
  /** Inserts the entries of a query with columns `message_id` and `entry`, and returns the rows. */
  readonly insert: (entries: string) => string
  /** An expression that wakes workers for the rows that another query inserted. */
  readonly wake: (inserted: string) => string
}

/** The entries as JSON; undefined without any. */
export const encodeEntries = (entries: readonly unknown[]) =>
  entries.length === 0 ? undefined : JSON.stringify(entries)

/** Stores the entries of one message, in the batch that logs it. */
export function storeEntries(
  writes: WriteBatch,
  id: InSql<EventId | MessageId>,
  entries: string | undefined,
  { insert, wake }: EntryTable,
): void {
  if (entries === undefined) return
  const { sql } = writes
  writes.add(sql`
    with entries as (
      select ${id}::bigint as message_id, entry from json_array_elements(${entries}::text::json) entry
    ), waiting as (
      ${sql.unsafe(insert('select * from entries'))}
    )
    select ${sql.unsafe(wake('waiting'))}`)
}
