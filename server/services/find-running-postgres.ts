/** Whether a private PostgreSQL runs on a data folder, by the lock file that it keeps there. */

import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findSocketFolderOwner } from './make-socket-folder.ts'
import { formatAddress } from './postgres-address.ts'
import { findParent, findWorkingFolder, isIdTaken, isRunning } from './read-process.ts'

/** How long the processes of a killed server may hold its folder and shared memory. */
export const RELEASE_MS_MAX = 10_000
/** How long a killed owner may take to be gone, on a busy machine. */
const OWNER_MS_MAX = 1_000
/** Between two looks at whether they still do. */
export const RELEASE_POLL_MS = 100

/**
 * Finds the private server that already runs on a data folder, and returns its url, as {@link launchPostgres} does;
 * undefined when none runs.
 */
export function findRunningPostgres(dataFolder: string): string | undefined {
  const folder = path.join(path.resolve(dataFolder), 'postgres')
  const lock = readLock(folder)
  if (!lock?.isReady || !isServerAlive(lock.pid, folder)) return undefined
  return formatAddress(lock.socketFolder, lock.port)
}

/** What the lock file says. */
export interface Lock {
  pid: number
  port: number
  socketFolder: string
  isReady: boolean
}

/** Reads the lock file of a PostgreSQL server, which it keeps while it runs and leaves behind when it is killed. */
export function readLock(folder: string): Lock | undefined {
  let text: string
  try {
    text = fs.readFileSync(path.join(folder, 'postmaster.pid'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  // Lines: pid, data folder, start time, port, socket folder, listen address, shared memory key, state.
  const [pid, , , port, socketFolder = '', , , state = ''] = text.split('\n')
  return { pid: Number(pid), port: Number(port), socketFolder, isReady: state.startsWith('ready') }
}

/** Tells whether a process is a server on the folder, which is where PostgreSQL works; its id alone may be reused. */
function isServerAlive(pid: number, folder: string): boolean {
  if (!isRunning(pid)) return false
  const workingFolder = findWorkingFolder(pid)
  return workingFolder === undefined || workingFolder === fs.realpathSync(folder)
}

/**
 * Waits until no server runs on the folder: one whose owner was killed is shutting down.
 *
 * @throws within a second or so when the running server's owner lives, and after 10 s in any case.
 */
export async function waitUntilFree(folder: string): Promise<void> {
  const startMs = performance.now()
  for (let lock = readLock(folder); lock; lock = readLock(folder)) {
    if (!isServerAlive(lock.pid, folder)) {
      if (isIdTaken(lock.pid)) removeMisleadingLock(folder)
      return
    }
    const owner = findSocketFolderOwner(lock.socketFolder)
    const isOwned = owner !== undefined && findParent(lock.pid) === owner
    if (performance.now() - startMs > (isOwned ? OWNER_MS_MAX : RELEASE_MS_MAX)) {
      throw new Error(
        `another server is running on ${folder} (process ${lock.pid}${isOwned ? ` of ${owner}` : ''})`,
      )
    }
    await sleep(RELEASE_POLL_MS)
  }
}

/**
 * Removes a lock file whose process id belongs to some other program, as after a restart of the machine, or to a
 * server that has ended but that nobody takes note of, as in a container without an init: PostgreSQL would take
 * either for a running server. A lock whose id is free it judges better itself, by the shared memory that it names.
 */
function removeMisleadingLock(folder: string): void {
  const real = fs.realpathSync(folder)
  const isUsed = fs.readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && findWorkingFolder(pid) === real)
  if (!isUsed) fs.rmSync(path.join(folder, 'postmaster.pid'), { force: true })
}
