/** The files in the store of a test server, wherever it is. */

import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { countBytes } from './start-object-store.ts'
import type { TestServer } from '../servers/start-server.ts'
import { hasTwoServers, sharedStore } from '../servers/two-servers.ts'

interface Place {
  readonly databaseUrl: string
  readonly config: Pick<TestServer['config'], 'dataFolder'>
}

const folderOf = ({ config }: Place) => join(config.dataFolder, 'uploads')

/** The names of files, complete or not. An object store has nothing of a file before its first part of 5 MiB. */
export async function listFiles(server: Place): Promise<string[]> {
  if (!hasTwoServers()) {
    const names = await readdir(folderOf(server), { recursive: true }).catch(() => [])
    return names.filter((name) => name.endsWith('original'))
  }
  const store = await sharedStore()
  const prefix = new URL(server.databaseUrl).pathname.slice(1)
  const names = await store.objects()
  const whole = names.filter((name) => name.startsWith(`${prefix}/`) && name.endsWith('original'))
  return [...whole, ...(await store.uploads())]
}

/** The bytes of all files of the folder, or of the store that the servers of a test file share. */
export async function countStoredBytes(server: Place): Promise<number> {
  return hasTwoServers() ? (await sharedStore()).bytes() : countBytes(folderOf(server))
}

/** Makes the store refuse everything; the result makes it work again. */
export async function breakStore(server: Place): Promise<() => Promise<void>> {
  if (hasTwoServers()) {
    const store = await sharedStore()
    await store.stop()
    return () => store.start()
  }
  const folder = folderOf(server)
  await rename(folder, `${folder}-aside`)
  await writeFile(folder, 'no folder')
  return async () => {
    await rm(folder)
    await rename(`${folder}-aside`, folder)
  }
}
