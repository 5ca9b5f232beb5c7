/** Starts the server as in production: `server/main.ts` in its own process. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { dieWithParent } from '../../server/services/die-with-parent.ts'

const ROOT = join(import.meta.dirname, '../..')
const START_MS_MAX = 60_000
const STOP_MS_MAX = 15_000

/** The resources of a process. */
export interface ParleyUsage extends NodeJS.MemoryUsage {
  /** The processor time since its start. */
  readonly processorMs: number
}

/** A running server process. */
export interface ParleyProcess {
  readonly port: number
  readonly pid: number
  /** Memory after a garbage collection; requires the preloaded `report-memory.ts`. */
  askMemory(): Promise<ParleyUsage>
  close(): Promise<void>
}

export interface ParleyOptions {
  readonly env?: Record<string, string>
  readonly nodeFlags?: readonly string[]
  /** Ends the process if it does not listen by then. */
  readonly signal?: AbortSignal
}

/**
 * Resolves when it listens; rejects if it does not, and then it has ended. `PARLEY_BENCH_NODE_FLAGS` adds flags for node,
 * such as `--cpu-prof`.
 */
export async function startParley(databaseUrl: string, options: ParleyOptions = {}): Promise<ParleyProcess> {
  const asked = process.env.PARLEY_BENCH_NODE_FLAGS?.split(' ') ?? []
  // The project starts everything with these flags.
  const flags = [...process.execArgv, ...asked, ...(options.nodeFlags ?? [])]
  const [file = '', ...args] = dieWithParent('TERM', [
    process.execPath,
    ...flags,
    join(ROOT, 'server/main.ts'),
  ])
  const child = spawn(file, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      PORT: '0',
      DRAIN_SECONDS: '0',
      LOG_LEVEL: 'info',
      RATE_LIMIT_USER_PER_MINUTE: '1000000000',
      RATE_LIMIT_ADDRESS_PER_MINUTE: '1000000000',
      ...options.env,
    },
  })
  const exited = once(child, 'exit')
  const end = () => child.kill('SIGKILL')
  options.signal?.addEventListener('abort', end)
  if (options.signal?.aborted) end()
  const port = await Promise.race([
    readPort(child.stdout as NodeJS.ReadableStream),
    exited.then(() => {
      throw new Error('the server ended while it started')
    }),
  ]).catch(async (error: unknown) => {
    end()
    await exited
    throw error
  })
  options.signal?.removeEventListener('abort', end)
  return {
    port,
    pid: child.pid as number,
    async askMemory() {
      const answer = once(child, 'message', { signal: AbortSignal.timeout(30_000) })
      child.send('memory')
      const [memory] = (await answer) as [ParleyUsage]
      return memory
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX)
      await exited
      clearTimeout(killer)
    },
  }
}

/** The log's line about readiness has the port; later lines except errors are dropped. */
function readPort(output: NodeJS.ReadableStream): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the server did not start in time')), START_MS_MAX)
    createInterface({ input: output }).on('line', (line) => {
      const { url, level } = parseLine(line)
      if (level !== undefined && level >= 40) process.stderr.write(`${line}\n`)
      if (url === undefined) return
      clearTimeout(timer)
      resolve(Number(new URL(url).port))
    })
  })
}

function parseLine(line: string): { url?: string; level?: number } {
  try {
    return JSON.parse(line) as { url?: string; level?: number }
  } catch {
    return {}
  }
}
