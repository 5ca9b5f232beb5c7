/** One consistent view of the database for an export, read beside running servers. */

import { BACKUP_LOCK } from '../backup/backup-snapshot.ts'
import { connect, type Sql, type Transaction } from '../connection/connect.ts'

/** A snapshot; `tx` is its one connection. */
export interface ExportSnapshot {
  readonly tx: Sql & Transaction
  close(): Promise<void>
}

/**
 * Opens a snapshot. As long as it is open, no bytes of files are removed: `removalMayRun` looks for its lock. So each
 * file that the snapshot names is there.
 */
export async function openExportSnapshot(url: string): Promise<ExportSnapshot> {
  const sql = connect(url, 1, 'parley-export', { work: 'backups' })
  try {
    await sql`select` // The driver reserves only a connection that is open already.
    const connection = await sql.reserve()
    // Before the snapshot: rows that it does not see any more may lose their bytes.
    await connection`select pg_advisory_lock_shared(${BACKUP_LOCK})`
    await connection`begin isolation level repeatable read read only`
    // A transaction of its own kind: the driver's differs by its savepoints alone.
    return { tx: connection as unknown as Sql & Transaction, close: () => sql.end({ timeout: 0 }) }
  } catch (error) {
    await sql.end({ timeout: 0 })
    throw error
  }
}
