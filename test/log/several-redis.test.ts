/** Redis behind Sentinels, and a Cluster: all that processes do with Redis works there. */

import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { RateLimiter } from '../../server/api/door/rate-limit.ts'
import { checkRedis } from '../../server/checks/check-redis.ts'
import { type Config, readConfig } from '../../server/config.ts'
import type { LogEntry } from '../../server/domain/events.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { type RedisAddress, readRedisAddress } from '../../server/domain/settings/redis-address.ts'
import { createRedisBroadcast } from '../../server/log/broadcast-redis.ts'
import { connectRedis } from '../../server/log/connect-redis.ts'
import { createPresenceStoreInRedis } from '../../server/log/presence-store-redis.ts'
import { openRedisBackend } from '../../workers/queues/job-backends.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { pollUntil } from '../services/poll-until.ts'
import { makeEntry } from './make-entry.ts'
import { startCluster, startSentinel } from './start-several-redis.ts'

const sentinel = await startSentinel(t)
const cluster = await startCluster(t)
const ignore = () => {}

/** Two processes on one Redis, as far as they use it. */
async function open(t: Test, url: string) {
  const prefix = randomUUID()
  const clock = new ManualClock(Date.parse('2027-03-01T12:00:00Z'))
  const openOne = async () => {
    const [publisher, subscriber] = [
      await connectRedis(url, 'publish', { onError: ignore }),
      await connectRedis(url, 'listen', { onError: ignore }),
    ]
    const broadcast = createRedisBroadcast(publisher, subscriber, prefix)
    const limiter = new RateLimiter(clock, publisher, prefix)
    const entries: LogEntry[] = []
    await broadcast.listen({ onEntries: (more) => entries.push(...more), onSignal: ignore, onGap: ignore })
    t.teardown(async () => {
      limiter.close()
      await broadcast.close()
      publisher.disconnect()
      subscriber.disconnect()
    })
    return { broadcast, limiter, entries, presences: createPresenceStoreInRedis(publisher, prefix) }
  }
  const closers: (() => unknown)[] = []
  const backend = await openRedisBackend(url, prefix, { onError: ignore }, closers)
  const done: unknown[] = []
  const queue = backend.createQueue('queue')
  const worker = backend.createWorker('queue', async ({ data }) => void done.push(data), 1)
  queue.on('error', ignore)
  worker.on('error', ignore)
  t.teardown(async () => {
    await queue.close()
    await worker.close()
    for (const close of closers) await close()
  })
  return { one: await openOne(), other: await openOne(), queue, done, nowMs: clock.nowMs() }
}

/** All uses of Redis, one after another. */
async function expectServed(
  t: Test,
  { one, other, queue, done, nowMs }: Awaited<ReturnType<typeof open>>,
  round: number,
) {
  await pollUntil('entries arrive', () => {
    one.broadcast.publish([makeEntry(round)])
    return other.entries.some(({ id }) => id === round)
  })
  // Many keys, of which the hashes alone would lead to different nodes.
  const keys = Array.from({ length: 20 }, (_, index) => `user:${round}:${index}`)
  for (const key of keys) {
    one.limiter.take(key, 10)
    other.limiter.take(key, 10)
  }
  await pollUntil('requests at both count', async () => {
    await one.limiter.exchange()
    await other.limiter.exchange()
    return keys.every((key) => other.limiter.isSpent(key, 2))
  })
  const userId = round as UserId
  const report = { userId, activeAt: nowMs / 1_000, idleAt: nowMs / 1_000, isReplacing: true } as const
  await pollUntil('presence is stored', () =>
    one.presences.exchange([report], 0, nowMs).catch(() => undefined),
  )
  t.equal((await other.presences.readActivity([userId])).get(userId), nowMs / 1_000)
  await queue.add('job', `job ${round}`)
  await queue.add('later', `later ${round}`, { delay: 1 })
  await pollUntil('the jobs are done', () =>
    [`job ${round}`, `later ${round}`].every((data) => done.includes(data)),
  )
}

