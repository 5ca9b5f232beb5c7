import t from 'tap'
import { createLogger } from '../../server/logger.ts'
import { startWorker } from '../../workers/worker.ts'
import type { TestContext } from '../harness/create-database.ts'
import { startTestServer, type TestServer } from '../harness/start-server.ts'
import { startRedis } from '../log/start-redis.ts'
import { pollUntil } from '../services/poll-until.ts'

const logger = createLogger('silent')

/** Schedules a message for the next second but one; answers when it is due, and how to see that it is sent. */
async function schedule(server: TestServer, content: string) {
  const owner = server.as('owner')
  const at = Math.floor(Date.now() / 1_000) + 2
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

t.test('[SCHED32] workers send what is scheduled at its time, woken by Redis', (t) => expectWoken(t, true))

t.test('[SCHED33] workers send what is scheduled at its time, woken by PostgreSQL', (t) =>
  expectWoken(t, false),
)

t.test('[SCHED34] a Redis that forgets who was to be woken only delays', async (t) => {
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
