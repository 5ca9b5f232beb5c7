import t from 'tap'
import { connect, type Sql } from '../../db/connect.ts'
import { type Config, readConfig } from '../../server/config.ts'
import { createLogger } from '../../server/logger.ts'
import { startWorker } from '../../workers/worker.ts'
import { createDatabase, type TestContext } from '../harness/create-database.ts'
import { redisUrl } from '../harness/environment.ts'
import { pollUntil } from '../services/poll-until.ts'

const logger = createLogger('silent')

async function prepare(t: TestContext, redis: string | undefined) {
  const databaseUrl = await createDatabase(t, 'people')
  const sql = connect(databaseUrl, 1, 'parley-test')
  t.teardown(() => sql.end())
  await sql`insert into event_queues (id, user_id, options, acknowledged_id, idle_timeout_seconds, seen_at)
    values (gen_random_uuid(), 1, '{}', 1, 600, now() - interval '1 day')`
  const env = {
    REDIS_PREFIX: new URL(databaseUrl).pathname.slice(1),
    ...(redis === undefined ? {} : { REDIS_URL: redis }),
  }
  const config: Config & { readonly databaseUrl: string } = { ...readConfig(env), databaseUrl }
  return { sql, config }
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

t.test('[JOB5] a worker that cannot reach Redis says so and leaves nothing open', async (t) => {
  const { config } = await prepare(t, 'redis://127.0.0.1:1')
  await t.rejects(startWorker({ config, logger }), { message: 'the Redis of REDIS_URL cannot be reached' })
})
