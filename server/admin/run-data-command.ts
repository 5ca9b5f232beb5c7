/** Runs a command on all data: it needs no organization in memory, and no schema of this release. */

import { setPriority } from 'node:os'
import type { Config } from '../config.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { backUp } from './back-up.ts'
import { check } from './check.ts'
import { compareExports } from './compare/compare-exports.ts'
import { exportToFile } from './export-to-file.ts'
import { publicUrlOf } from './public-url.ts'
import { openAnyDatabase, openDatabase } from './open-database.ts'
import type { DataCommand } from './parse-command.ts'
import { openBackup, restore } from './restore.ts'

/** Servers on the same machine go first. */
const NICENESS = 10

/** Runs a command and returns its output. */
export async function runDataCommand(command: DataCommand, config: Config): Promise<unknown> {
  if (command.kind === 'compare') {
    setPriority(NICENESS)
    return compareExports(command.path, command.otherPath)
  }
  const fileStore = await openFileStore(config)
  if (command.kind === 'check' || command.kind === 'export') {
    if (command.kind === 'export') setPriority(NICENESS)
    const database = await openDatabase(config)
    try {
      return command.kind === 'check'
        ? await check(database.url, fileStore)
        : await exportToFile({
            ...command,
            databaseUrl: database.url,
            fileStore,
            publicUrl: publicUrlOf(config),
          })
    } finally {
      await database.close()
    }
  }
  // A file that is no backup is refused before an embedded database is made for it.
  const opened = command.kind === 'restore' ? await openBackup(command.path) : undefined
  setPriority(NICENESS)
  const database = await openAnyDatabase(config)
  const { url: databaseUrl } = database
  try {
    return opened && command.kind === 'restore'
      ? await restore(opened, { ...command, databaseUrl, fileStore })
      : await backUp({ databaseUrl, fileStore, path: command.path })
  } finally {
    await database.close()
  }
}
