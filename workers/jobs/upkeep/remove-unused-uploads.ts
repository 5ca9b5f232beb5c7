/** Removes files that nobody uses: those that no message ever linked, those that never came whole, and bytes without a file. */

import { ownersOfRemoved } from '../../../server/audience/messages.ts'
import { appendEvents } from '../../../db/append-events.ts'
import type { Sql } from '../../../db/connect.ts'
import { expireTusUploads } from '../../../db/tus-uploads.ts'
import {
  findRemovedFiles,
  findUnusedUploads,
  forgetRemovedFile,
  giveUpOldArrivals,
  readSpaceUsed,
  requireUnused,
  UsedUploadError,
} from '../../../db/uploads.ts'
import { removeUploads } from '../../../server/decisions/uploads/remove-uploads.ts'
import type { FileStore } from '../../../server/files/file-store.ts'
import { LOG_NOTICE } from '../../../server/log/keep-up.ts'
import { inBatches } from './in-batches.ts'

/** How long a file that no message links is kept: somebody may still be writing the message. */
export const UNUSED_KEPT_MS = 28 * 24 * 3600 * 1000
/** How long a file may take to arrive: no request lasts longer than an hour. */
export const ARRIVING_KEPT_MS = 24 * 3600 * 1000
/** An hour longer than an upload can be gone on with: what is made a file at the end of its day is left alone. */
const RESUMABLE_KEPT_MS = 25 * 3600 * 1000
/** Files in one transaction, for which the log is locked. */
const BATCH_LENGTH = 100

/** A try is lost only to a file that comes, goes or is linked in these milliseconds; an hour later all is tried again. */
const TRIES_MAX = 20

/** What was removed. */
export interface UnusedUploadsResult {
  /** Files that were whole. */
  readonly uploads: number
  readonly arrivals: number
  /** Files whose bytes are gone. */
  readonly files: number
}

/** Removes what nobody uses at that time. May run twice at once, and again after any failure: what is gone is gone. */
export async function removeUnusedUploads(
  sql: Sql,
  fileStore: FileStore,
  now: Date,
): Promise<UnusedUploadsResult> {
  const unusedSince = new Date(now.getTime() - UNUSED_KEPT_MS)
  const arrivingSince = new Date(now.getTime() - ARRIVING_KEPT_MS)
  const uploads = await inBatches(BATCH_LENGTH, () => removeUnused(sql, unusedSince))
  if (uploads > 0) await sql.notify(LOG_NOTICE, '')
  const arrivals = await inBatches(BATCH_LENGTH, (lengthMax) =>
    giveUpOldArrivals(sql, arrivingSince, lengthMax),
  )
  const resumableSince = new Date(now.getTime() - RESUMABLE_KEPT_MS)
  await inBatches(BATCH_LENGTH, (lengthMax) => expireTusUploads(sql, resumableSince, lengthMax))
  return { uploads, arrivals, files: await removeFiles(sql, fileStore) }
}

/** Removes files that no message links, as an event of each: none that was linked since it was found. */
async function removeUnused(sql: Sql, before: Date): Promise<number> {
  for (let tries = 1; ; tries++) {
    const unused = await findUnusedUploads(sql, before, BATCH_LENGTH)
    if (unused.length === 0) return 0
    const spaceUsed = await readSpaceUsed(sql)
    const ids = unused.map(({ id }) => id)
    try {
      await appendEvents(
        sql,
        ownersOfRemoved(removeUploads(spaceUsed, unused)),
        {},
        {
          before: (writes) => requireUnused(writes, ids, before, spaceUsed),
        },
      )
      return unused.length
    } catch (error) {
      if (!(error instanceof UsedUploadError) || tries === TRIES_MAX) throw error
    }
  }
}

/** Removes bytes first and what is known of them then, so that a crash between the two leaves nothing behind. */
async function removeFiles(sql: Sql, fileStore: FileStore): Promise<number> {
  return inBatches(BATCH_LENGTH, async () => {
    const failures: unknown[] = []
    const keys = await findRemovedFiles(sql, BATCH_LENGTH)
    for (const key of keys) {
      try {
        await fileStore.remove(key)
        await forgetRemovedFile(sql, key)
      } catch (error) {
        failures.push(error) // The others go nevertheless, and this one another time.
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} files were not removed`)
    return keys.length
  })
}
