/** The archive of an import as a file that its readers can open anywhere in. */

import { createWriteStream, lstatSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { readLogName } from '../../../db/log/event-log.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import type { ImportArchive } from '../../../server/domain/organization/imports.ts'
import { ImportError } from '../../../server/changes/imports/records.ts'
import { FileMissingError, type FileStore } from '../../../server/files/file-store.ts'

/** The surroundings of a copy. */
export interface CopyParts {
  readonly sql: Sql
  readonly fileStore: FileStore
  readonly signal: AbortSignal
}

/**
 * Calls `use` with the path of an archive: its own, or that of a copy in the system's temporary folder, which only this
 * user of the system may read, and which is removed again. Rejects with an `ImportError` if the store has no such file.
 */
export async function withLocalArchive<Result>(
  { sql, fileStore, signal }: CopyParts,
  { key }: ImportArchive,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const there = await fileStore.localPath(key)
  if (there !== undefined) return use(there)
  const folder = await mkdtemp(join(tmpdir(), await copyPrefix(sql)))
  try {
    const path = join(folder, 'archive')
    const bytes = await fileStore.open(key).catch(refuseMissing)
    await pipeline(bytes, createWriteStream(path, { mode: 0o600 }), { signal }).catch(refuseMissing)
    return await use(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The folders of all copies of this organization's archives on this host: also those of processes that were killed. */
export async function findCopies(sql: Sql): Promise<string[]> {
  const prefix = await copyPrefix(sql)
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix))
  return names.map((name) => join(tmpdir(), name)).filter(isOwn)
}

/** Removes copies. Only the holder of the import lock may, since nobody else needs one then. */
export async function removeCopies(folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
}

/** How the names of copies begin. Workers of other organizations may share the host, and have locks of their own. */
async function copyPrefix(sql: Sql): Promise<string> {
  return `parley-archive-${await readLogName(sql)}-`
}

/** Whether a folder belongs to this user of the system: anyone may make one with such a name. */
function isOwn(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === process.getuid?.()
}

function refuseMissing(error: unknown): never {
  if (!(error instanceof FileMissingError)) throw error
  throw new ImportError('the archive is no longer in the file store', { cause: error })
}
