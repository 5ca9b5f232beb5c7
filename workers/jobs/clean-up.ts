/** Removes what is over: queues nobody polls, days of the log no queue can ask for, marks of old sends, pictures of nothing. */

import type { Sql } from '../../db/connect.ts'
import { removeOldEvents } from '../../db/event-log.ts'
import { removeOldSendMarks } from '../../db/messages.ts'
import { removeOrphanPictures } from '../../db/pictures.ts'
import { removeExpiredQueues } from '../../db/queues.ts'
import { removeOldScheduled } from '../../db/scheduled-messages.ts'

/** A day more than the longest a queue may idle: no cursor points further back. */
const LOG_KEPT_MS = 8 * 24 * 3600 * 1000
/** Web processes note the use of queues once a minute; twice that is surely noted. */
const QUEUE_GRACE_SECONDS = 120
/** An upload is over by then, and its event committed or not. */
const ORPHAN_MS = 24 * 3600 * 1000
/** Rows removed in one statement: none holds its locks for long. */
const BATCH_LENGTH = 5_000

/** What was removed. */
export interface CleanUpResult {
  readonly queues: number
  readonly events: number
  readonly marks: number
  readonly pictures: number
}

/** Removes everything that is over at that time, in batches. May run twice at once. */
export async function cleanUp(sql: Sql, now: Date): Promise<CleanUpResult> {
  const queues = await removeExpiredQueues(sql, now, QUEUE_GRACE_SECONDS)
  const before = new Date(now.getTime() - LOG_KEPT_MS)
  const events = await inBatches(() => removeOldEvents(sql, before, BATCH_LENGTH))
  const marks =
    (await inBatches(() => removeOldSendMarks(sql, BATCH_LENGTH))) +
    (await inBatches(() => removeOldScheduled(sql, BATCH_LENGTH)))
  const unnamedSince = new Date(now.getTime() - ORPHAN_MS)
  const pictures = await inBatches(() => removeOrphanPictures(sql, unnamedSince, BATCH_LENGTH))
  return { queues, events, marks, pictures }
}

async function inBatches(remove: () => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const count = await remove()
    total += count
    if (count < BATCH_LENGTH) return total
  }
}
