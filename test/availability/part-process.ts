/** The processes of parts that are killed: each with all that it started, as a machine loses them. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, openSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { listTree } from '../../bench/measure/read-memory.ts'
import { dieWithParent } from '../../server/services/die-with-parent.ts'

const STOP_MS_MAX = 15_000
/** Programs of system packages are often in these folders, which are in no user's path. */
const PATH = `${process.env.PATH}:/usr/sbin:/sbin`

/** The path of an installed program. */
export function findProgram(name: string): string | undefined {
  return PATH.split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/** The surroundings of a process. */
export interface PartOptions {
  /** Its output is appended here. */
  readonly logFile: string
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** Programs of PostgreSQL refuse to run as root. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
}

/** A running process. */
export interface PartProcess {
  readonly pid: number
  readonly isRunning: () => boolean
  /** Kills it and all processes below it by SIGKILL. */
  kill(): Promise<void>
  /** Stops it as a service manager does. */
  stop(): Promise<void>
}

/** Starts a process with nothing of the environment but these variables; it ends with this process. */
export function startPart(command: readonly string[], options: PartOptions): PartProcess {
  const { logFile, cwd, env, user } = options
  const log = openSync(logFile, 'a')
  const [file = '', ...args] = dieWithParent('TERM', [...command])
  const child: ChildProcess = spawn(file, args, {
    cwd,
    env: { PATH, LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', log, log],
    ...user,
  })
  const exited = once(child, 'exit')
  exited.catch(() => undefined) // A program that is missing: it never runs.
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null
  return {
    pid: child.pid ?? 0,
    isRunning,
    async kill() {
      if (!isRunning()) return
      killTree(child.pid as number)
      await exited
    },
    async stop() {
      if (!isRunning()) return
      child.kill('SIGTERM')
      const killer = setTimeout(() => killTree(child.pid as number), STOP_MS_MAX)
      await exited
      clearTimeout(killer)
    },
  }
}

/** From the top, so that none starts another that died. */
function killTree(pid: number): void {
  for (const one of listTree(pid)) {
    try {
      process.kill(one, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // It ended by itself.
    }
  }
}
