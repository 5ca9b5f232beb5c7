/** Brings the schema of a database up to this release, behind a backup if the operator wants one. */

import { join } from 'node:path'
import type { Sql } from '../../db/connection/connect.ts'
import { compareSchema, migrate } from '../../db/migrate.ts'
import type { Config } from '../config.ts'
import { VERSION } from '../measures/version.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { backUp } from './back-up.ts'
import { BackupError } from './backup-format.ts'

/** The result of an upgrade. */
export interface Upgrade {
  /** The names of the migrations. */
  readonly applied: readonly string[]
  /** The path of the backup; undefined if there was nothing to migrate, nothing to lose, or none is wanted. */
  readonly backup: string | undefined
}

/**
 * Migrates a database. With `UPGRADE_BACKUP_DIR`, an older one that has data gets a backup first; without a whole backup it
 * stays as it is, and this rejects.
 */
export async function upgradeDatabase(sql: Sql, databaseUrl: string, config: Config): Promise<Upgrade> {
  const { done, missing } = await compareSchema(sql)
  const { upgradeBackupFolder: folder } = config
  const isOlder = done.length > 0 && missing.length > 0
  const backup = isOlder && folder !== undefined ? await backUpBefore(databaseUrl, config, folder) : undefined
  return { applied: await migrate(sql), backup }
}

async function backUpBefore(databaseUrl: string, config: Config, folder: string): Promise<string> {
  const time = new Date().toISOString().replaceAll(/[-:]/g, '')
  const path = join(folder, `before-${VERSION}-${time}.tar.zst`)
  try {
    const fileStore = await openFileStore(config)
    const { missing_files: missing } = await backUp({ databaseUrl, fileStore, path })
    if (missing > 0) throw new BackupError(`${path} lacks ${missing} of the files`)
    return path
  } catch (error) {
    throw new BackupError('the database stays as it is: UPGRADE_BACKUP_DIR asks for a backup, which failed', {
      cause: error,
    })
  }
}
