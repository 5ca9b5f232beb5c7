/** Finds files in the store that no row names, such as those of a database that was restored from an older backup. */

import type { Sql } from '../../../db/connection/connect.ts'
import { recordStrayFiles } from '../../../db/files/uploads.ts'
import type { FileStore } from '../../../server/files/file-store.ts'

/** Milliseconds for which a file may be without a row; a file that arrives has one, so nothing depends on it. */
const STRAY_RETENTION_MS = 48 * 3600 * 1000
/** Keys in one statement. */
const BATCH_LENGTH = 500

/** Records stray files for removal, and gives up uploads that the store still waits for; returns their number. */
export async function findStrayFiles(
  sql: Sql,
  fileStore: FileStore,
  { organizationId, now }: { readonly organizationId: string; readonly now: Date },
): Promise<number> {
  const before = new Date(now.getTime() - STRAY_RETENTION_MS)
  let found = 0
  let keys: string[] = []
  for await (const key of fileStore.sweep(before, organizationId)) {
    keys.push(key)
    if (keys.length < BATCH_LENGTH) continue
    found += await recordStrayFiles(sql, keys)
    keys = []
  }
  return found + (await recordStrayFiles(sql, keys))
}
