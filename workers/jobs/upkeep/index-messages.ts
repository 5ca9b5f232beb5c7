/** Brings the search's index up to date: sends leave it to a worker. */

import type { Sql } from '../../../db/connect.ts'
import { indexNextMessages } from '../../../db/search-index.ts'

/** Messages added in one transaction: common words are written once for all of them. */
const BATCH_LENGTH = 2_000
/** Messages added in one run, so that a long backlog does not keep other jobs waiting. */
const RUN_LENGTH_MAX = 200_000

/** Adds the messages that the index lacks, and what changed of others; answers how many. May run twice at once. */
export async function indexMessages(sql: Sql): Promise<number> {
  let total = 0
  while (total < RUN_LENGTH_MAX) {
    const count = await indexNextMessages(sql, BATCH_LENGTH)
    total += count
    if (count === 0) break
  }
  return total
}
