/** A separate worker process, as an operator starts it. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { moduleSettings } from '../harness/servers/environment.ts'

/** A worker that can be killed. */
export interface WorkerProcess {
  /** Kills it, like a crash. */
  kill(): Promise<void>
}

/** Starts a worker with these settings; it is killed at the end of the test. */
export function startWorkerProcess(
  t: { teardown(task: () => unknown): void },
  env: Record<string, string>,
): WorkerProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../workers/main.ts')], {
    env: { PATH: process.env.PATH, ...moduleSettings(), LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  t.teardown(kill)
  return { kill }
}
