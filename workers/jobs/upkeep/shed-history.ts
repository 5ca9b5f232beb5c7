/** Removes what messages needed that are gone by now, and what can be computed again. */

import type { Sql } from '../../../db/connection/connect.ts'
import { clearOldDiffs } from '../../../db/messages/edit-history.ts'
import { removeEndedMutings, removeEndedSubscriptions } from '../../../db/backup/ended-spans.ts'
import { DAY_SECONDS } from '../../../server/domain/messages/weekly-traffic.ts'
import { inBatches } from './in-batches.ts'

/** Days for which differences of an edit are stored: most histories are read soon after the edit. */
const DIFF_DAYS = 28
/** Rows per statement. */
const BATCH_LENGTH = 2_000

/** Counts of removed rows. */
export interface ShedResult {
  readonly subscriptions: number
  readonly mutings: number
  readonly diffs: number
}

/** Removes what is not needed at a time. Concurrent runs are safe. */
export async function shedHistory(sql: Sql, nowSeconds: number): Promise<ShedResult> {
  const editedBefore = nowSeconds - DIFF_DAYS * DAY_SECONDS
  return {
    subscriptions: await removeEndedSubscriptions(sql, BATCH_LENGTH),
    mutings: await removeEndedMutings(sql, BATCH_LENGTH),
    diffs: await inBatches(BATCH_LENGTH, (lengthMax) => clearOldDiffs(sql, editedBefore, lengthMax)),
  }
}
