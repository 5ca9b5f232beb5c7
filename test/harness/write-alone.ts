/** Writes the rows of one event without an entry in the log. */

import type { Sql } from '../../db/connect.ts'
import { beginBatch, WriteBatch } from '../../db/write-batch.ts'

export function writeAlone(sql: Sql, write: (writes: WriteBatch) => void): Promise<void> {
  return beginBatch(sql, async (tx) => {
    const writes = new WriteBatch(tx)
    write(writes)
    await writes.commit(tx)
  })
}
