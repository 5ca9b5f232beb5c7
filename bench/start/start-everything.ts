/** Starts all of `npm start`, without npm, in a folder of its own. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { dieWithParent } from '../../server/services/die-with-parent.ts'
import { pathWithRedis } from './start-redis.ts'

const ROOT = join(import.meta.dirname, '../..')
const START_MS_MAX = 120_000
const STOP_MS_MAX = 20_000

/** Resolves when it serves the demo organization, with its database and Redis. */
export async function startEverything(): Promise<{ readonly pid: number; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  const [file = '', ...args] = dieWithParent('TERM', [join(ROOT, 'bin/parley'), 'server/start.ts'])
  const { DATABASE_URL: _, REDIS_URL: _1, npm_lifecycle_event: _2, ...env } = process.env
  const child = spawn(file, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...env, PATH: await pathWithRedis(), DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'warn' },
  })
  const exited = once(child, 'exit')
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('npm start was not ready in time')), START_MS_MAX)
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('Parley is ready')) return
      clearTimeout(timer)
      resolve()
    })
    void exited.then(() => reject(new Error('npm start ended while it started')))
  })
  const close = async () => {
    child.kill('SIGTERM')
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX)
    await exited
    clearTimeout(killer)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await ready
  } catch (error) {
    await close()
    throw error
  }
  return { pid: child.pid as number, close }
}
