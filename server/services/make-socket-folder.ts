/** Makes the short, private folders that hold the unix sockets of the servers Parley starts for itself. */
import { mkdtempSync, readdirSync, rmdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isRunning } from './read-process.ts'

const SOCKET_PATH_BYTES_MAX = 103 // sockaddr_un holds 107 on Linux, 103 on macOS.
const SOCKET_NAME_BYTES_MAX = 32 // Room for ".s.PGSQL.5432.lock" or "redis.sock".
const PREFIX = 'parley-'
const ABANDONED_AGE_MS_MIN = 60_000 // A container that shares the folder has process ids we cannot see.

/**
 * Creates a folder of mode 0700 whose name holds this process's id, under the system's temporary folder.
 *
 * Not under the data folder, whose path may be too long for a socket. Folders that killed processes of the same
 * user left behind are removed on the way.
 */
export function makeSocketFolder(): string {
  const fits = Buffer.byteLength(path.join(tmpdir(), `${PREFIX}1234567-`)) + 6 + SOCKET_NAME_BYTES_MAX
  const base = fits <= SOCKET_PATH_BYTES_MAX ? tmpdir() : '/tmp'
  removeAbandonedFolders(base)
  return mkdtempSync(path.join(base, `${PREFIX}${process.pid}-`))
}

/** Returns the id of the process that made a socket folder. */
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
      // A server that is still shutting down keeps its socket, so its folder is not empty and stays for the next time.
      if (Date.now() - statSync(folder).mtimeMs > ABANDONED_AGE_MS_MIN) rmdirSync(folder)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (!['ENOTEMPTY', 'ENOENT', 'EACCES', 'EPERM', 'ENOTDIR'].includes(code ?? '')) throw error
    }
  }
}
