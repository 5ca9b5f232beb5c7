/** Programs of peers: whether they are there, and their processes. */

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { dieWithParent } from '../../server/services/die-with-parent.ts'
import { readTreeMemory } from '../measure/read-memory.ts'

const START_MS_MAX = 60_000
const STOP_MS_MAX = 15_000
/** Programs of system packages are often in these folders, which are in no user's path. */
const PATH = `${process.env.PATH}:/usr/sbin:/sbin`

/** The output of a program; undefined if it is not installed. */
export async function askProgram(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, [...args], {
      env: { ...process.env, PATH, ...env },
    })
    return stdout + stderr
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** A server process that listens. */
export interface Program {
  /** Bytes of the process and those that it started. */
  readMemory(): Promise<number>
  close(): Promise<void>
}

/** Starts a server, and resolves when the port takes connections. */
export async function startProgram(
  command: readonly string[],
  port: number,
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Program> {
  const [file = '', ...args] = dieWithParent('TERM', [...command])
  const child = spawn(file, args, {
    cwd: options.cwd,
    stdio: 'ignore',
    env: { ...process.env, PATH, ...options.env },
  })
  const exited = once(child, 'exit')
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX)
    await exited
    clearTimeout(killer)
  }
  const deadlineMs = performance.now() + START_MS_MAX
  while (!(await takesConnections(port))) {
    if (child.exitCode !== null || performance.now() > deadlineMs) {
      await close()
      throw new Error(`${command[0]} did not start`)
    }
    await wait(50)
  }
  return {
    readMemory: async () =>
      [...readTreeMemory(child.pid as number).values()].reduce((sum, bytes) => sum + bytes, 0),
    close,
  }
}

/** A port of this machine that is free now. */
export async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}
