/** Updates the search index: sends leave it to a worker. */

import type { Sql } from '../../../db/connection/connect.ts'
import { BLOCK_LENGTH } from '../../../server/domain/search/posting-set.ts'
import { indexNextMessages } from '../../../db/search/search-index.ts'

/** Messages added in one transaction: a whole block, so that a backlog writes each term of a block once. */
const BATCH_LENGTH = BLOCK_LENGTH
/** Messages added in one run, so that a long backlog does not block other jobs. */
const RUN_LENGTH_MAX = 200_000

/** Adds missing messages to the index, and updates changed ones; returns their number. Concurrent runs are safe. */
export async function indexMessages(sql: Sql): Promise<number> {
  let total = 0
  while (total < RUN_LENGTH_MAX) {
    const count = await indexNextMessages(sql, BATCH_LENGTH)
    total += count
    if (count === 0) break
  }
  return total
}
