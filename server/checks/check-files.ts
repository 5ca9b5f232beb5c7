/** Tries the places for uploaded files: stores one, reads it, and removes it. */

import { existsSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { createFileKey } from '../files/file-key.ts'
import type { FileStore } from '../files/file-store.ts'
import { openFilePlaces } from '../files/open-file-store.ts'
import { makeDataFolder } from '../services/make-data-folder.ts'
import { type Checked, CheckError } from './finding.ts'

const CONTENT = Buffer.from('A file of parley check-config. It may be removed.\n')

/** Throws what the start or an upload would, or a `CheckError`. */
export async function checkFiles(config: Config): Promise<Checked> {
  const { dataFolder, objectStore, filesIn } = config
  const key = createFileKey()
  const made = missingFolders(join(dataFolder, 'uploads', dirname(key)))
  try {
    makeDataFolder(dataFolder)
    const { folder, store } = await openFilePlaces(config)
    // Earlier files are in the other place, which may be read only.
    if (store && filesIn === 'folder') await store.size(key)
    const isInStore = store !== undefined && filesIn === 'store'
    await tryStore(isInStore ? store : folder, key)
    return isInStore && objectStore
      ? `bucket ${objectStore.bucket}: wrote, read and removed a file`
      : `folder ${join(dataFolder, 'uploads')}: wrote, read and removed a file`
  } finally {
    // A folder of another user, such as root, would keep the server out.
    for (const one of made) removeEmpty(one)
  }
}

async function tryStore(store: FileStore, key: string): Promise<void> {
  await store.write(key, chunks(), CONTENT.length)
  try {
    if (!CONTENT.equals(await store.readAll(key, CONTENT.length)))
      throw new CheckError('it does not give back what was stored')
  } finally {
    await store.remove(key)
  }
}

async function* chunks() {
  yield CONTENT
}

/** The folder and those above it that do not exist, from the inside. */
function missingFolders(folder: string): string[] {
  const missing: string[] = []
  for (let at = folder; !existsSync(at); at = dirname(at)) missing.push(at)
  return missing
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // It was not made, or a server has begun to use it.
  }
}

/** The reason of a failure, with the setting to look at. */
export function explainFiles(config: Config, error: unknown): string {
  const { message, cause } = error as Error
  const reason =
    cause instanceof Error && cause.message !== message ? `${message} (${cause.message})` : message
  const setting = config.objectStore && config.filesIn === 'store' ? 'FILES_URL' : 'DATA_DIR'
  return reason.includes(setting) ? reason : `${setting}: ${reason}`
}
