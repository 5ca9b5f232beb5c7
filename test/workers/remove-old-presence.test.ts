import { Redis } from 'ioredis'
import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { readLogName } from '../../db/log/event-log.ts'
import { readConfig } from '../../server/config.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { createPresenceStoreInProcess } from '../../server/log/presence-store.ts'
import { createPresenceStoreInRedis } from '../../server/log/presence-store-redis.ts'
import { createLogger } from '../../server/logger.ts'
import { removeOldPresence } from '../../workers/jobs/upkeep/remove-old-presence.ts'
import { startWorker } from '../../workers/worker.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { createPeople } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'

const DAY_SECONDS = 24 * 3600

function openRedis(t: { teardown(task: () => unknown): void }) {
  const redis = new Redis(redisUrl())
  t.teardown(() => redis.disconnect())
  return redis
}

/** A report of a user some seconds before a time. */
function seen(userId: number, secondsAgo: number, nowMs: number) {
  return { userId: userId as UserId, activeAt: 0, idleAt: Math.floor(nowMs / 1000) - secondsAgo }
}

t.test('[PRESENCE24] presence older than 14 days is deleted', async (t) => {
  const redis = openRedis(t)
  await redis.ping()
  const prefix = `presence-test-${process.pid}`
  const store = createPresenceStoreInRedis(redis, prefix)
  const nowMs = Date.parse('2027-03-01T12:00:00Z')
  const old = Array.from({ length: 1_500 }, (_, index) => seen(index + 10, 14 * DAY_SECONDS + 1, nowMs))
  await store.exchange([seen(1, 0, nowMs), seen(2, 14 * DAY_SECONDS, nowMs), ...old], 0, nowMs)
  t.equal(await removeOldPresence(store, new Date(nowMs)), 1_500)
  t.equal(await removeOldPresence(store, new Date(nowMs)), 0, 'a second run finds nothing')
  const news = await store.exchange([], 0, nowMs)
  t.same(news?.updates.map(({ userId }) => userId).sort(), [1, 2])
  t.equal(await removeOldPresence(createPresenceStoreInProcess(), new Date(nowMs)), 0)
  await redis.del(await redis.keys(`${prefix}:*`))
})

t.test('[PRESENCE27] a user who reports while old presence is deleted stays', async (t) => {
  const redis = openRedis(t)
  await redis.ping()
  const prefix = `presence-raced-${process.pid}`
  const store = createPresenceStoreInRedis(redis, prefix)
  const nowMs = Date.parse('2027-03-01T12:00:00Z')
  await store.exchange([seen(1, 15 * DAY_SECONDS, nowMs), seen(2, 15 * DAY_SECONDS, nowMs)], 0, nowMs)
  const hscan = redis.hscan.bind(redis) as (...args: unknown[]) => Promise<unknown>
  redis.hscan = (async (...args: unknown[]) => {
    const found = await hscan(...args)
    await store.exchange([seen(2, 0, nowMs)], 0, nowMs)
    return found
  }) as typeof redis.hscan
  t.equal(await removeOldPresence(store, new Date(nowMs)), 1)
  const news = await store.exchange([], 0, nowMs)
  t.same(news?.updates.map(({ userId }) => userId).sort(), [2])
  await redis.del(await redis.keys(`${prefix}:*`))
})

t.test('[PRESENCE28] a reader with a number of another count gets every presence', async (t) => {
  const redis = openRedis(t)
  await redis.ping()
  const prefix = `presence-counted-${process.pid}`
  const store = createPresenceStoreInRedis(redis, prefix)
  const nowMs = Date.parse('2027-03-01T12:00:00Z')
  const first = await store.exchange([seen(1, 0, nowMs)], 0, nowMs)
  const { startId = 0, lastId = 0 } = (await store.exchange([seen(2, 0, nowMs)], 0, nowMs)) ?? {}
  const idsAfter = async (sinceId: number) =>
    (await store.exchange([], sinceId, nowMs))?.updates.map(({ userId }) => userId).sort()
  t.same(await idsAfter(first?.lastId as number), [2])
  t.same(await idsAfter(lastId), [])
  for (const other of [startId - 1, lastId + 1]) t.same(await idsAfter(other), [1, 2])
  await redis.del(await redis.keys(`${prefix}:*`))
})

t.test('[PRESENCE25] the worker deletes it by itself', async (t) => {
  const databaseUrl = await createDatabase(t)
  await createPeople(databaseUrl)
  const env = { REDIS_PREFIX: new URL(databaseUrl).pathname.slice(1), REDIS_URL: redisUrl() }
  const config = { ...readConfig(env), databaseUrl }
  const sql = connect(databaseUrl, 1, 'parley-test')
  const prefix = `${config.redisPrefix}:${await readLogName(sql)}`
  await sql.end()
  const redis = openRedis(t)
  await redis.ping()
  const store = createPresenceStoreInRedis(redis, prefix)
  const nowMs = Date.now()
  await store.exchange([seen(1, 0, nowMs), seen(2, 15 * DAY_SECONDS, nowMs)], 0, nowMs)
  const worker = await startWorker({ config, logger: createLogger('silent') })
  t.teardown(() => worker.close())
  await pollUntil('the old one is deleted', async () => {
    const news = await store.exchange([], 0, nowMs)
    return news?.updates.length === 1
  })
  await worker.close()
})
