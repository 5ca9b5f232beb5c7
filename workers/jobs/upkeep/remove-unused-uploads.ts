/** Removes unused files: files that no message ever linked, incomplete files, and bytes without a file. */

import { ownersOfRemoved } from '../../../server/audience/attachments.ts'
import { appendEvents } from '../../../server/events/append-events.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import { expireTusUploads } from '../../../db/files/tus-uploads.ts'
import {
  findRemovedFiles,
  findUnusedUploads,
  deleteFileRecord,
  giveUpOldArrivals,
  readSpaceUsed,
  requireUnused,
  UploadInUseError,
} from '../../../db/files/uploads.ts'
import { removeUploads } from '../../../server/decisions/uploads/remove-uploads.ts'
import { FilesAwayError, type FileStore } from '../../../server/files/file-store.ts'
import { LOG_NOTICE } from '../../../server/log/tail-log.ts'
import { inBatches } from './in-batches.ts'

/** Milliseconds for which a file without a link is kept: its owner may still be writing the message. */
export const UNUSED_RETENTION_MS = 28 * 24 * 3600 * 1000
/** Milliseconds for which a file may arrive: no request lasts longer than an hour. */
export const ARRIVAL_RETENTION_MS = 24 * 3600 * 1000
/** An hour longer than a resumable upload can continue: a file that completes at the end of its day stays. */
const RESUMABLE_RETENTION_MS = 25 * 3600 * 1000
/** Files in one transaction, which locks the log. */
const BATCH_LENGTH = 100

/**
 * Attempts: one fails only if a file arrives, goes or is linked within milliseconds. An hour later the job runs again.
 */
const TRIES_MAX = 20

/** Counts of removed files. */
export interface UnusedUploadsResult {
  /** Complete files. */
  readonly uploads: number
  readonly arrivals: number
  /** Files whose bytes were removed. */
  readonly files: number
}

/** Removes files that are unused at that time. Concurrent runs are safe, as is a retry after any failure. */
export async function removeUnusedUploads(
  sql: Sql,
  fileStore: FileStore,
  now: Date,
): Promise<UnusedUploadsResult> {
  const unusedSince = new Date(now.getTime() - UNUSED_RETENTION_MS)
  const arrivingSince = new Date(now.getTime() - ARRIVAL_RETENTION_MS)
  const uploads = await inBatches(BATCH_LENGTH, () => removeUnused(sql, unusedSince))
  if (uploads > 0) await sql.notify(LOG_NOTICE, '')
  const arrivals = await inBatches(BATCH_LENGTH, (lengthMax) =>
    giveUpOldArrivals(sql, arrivingSince, lengthMax),
  )
  const resumableSince = new Date(now.getTime() - RESUMABLE_RETENTION_MS)
  await inBatches(BATCH_LENGTH, (lengthMax) => expireTusUploads(sql, resumableSince, lengthMax))
  return { uploads, arrivals, files: await removeFiles(sql, fileStore) }
}

/** Removes files without a link, with an event for each; keeps a file that was linked since it was found. */
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
      if (!(error instanceof UploadInUseError) || tries === TRIES_MAX) throw error
    }
  }
}

/** Removes the bytes first and their record afterwards, so that a crash between the two leaves nothing behind. */
async function removeFiles(sql: Sql, fileStore: FileStore): Promise<number> {
  return inBatches(BATCH_LENGTH, async () => {
    const failures: unknown[] = []
    const keys = await findRemovedFiles(sql, BATCH_LENGTH)
    for (const key of keys) {
      try {
        await fileStore.remove(key)
        await deleteFileRecord(sql, key)
      } catch (error) {
        if (error instanceof FilesAwayError) throw error // The others would wait as long, each of them.
        failures.push(error) // Continue with the others, and retry this one in the next run.
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} files were not removed`)
    return keys.length
  })
}
