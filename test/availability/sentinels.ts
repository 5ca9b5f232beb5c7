/** Redis that three Sentinels watch: a primary and its replica. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { findFreePort } from '../harness/servers/listen-locally.ts'
import { pollUntil } from '../services/poll-until.ts'
import type { SharedRedis, Teardown } from './part.ts'
import { type PartProcess, startPart } from './part-process.ts'

const HOST = '127.0.0.1'
const NAME = 'parley'

interface Server {
  readonly name: string
  readonly port: number
  readonly client: Redis
  running: PartProcess
  start(): void
}

async function open(t: Teardown, root: string, name: string, settings: readonly string[]): Promise<Server> {
  const mode = name.startsWith('sentinel') ? ['--sentinel'] : []
  const folder = join(root, name)
  mkdirSync(folder)
  const port = await findFreePort()
  const file = join(folder, 'redis.conf') // Redis and Sentinels write into it.
  writeFileSync(file, [`port ${port}`, `bind ${HOST}`, `dir ${folder}`, ...settings, ''].join('\n'))
  const start = () =>
    startPart(['redis-server', file, ...mode], { logFile: join(root, `${name}.log`), cwd: folder })
  const client = new Redis(port, HOST, { retryStrategy: () => 100, maxRetriesPerRequest: null })
  client.on('error', () => {}) // While it is away.
  const server: Server = {
    name,
    port,
    client,
    running: start(),
    start() {
      server.running = start()
    },
  }
  t.teardown(async () => {
    client.disconnect()
    await server.running.stop()
  })
  await pollUntil(`${name} answers`, async () => (await client.ping()) === 'PONG')
  return server
}

/** Starts them; they end with the check. */
export async function startSentinels(t: Teardown, root: string): Promise<SharedRedis> {
  const settings = ['save ""', 'appendonly yes', 'maxmemory-policy noeviction', 'repl-diskless-sync-delay 0']
  const first = await open(t, root, 'redis-1', settings)
  const second = await open(t, root, 'redis-2', [...settings, `replicaof ${HOST} ${first.port}`])
  await pollUntil('the replica follows', () => isFollowing(second))
  const watching = [
    `sentinel monitor ${NAME} ${HOST} ${first.port} 2`,
    `sentinel down-after-milliseconds ${NAME} 3000`,
    `sentinel failover-timeout ${NAME} 10000`,
  ]
  const sentinels: Server[] = []
  for (const number of [1, 2, 3]) sentinels.push(await open(t, root, `sentinel-${number}`, watching))
  for (const one of sentinels) await pollUntil('the Sentinels know each other', () => knowsAll(one))
  const [watched, ...others] = sentinels as [Server, ...Server[]]
  let killed: Server | undefined
  const findPrimary = async (): Promise<Server> => {
    const asked = others[0] as Server
    const [, port] = (await asked.client.call('sentinel', 'get-master-addr-by-name', NAME)) as string[]
    return [first, second].find((one) => one.port === Number(port)) as Server
  }
  return {
    url: `redis+sentinel://${sentinels.map(({ port }) => `${HOST}:${port}`).join()}/${NAME}`,
    outages: [
      {
        name: 'the primary of Redis',
        begin: async () => {
          killed = await findPrimary()
          await killed.running.kill()
        },
        end: async () => {
          const lost = killed as Server
          await pollUntil('the Sentinels have another primary', async () => (await findPrimary()) !== lost)
          lost.start()
          await pollUntil('it follows the new primary', () => isFollowing(lost))
        },
      },
      {
        name: 'a Sentinel',
        begin: () => watched.running.kill(),
        end: async () => {
          watched.start()
          await pollUntil('it knows the others again', () => knowsAll(watched))
        },
      },
    ],
  }
}

async function isFollowing({ client }: Server): Promise<boolean> {
  return (await client.info('replication')).includes('master_link_status:up')
}

/** Whether a Sentinel knows the two others and a living replica. */
async function knowsAll({ client }: Server): Promise<boolean> {
  const [replicas, others] = (await Promise.all(
    ['replicas', 'sentinels'].map((what) => client.call('sentinel', what, NAME)),
  )) as string[][][]
  return others?.length === 2 && replicas?.some((one) => !one.join().includes('s_down')) === true
}
