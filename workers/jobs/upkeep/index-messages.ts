/** Brings the search's index up to date: sends leave it to a worker. */

import type { Sql } from '../../../db/connect.ts'
import { addSearchTexts } from '../../../db/message-search.ts'

/** Messages added in one statement. */
const BATCH_LENGTH = 1_000
/** Messages added in one run, so that a long backlog does not keep other jobs waiting. */
const RUN_LENGTH_MAX = 200_000

/** Adds the messages that the index lacks; answers how many. May run twice at once. */
export async function indexMessages(sql: Sql): Promise<number> {
  let total = 0
  while (total < RUN_LENGTH_MAX) {
    const count = await addSearchTexts(sql, BATCH_LENGTH)
    total += count
    if (count === 0) break
  }
  return total
}
