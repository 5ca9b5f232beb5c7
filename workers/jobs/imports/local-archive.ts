/** The archive of an import as a file that its readers can open anywhere in. */

import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ImportArchive } from '../../../server/domain/organization/imports.ts'
import { ImportError } from '../../../server/changes/imports/records.ts'
import { FileMissingError, type FileStore } from '../../../server/files/file-store.ts'

/**
 * Calls `use` with the path of an archive: its own, or that of a copy in the system's temporary folder, which is removed
 * again. A copy that a killed process left is replaced, since its name follows from the key. Rejects with an
 * `ImportError` if the store has no such file.
 */
export async function withLocalArchive<Result>(
  { fileStore, signal }: { readonly fileStore: FileStore; readonly signal: AbortSignal },
  { key }: ImportArchive,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const there = await fileStore.localPath(key)
  if (there !== undefined) return use(there)
  const folder = join(tmpdir(), `parley-import-${key.replace('/', '-')}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const path = join(folder, 'archive')
    const bytes = await fileStore.open(key).catch(refuseMissing)
    await pipeline(bytes, createWriteStream(path, { mode: 0o600 }), { signal }).catch(refuseMissing)
    return await use(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function refuseMissing(error: unknown): never {
  if (!(error instanceof FileMissingError)) throw error
  throw new ImportError('the archive is no longer in the file store', { cause: error })
}
