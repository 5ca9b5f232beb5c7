/** Several Redis servers for a test: a primary with a replica and a Sentinel, or a Cluster. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { findFreePort } from '../harness/servers/listen-locally.ts'
import { pollUntil } from '../services/poll-until.ts'

type Teardown = { teardown(task: () => unknown): void }

interface Server {
  readonly port: number
  readonly client: Redis
  kill(): Promise<void>
}

const HOST = '127.0.0.1'
const NAME = 'parley'
/** All slots of a Cluster. */
const SLOTS = 16_384

async function start(t: Teardown, settings: readonly string[], isSentinel = false): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'))
  const port = await findFreePort()
  const file = join(folder, 'redis.conf')
  const place = [`port ${port}`, `bind ${HOST}`, `dir ${folder}`, ...(isSentinel ? [] : ['save ""'])]
  writeFileSync(file, [...place, ...settings, ''].join('\n')) // Sentinels write into theirs.
  const child = spawn('redis-server', [file, ...(isSentinel ? ['--sentinel'] : [])], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  const client = new Redis(port, HOST, { retryStrategy: () => 20, maxRetriesPerRequest: null })
  client.on('error', () => {}) // Until it answers, and after its end.
  const kill = async () => {
    client.disconnect()
    child.kill('SIGKILL')
    await exited
  }
  t.teardown(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  })
  await pollUntil('Redis answers', async () => (await client.ping()) === 'PONG')
  return { port, client, kill }
}

/** A primary that a Sentinel replaces by its replica once it does not answer for half a second. */
export async function startSentinel(t: Teardown): Promise<{ url: string; primary: Server; replica: Server }> {
  const primary = await start(t, [])
  const replica = await start(t, [`replicaof ${HOST} ${primary.port}`, 'repl-diskless-sync-delay 0'])
  const settings = [
    `sentinel monitor ${NAME} ${HOST} ${primary.port} 1`,
    `sentinel down-after-milliseconds ${NAME} 500`,
    `sentinel failover-timeout ${NAME} 3000`, // A failed one is tried again after twice this.
  ]
  const sentinel = await start(t, settings, true)
  await pollUntil('the replica follows', async () =>
    (await replica.client.info()).includes('master_link_status:up'),
  )
  await pollUntil('the Sentinel knows the replica', async () => {
    const known = (await sentinel.client.call('sentinel', 'replicas', NAME)) as string[][]
    return known.some((one) => one.includes('ok') || one.includes('slave'))
  })
  return { url: `redis+sentinel://${HOST}:${sentinel.port}/${NAME}`, primary, replica }
}

/** A Cluster of two nodes: limits of requests are on one, presence is on the other. */
export async function startCluster(t: Teardown): Promise<{ url: string; nodes: readonly [Server, Server] }> {
  const open = async () => start(t, ['cluster-enabled yes', `cluster-port ${await findFreePort()}`])
  const nodes = [await open(), await open()] as const
  const [one, other] = nodes
  const [rate, presence] = await Promise.all(
    ['{rate}', '{presence}'].map((key) => one.client.call('cluster', 'keyslot', key) as Promise<number>),
  )
  const split = Math.max(rate as number, presence as number)
  await one.client.call('cluster', 'addslotsrange', 0, split - 1)
  await other.client.call('cluster', 'addslotsrange', split, SLOTS - 1)
  await other.client.call('cluster', 'set-config-epoch', 2)
  const busPort = /cluster-port (\d+)/.exec(await configOf(one))?.[1]
  await other.client.call('cluster', 'meet', HOST, one.port, Number(busPort))
  for (const { client } of nodes)
    await pollUntil('the Cluster is whole', async () =>
      String(await client.call('cluster', 'info')).includes('cluster_state:ok'),
    )
  return { url: `redis+cluster://${HOST}:${one.port},${HOST}:${other.port}`, nodes }
}

async function configOf({ client }: Server): Promise<string> {
  const [name, value] = (await client.config('GET', 'cluster-port')) as string[]
  return `${name} ${value}`
}
