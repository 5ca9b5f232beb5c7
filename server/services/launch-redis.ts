/** Runs a private Redis or Valkey beside the server, if the machine has one. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dieWithParent } from './die-with-parent.ts'
import { makeSocketFolder } from './make-socket-folder.ts'

const START_MS_MAX = 60_000 // Loading a large append-only file takes a while.
const STOP_MS_MAX = 10_000
const POLL_MS = 10

/** A running private Redis. */
export interface LaunchedRedis {
  /** The unix socket's path, which `new Redis(url)` of ioredis accepts. */
  url: string
  /** The server's process id. */
  pid: number
  /** Stops the server after it has written everything to disk, without leaving a process or socket. */
  close(): Promise<void>
}

/**
 * Starts the `redis-server` or `valkey-server` on PATH, on a unix socket only, with its append-only file under
 * `dataFolder/redis`. It dies with this process.
 * @returns undefined if PATH has neither.
 * @throws if it does not start within 10 s; the message has its last lines.
 */
export async function launchRedis(options: { dataFolder: string }): Promise<LaunchedRedis | undefined> {
  const program = ['redis-server', 'valkey-server'].find(
    (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
  )
  if (program === undefined) return undefined

  const folder = path.resolve(options.dataFolder, 'redis')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const socketFolder = makeSocketFolder()
  const url = path.join(socketFolder, 'redis.sock')
  const settings = {
    port: '0',
    unixsocket: url,
    unixsocketperm: '700',
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '', // The append-only file is enough; snapshots would fork a copy of the process.
    daemonize: 'no',
    loglevel: 'warning',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const [file = program, ...rest] = dieWithParent('TERM', [program, ...args])
  // The working folder replaces --dir, which Redis cannot take with spaces in every position. Detached, because a
  // Ctrl-C must reach this process first, which needs Redis for its shutdown.
  const child = spawn(file, rest, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const keepOutput = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-2_000)
  }
  child.stdout.on('data', keepOutput)
  child.stderr.on('data', keepOutput)
  const exited = once(child, 'exit')
  let isRunning = true
  exited.then(
    () => {
      isRunning = false
    },
    (error: Error) => {
      isRunning = false
      output += error.message
    },
  )

  const close = async () => {
    if (isRunning) {
      child.kill('SIGTERM')
      const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX)
      await exited.catch(() => undefined)
      clearTimeout(killer)
    }
    rmSync(socketFolder, { recursive: true, force: true })
  }

  const deadlineMs = performance.now() + START_MS_MAX
  while (!(await answersPing(url))) {
    if (!isRunning || performance.now() > deadlineMs) {
      await close()
      throw new Error(`${program} did not start on ${folder}: ${output.trim() || 'it said nothing'}`)
    }
    await sleep(POLL_MS)
  }
  return { url, pid: child.pid as number, close }
}

/** Sends one PING: while Redis loads its file, it accepts connections but answers LOADING. */
function answersPing(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(socketPath, () => socket.write('PING\r\n'))
    socket.setTimeout(1_000, () => socket.destroy())
    socket.once('data', (reply) => {
      resolve(reply.toString().startsWith('+PONG'))
      socket.destroy()
    })
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })
}
