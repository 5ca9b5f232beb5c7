/** Finds a private PostgreSQL that runs on a data folder, through its lock file. */

import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findSocketFolderOwner } from './make-socket-folder.ts'
import { formatAddress } from './postgres-address.ts'
import { findParent, findWorkingFolder, isIdTaken, isRunning } from './read-process.ts'

/** Milliseconds for which the processes of a killed server may hold its folder and shared memory. */
export const RELEASE_MS_MAX = 10_000
/** Milliseconds that a killed owner may take to disappear on a busy machine. */
const OWNER_MS_MAX = 1_000
/** Milliseconds between checks of them. */
export const RELEASE_POLL_MS = 100

/**
 * Finds the private server that runs on a data folder and returns its URL, like {@link launchPostgres}; undefined if
 * none runs.
 */
export function findRunningPostgres(dataFolder: string): string | undefined {
  const folder = path.join(path.resolve(dataFolder), 'postgres')
  const lock = readLock(folder)
  if (!lock?.isReady || !isServerAlive(lock.pid, folder)) return undefined
  return formatAddress(lock.socketFolder, lock.port)
}

/** The content of the lock file. */
export interface Lock {
  pid: number
  port: number
  socketFolder: string
  isReady: boolean
}

/** Reads the lock file of a PostgreSQL server, which exists while it runs and stays behind when it is killed. */
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

/** Whether a process is a server on the folder, which is its working folder; the process id alone may be reused. */
function isServerAlive(pid: number, folder: string): boolean {
  if (!isRunning(pid)) return false
  const workingFolder = findWorkingFolder(pid)
  return workingFolder === undefined || workingFolder === fs.realpathSync(folder)
}

/**
 * Waits until no server runs on the folder: a server whose owner was killed is shutting down.
 * @throws after about a second if the running server's owner is alive, and in any case after 10 s.
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
 * Removes a misleading lock file: PostgreSQL would believe that a server runs. Its process id belongs to another
 * program, for example after a reboot, or to an ended server that was never reaped, for example in a container without
 * an init. If the id is free, PostgreSQL decides itself by the shared memory named in the lock.
 */
function removeMisleadingLock(folder: string): void {
  const real = fs.realpathSync(folder)
  const isUsed = fs.readdirSync('/proc').some((pid) => /^\d+$/.test(pid) && findWorkingFolder(pid) === real)
  if (!isUsed) fs.rmSync(path.join(folder, 'postmaster.pid'), { force: true })
}
