/** A separate Redis for a test, which can be killed and restarted at the same socket. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { pollUntil } from '../services/poll-until.ts'

/** A private Redis. */
export interface PrivateRedis {
  /** The path of its socket. */
  readonly url: string
  /** Kills it, like a crash. */
  kill(): Promise<void>
  /** Starts it again, empty. */
  start(): Promise<void>
  /** For commands of the test; replaced at each start. */
  readonly client: Redis
}

/** Starts a Redis without a port; it ends with the test. */
export async function startRedis(t: { teardown(task: () => unknown): void }): Promise<PrivateRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'redis-')) // Short, since the path of a socket is limited.
  const url = join(folder, 'redis.sock')
  const args = ['--port', '0', '--unixsocket', url, '--save', '', '--dir', folder]
  let child: ReturnType<typeof spawn>
  let client: Redis
  const start = async () => {
    child = spawn('redis-server', args, { stdio: 'ignore' })
    client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null })
    client.on('error', () => {}) // Until it answers.
    await pollUntil('Redis answers', async () => (await client.ping()) === 'PONG')
  }
  const kill = async () => {
    client.disconnect()
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  await start()
  t.teardown(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    url,
    kill,
    start,
    get client() {
      return client
    },
  }
}
