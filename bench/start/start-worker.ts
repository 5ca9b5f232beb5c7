/** Starts the worker in its own process, as beside the web processes. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { dieWithParent } from '../../server/services/die-with-parent.ts'

const ROOT = join(import.meta.dirname, '../..')
const START_MS_MAX = 30_000

/** A running worker. */
export interface WorkerProcess {
  readonly pid: number
  close(): Promise<void>
  /** Ends it as a crash does. */
  kill(): Promise<void>
}

/** Resolves when it waits for jobs. `PARLEY_BENCH_NODE_FLAGS` adds flags for node, as for the server. */
export async function startWorkerProcess(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<WorkerProcess> {
  const [file = '', ...args] = dieWithParent('TERM', [
    process.execPath,
    ...process.execArgv,
    ...(process.env.PARLEY_BENCH_NODE_FLAGS?.split(' ') ?? []),
    join(ROOT, 'workers/main.ts'),
  ])
  const child = spawn(file, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATABASE_URL: databaseUrl, LOG_LEVEL: 'info', ...settings },
  })
  const exited = once(child, 'exit')
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the worker did not start in time')), START_MS_MAX)
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (/"level":[45]0/.test(line)) process.stderr.write(`${line}\n`)
      if (!line.includes('worker process is ready')) return
      clearTimeout(timer)
      resolve()
    })
  })
  const ended = exited.then(() => {
    throw new Error('the worker ended while it started')
  })
  ended.catch(() => undefined) // It always ends at last.
  await Promise.race([ready, ended])
  return {
    pid: child.pid as number,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await exited
    },
  }
}
