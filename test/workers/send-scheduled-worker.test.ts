import t from 'tap'
import { createLogger } from '../../server/logger.ts'
import { startWorker } from '../../workers/worker.ts'
import type { TestContext } from '../harness/databases/create-database.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { channelIdOf } from '../harness/worlds/set-up-channel.ts'
import { startTestServer, type TestServer } from '../harness/servers/start-server.ts'
import { startRedis } from '../log/start-redis.ts'
import { pollUntil } from '../services/poll-until.ts'
import { startWorkerProcess } from './start-worker-process.ts'

const logger = createLogger('silent')

/** Seconds within which a busy machine accepts a message, and its worker asks for a job. */
const AHEAD_SECONDS = 5

/** Schedules a message for soon; returns when it is due, and how to see that it is sent. */
async function schedule(server: TestServer, content: string) {
  const owner = server.as('owner')
  const at = Math.floor(Date.now() / 1_000) + AHEAD_SECONDS
  await owner.must('POST', '/scheduled_messages', {
    type: 'direct',
    to: [1],
    content,
    scheduled_delivery_timestamp: at,
  })
  const find = async () => {
    const page = { anchor: 'newest', num_before: 100, apply_markdown: false }
    const { messages } = await owner.must('GET', '/messages', page)
    return messages.filter((one: { content: string }) => one.content === content)
  }
  return { at, find, isSent: async () => (await find()).length > 0 }
}

async function expectWoken(t: TestContext & { equal: Function; ok: Function }, redis: boolean) {
  const server = await startTestServer(t, { redis })
  const early = await schedule(server, 'while no worker is there')
  const workers = [
    await startWorker({ config: server.config, logger }),
    await startWorker({ config: server.config, logger }),
  ]
  for (const worker of workers) t.teardown(() => worker.close())
  const later = await schedule(server, 'while one is')
  for (const { at, find, isSent } of [early, later]) {
    await pollUntil('it is sent', isSent)
    const [message, ...others] = await find()
    t.equal(others.length, 0, 'once')
    t.ok(message.timestamp >= at, 'not early')
  }
  for (const worker of workers) await worker.close()
}

t.test('[SCHED32] workers send scheduled messages in time, woken by Redis', (t) => expectWoken(t, true))

t.test('[SCHED33] workers send scheduled messages in time, woken by PostgreSQL', (t) => expectWoken(t, false))

t.test('[SCHED34] a Redis that loses its wake-ups only delays sending', async (t) => {
  const server = await startTestServer(t)
  const redis = await startRedis(t)
  const worker = await startWorker({ config: { ...server.config, redisUrl: redis.url }, logger })
  t.teardown(() => worker.close())
  const { at, find, isSent } = await schedule(server, 'whatever happens')
  const jobKeys = () => redis.client.keys('*:due-*')
  await pollUntil('there is a job', async () => (await jobKeys()).length > 0)
  await redis.client.flushall()
  t.same(await jobKeys(), [])
  await pollUntil('it is sent', isSent)
  const [message] = await find()
  t.ok(message.timestamp >= at, 'not early')
  await worker.close()
})

t.test('[SCHED64] a worker that cannot load the organization tries again', async (t) => {
  const server = await startTestServer(t)
  const { sql } = server.node.services
  const { isSent } = await schedule(server, 'late')
  await sql`alter table user_groups rename to user_groups_gone`
  const clock = new ManualClock(Date.now() + 60_000)
  const worker = await startWorker({ config: server.config, logger, clock })
  t.teardown(() => worker.close())
  await sql`alter table user_groups_gone rename to user_groups`
  await pollUntil('the next sweep sends it', async () => {
    clock.advance(5_000)
    return isSent()
  })
  await worker.close()
})

t.test('[SCHED62] workers killed while they send lose no message and send none twice', async (t) => {
  const server = await startTestServer(t)
  const { sql } = server.node.services
  await server.as('owner').subscribe(['town'])
  const count = 4_000
  await sql`
    insert into scheduled_messages
      (id, user_id, channel_id, topic, content, rendered, deliver_at, is_read_by_sender, client, changed_id)
    select -n, 1, ${channelIdOf(server, 'town')}, 'topic ' || n % 50, 'due ' || n, '', 1, true, '', -n
    from generate_series(1, ${count}::int) n`
  const env = {
    DATABASE_URL: server.databaseUrl,
    REDIS_URL: redisUrl(),
    REDIS_PREFIX: server.config.redisPrefix,
  }
  const sent = async () => {
    const [row] = await sql<{ count: number }[]>`
      select count(*) from scheduled_messages where sent_id is not null`
    return row?.count ?? 0
  }
  const [first, second] = [startWorkerProcess(t, env), startWorkerProcess(t, env)]
  for (const [killed, atLeast] of [
    [first, 1],
    [second, 2_000],
  ] as const) {
    await pollUntil('some are sent', async () => (await sent()) >= atLeast)
    await killed.kill()
  }
  startWorkerProcess(t, env)
  await pollUntil('all are sent', async () => (await sent()) === count)
  const [row] = await sql`
    select count(*), count(distinct m.content) as different, count(distinct l.id) as removals
    from messages m
    join scheduled_messages s on s.content = m.content
    join event_log l on l.id = s.sent_id and (l.event ->> 'scheduledId')::bigint = s.id
    where m.content like 'due %'`
  t.same(row, { count, different: count, removals: count })
})
