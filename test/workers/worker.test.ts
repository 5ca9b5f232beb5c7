import t from 'tap'
import { connect, type Sql } from '../../db/connection/connect.ts'
import { type Config, readConfig } from '../../server/config.ts'
import { createLogger } from '../../server/logger.ts'
import { startWorker } from '../../workers/worker.ts'
import { createDatabase, type TestContext } from '../harness/databases/create-database.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { startRedis } from '../log/start-redis.ts'
import { pollUntil } from '../services/poll-until.ts'

const logger = createLogger('silent')

async function prepare(t: TestContext, redis: string | undefined) {
  const databaseUrl = await createDatabase(t, 'people')
  const sql = connect(databaseUrl, 1, 'parley-test')
  t.teardown(() => sql.end())
  await leaveQueue(sql)
  const env = {
    REDIS_PREFIX: new URL(databaseUrl).pathname.slice(1),
    ...(redis === undefined ? {} : { REDIS_URL: redis }),
  }
  const config: Config & { readonly databaseUrl: string } = { ...readConfig(env), databaseUrl }
  return { sql, config }
}

/** An expired queue. */
async function leaveQueue(sql: Sql): Promise<void> {
  await sql`insert into event_queues (id, user_id, options, acknowledged_id, idle_timeout_seconds, seen_at)
    values (gen_random_uuid(), 1, '{}', 1, 600, now() - interval '1 day')`
}

async function isClean(sql: Sql): Promise<boolean> {
  return (await sql`select from event_queues`).length === 0
}

t.test('[JOB3] the worker cleans up, woken by Redis', async (t) => {
  const { sql, config } = await prepare(t, redisUrl())
  const worker = await startWorker({ config, logger })
  t.teardown(() => worker.close())
  await pollUntil('the expired queue is removed', () => isClean(sql))
  await worker.close()
})

t.test('[JOB4] the worker cleans up, woken by PostgreSQL', async (t) => {
  const { sql, config } = await prepare(t, undefined)
  const worker = await startWorker({ config, logger })
  t.teardown(() => worker.close())
  await pollUntil('the expired queue is removed', () => isClean(sql))
  await worker.close()
})

t.test(
  '[JOB5] a worker that starts without Redis reports it once, and works when Redis returns',
  async (t) => {
    const redis = await startRedis(t)
    await redis.kill()
    const { sql, config } = await prepare(t, redis.url)
    const clock = new ManualClock(Date.now())
    const said: string[] = []
    const heard = {
      ...logger,
      error: ({ err }: { err: Error }) => said.push(err.message),
      info: (message: string) => said.push(message),
    } as unknown as typeof logger
    const worker = await startWorker({ config, logger: heard, clock })
    t.teardown(() => worker.close())
    const isAway = (line: string) => line.startsWith('the Redis of REDIS_URL cannot be reached')
    t.equal(said.filter(isAway).length, 1)
    await redis.start()
    await pollUntil('it exists', () => said.includes('Redis is there'))
    clock.advance(60_000)
    await pollUntil('the expired queue is removed', () => isClean(sql))
    await worker.close()
  },
)

t.test('[JOB61] a worker without Redis shuts down soon, and leaves nothing open', async (t) => {
  const { config } = await prepare(t, 'redis://127.0.0.1:1')
  const worker = await startWorker({ config, logger: createLogger('silent') })
  await worker.close()
})

t.test('[JOB60] the jobs of each minute continue after Redis has lost all data', async (t) => {
  const redis = await startRedis(t)
  const { sql, config } = await prepare(t, redis.url)
  const clock = new ManualClock(Date.now())
  const worker = await startWorker({ config, logger, clock })
  t.teardown(() => worker.close())
  await pollUntil('the expired queue is removed', () => isClean(sql))
  await redis.client.flushall()
  await leaveQueue(sql)
  clock.advance(60_000)
  await pollUntil('the next one, too', () => isClean(sql))
  await worker.close()
})
