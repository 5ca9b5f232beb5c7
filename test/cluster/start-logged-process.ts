/** A separate web or worker process whose log lines a test reads. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { moduleSettings } from '../harness/servers/environment.ts'
import { pollUntil } from '../services/poll-until.ts'

/** A decoded line. */
export interface LogLine {
  readonly msg: string
  readonly [field: string]: unknown
}

/** A running process. */
export interface LoggedProcess {
  /** All lines so far. */
  readonly lines: readonly LogLine[]
  /** The line that says that it is ready. */
  readonly ready: LogLine
  /** Stops it as an operator would. */
  stop(): Promise<void>
  /** Kills it, like a crash. */
  kill(): Promise<void>
  readonly signal: (name: NodeJS.Signals) => void
  /** The code of its exit. */
  readonly ended: Promise<number | null>
}

/**
 * Starts `server/main.ts` or `workers/main.ts` with these settings, and maybe a limit of open files; it is killed at the
 * end of the test.
 */
export async function startLoggedProcess(
  t: { teardown(task: () => unknown): void },
  entry: 'server/main.ts' | 'workers/main.ts',
  env: Record<string, string>,
  filesMax?: number,
): Promise<LoggedProcess> {
  const command = [process.execPath, join(import.meta.dirname, '../..', entry)]
  // `prlimit` becomes the process.
  const limited = filesMax === undefined ? command : ['prlimit', `--nofile=${filesMax}`, ...command]
  const [program = '', ...args] = limited
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...moduleSettings(), PORT: '0', DRAIN_SECONDS: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'close') // Its last lines are read by then, unlike at its exit.
  const ended = exited.then(([code]: (number | null)[]) => code ?? null)
  const signal = (name: NodeJS.Signals) => void child.kill(name)
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal)
    await exited
  }
  t.teardown(() => end('SIGKILL'))
  const lines: LogLine[] = []
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line) as LogLine))
  const ready = await pollUntil('the process is ready', () =>
    lines.find(({ msg }) => msg.endsWith('process is ready')),
  )
  return { lines, ready, stop: () => end('SIGTERM'), kill: () => end('SIGKILL'), signal, ended }
}
