/** Writes the rows of one event without an entry in the log. */

import type { Sql } from '../../../db/connection/connect.ts'
import { WriteBatch } from '../../../db/log/write-batch.ts'

export async function writeAlone(sql: Sql, write: (writes: WriteBatch) => void): Promise<void> {
  const writes = new WriteBatch(sql)
  write(writes)
  await writes.commit(sql)
}
