/** One consistent view of the database for an export, read beside running servers. */

import { openConsistently } from '../backup/backup-snapshot.ts'
import type { Sql, Transaction } from '../connection/connect.ts'

/** A snapshot; `tx` is its one connection. */
export interface ExportSnapshot {
  readonly tx: Sql & Transaction
  close(): Promise<void>
}

/** Opens a snapshot. */
export function openExportSnapshot(url: string): Promise<ExportSnapshot> {
  return openConsistently(url, 'parley-export', async (connection, close) => ({
    // A transaction of its own kind: the driver's differs by its savepoints alone.
    tx: connection as unknown as Sql & Transaction,
    close,
  }))
}
