/** A separate web process, as an operator starts it. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { moduleSettings } from '../harness/servers/environment.ts'

/** A running process. */
export interface WebProcess {
  readonly url: string
  /** Pauses it, like a paused machine, and resumes it. */
  pause(): void
  resume(): void
  /** Kills it, like a crash. */
  kill(): Promise<void>
  /** Stops it as an operator would. */
  stop(): Promise<void>
}

/** Starts a process of a clone with these settings; it is killed at the end of the test. */
export async function startWebProcess(
  t: { teardown(task: () => unknown): void },
  env: Record<string, string>,
  root = join(import.meta.dirname, '../..'),
): Promise<WebProcess> {
  const child = spawn(process.execPath, [join(root, 'server/main.ts')], {
    env: {
      PATH: process.env.PATH,
      ...moduleSettings(),
      PORT: '0',
      LOG_LEVEL: 'info',
      DRAIN_SECONDS: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal)
    await exited
  }
  const kill = () => end('SIGKILL')
  const pause = () => void child.kill('SIGSTOP')
  const resume = () => void child.kill('SIGCONT')
  t.teardown(kill)
  for await (const line of createInterface(child.stdout)) {
    const { url } = JSON.parse(line)
    if (typeof url !== 'string') continue
    child.stdout.resume() // Otherwise its pipe would fill up.
    return { url, pause, resume, kill, stop: () => end('SIGTERM') }
  }
  throw new Error('the process ended before it was ready')
}