t.test('[REDIS1] in a Cluster processes share broadcasts, limits, presence and jobs', async (t) => {
  const opened = await open(t, cluster.url)
  for (const round of [1, 2]) await expectServed(t, opened, round)
  const sizes = await Promise.all(cluster.nodes.map(({ client }) => client.dbsize()))
  t.ok(Math.min(...sizes) > 0, 'both nodes are used')
  t.match(await checkRedis(readConfig({ REDIS_URL: cluster.url }) as Config), /^a Cluster with 2 primaries, /)
})

t.test(
  '[REDIS2] when the primary dies, all goes on at the replica that Sentinels make the primary',
  async (t) => {
    const opened = await open(t, sentinel.url)
    await expectServed(t, opened, 1)
    t.match(
      await checkRedis(readConfig({ REDIS_URL: sentinel.url }) as Config),
      /maxmemory-policy noeviction/,
    )
    await sentinel.primary.kill()
    await pollUntil('the replica is the primary', async () =>
      (await sentinel.replica.client.info()).includes('role:master'),
    )
    await expectServed(t, opened, 2)
  },
)

t.test('[REDIS3] addresses of several servers have the parts that they need', (t) => {
  const several = { username: undefined, password: undefined }
  const [a, b] = [
    { host: 'a', port: 26_379 },
    { host: '::1', port: 7 },
  ]
  const named = {
    kind: 'sentinel',
    ...several,
    name: 'main',
    database: 0,
    sentinelPassword: undefined,
  } as const
  const CASES: [text: string, address: RedisAddress | RegExp][] = [
    ['/run/redis.sock', { kind: 'server', url: '/run/redis.sock' }],
    ['rediss://u:p@a:1/2', { kind: 'server', url: 'rediss://u:p@a:1/2' }],
    ['redis+sentinel://a,[::1]:7/main', { ...named, hosts: [a, b] }],
    [
      'redis+sentinel://u:p%40@a/main/3',
      { ...named, hosts: [a], username: 'u', password: 'p@', database: 3 },
    ],
    [
      'redis+sentinel://:p@a/main?sentinel_password=q',
      { ...named, hosts: [a], password: 'p', sentinelPassword: 'q' },
    ],
    ['redis+cluster://:p@a:26379,[::1]:7', { kind: 'cluster', ...several, password: 'p', hosts: [a, b] }],
    ['redis+cluster://a', { kind: 'cluster', ...several, hosts: [{ host: 'a', port: 6_379 }] }],
    ['redis+sentinel://a', /^must end with the name that the Sentinels have for Redis/],
    ['redis+sentinel://a:x/main', /^must have hosts like a:6379,b:6379, with ports from 1 to 65535$/],
    ['redis+sentinel://a:0/main', /^must have hosts like/],
    ['redis+sentinel:///main', /^must have hosts like/],
    ['redis+cluster://a/1', /^names a database, of which a Cluster has only 0$/],
    ['redis+cluster://a?x=1', /^has a parameter that Parley does not know/],
    ['redis+cluster://a%', /^has a % that begins no escape/],
    [
      `redis+cluster://${Array.from({ length: 17 }, (_, index) => `a${index}`).join()}`,
      /^names more than 16 hosts$/,
    ],
    ['http://a', /^must be an address that starts with redis:\/\/, rediss:\/\/, redis\+sentinel:\/\/ or /],
  ]
  for (const [text, wanted] of CASES) {
    const found = readRedisAddress(text)
    if (wanted instanceof RegExp) t.match(found, wanted, text)
    else t.strictSame(found, wanted, text)
  }
  t.throws(() => readConfig({ REDIS_URL: 'redis+sentinel://a' }), {
    message: /^REDIS_URL must end with the name/,
  })
  t.end()
})
