/** Creates the short, private folders for the unix sockets of the services that Parley starts. */
import { mkdtempSync, readdirSync, rmdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isRunning } from './read-process.ts'

const SOCKET_PATH_BYTES_MAX = 103 // sockaddr_un holds 107 on Linux, 103 on macOS.
const SOCKET_NAME_BYTES_MAX = 32 // Room for ".s.PGSQL.5432.lock" or "redis.sock".
const PREFIX = 'parley-'
const ABANDONED_AGE_MS_MIN = 60_000 // Process ids of another container that shares the folder are invisible here.

/**
 * Creates a folder of mode 0700 in the system's temporary folder, with this process's id in its name.
 *
 * The data folder's path may be too long for a socket. Also removes folders that killed processes of the same user left
 * behind.
 */
export function makeSocketFolder(): string {
  const fits = Buffer.byteLength(path.join(tmpdir(), `${PREFIX}1234567-`)) + 6 + SOCKET_NAME_BYTES_MAX
  const base = fits <= SOCKET_PATH_BYTES_MAX ? tmpdir() : '/tmp'
  removeAbandonedFolders(base)
  return mkdtempSync(path.join(base, `${PREFIX}${process.pid}-`))
}

/** Returns the id of the process that created a socket folder. */
export function findSocketFolderOwner(folder: string): number | undefined {
  const match = /^parley-(\d+)-/.exec(path.basename(folder))
  return match ? Number(match[1]) : undefined
}

function removeAbandonedFolders(base: string): void {
  for (const name of readdirSync(base)) {
    const owner = findSocketFolderOwner(name)
    if (owner === undefined || isRunning(owner)) continue
    const folder = path.join(base, name)
    try {
      // A server that is still shutting down keeps its socket, so its folder is not empty; a later call removes it.
      if (Date.now() - statSync(folder).mtimeMs > ABANDONED_AGE_MS_MIN) rmdirSync(folder)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (!['ENOTEMPTY', 'ENOENT', 'EACCES', 'EPERM', 'ENOTDIR'].includes(code ?? '')) throw error
    }
  }
}
