/** Two web processes on one database and one Redis, and the failures of each. */

import { Agent } from 'node:http'
import t from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { Client } from '../harness/client/client.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { ACCOUNTS, emailOf, type Person } from '../harness/servers/start-server.ts'
import { startRedis } from '../log/start-redis.ts'
import { pollUntil } from '../services/poll-until.ts'
import { Listener } from './listener.ts'
import { sendSurely } from './send-surely.ts'
import { startWebProcess } from './start-web-process.ts'

const LISTENERS = 200
const SENDERS = 8
const HEARERS: readonly Person[] = ['owner', 'administrator', 'member', 'member2', 'guest']

const databaseUrl = await createDatabase(t, 'people')
const sql = connect(databaseUrl, 1, 'parley-test')
t.teardown(() => sql.end())
const redis = await startRedis(t)
const env = {
  DATABASE_URL: databaseUrl,
  REDIS_URL: redis.url,
  LOG_LEVEL: 'info',
  RATE_LIMIT_USER_PER_MINUTE: '1000000',
}
const processes = await Promise.all([startWebProcess(t, env), startWebProcess(t, env)])
const urls = processes.map(({ url }) => url)
const as = (person: Person, place: number) => {
  const { id, key } = ACCOUNTS.get(person) as { id: number; key: string }
  return new Client(urls[place % 2] as string, id, emailOf(person), key)
}
const agent = new Agent({ keepAlive: true, maxSockets: LISTENERS })
t.teardown(() => agent.destroy())

await as('owner', 0).subscribe(['cluster'], { principals: [1, 2, 4, 5, 6] })
const listeners: Listener[] = []
t.teardown(() => Promise.all(listeners.map((listener) => listener.stop())))
await pollUntil('the second process has the channel', async () => {
  const { body } = await as('guest', 1).get('/users/me/subscriptions')
  return body.subscriptions.length === 1
})
for (let place = 0; place < LISTENERS; place++) {
  const client = as(HEARERS[place % HEARERS.length] as Person, place)
  const queue = await client.register({ event_types: ['message'], fetch_event_types: [] })
  listeners.push(
    new Listener({
      kind: place % 4 < 2 ? 'poll' : 'socket',
      urls: place % 2 === 0 ? urls : [...urls].reverse(),
      authorization: client.authorization,
      queueId: queue.queueId,
      lastEventId: queue.lastEventId,
      agent,
    }),
  )
}
const sendersQueue = await as('owner', 0).register({ event_types: [], fetch_event_types: [] })

/** Ids by message text; each was acknowledged. */
const sent = new Map<string, number>()
let doubtful = 0

/** Sends one message, at the other process if the first does not answer. */
async function sendOne(number: number): Promise<void> {
  const content = `message ${number}`
  const mark = { queue_id: sendersQueue.queueId, local_id: `${number}` }
  const done = await sendSurely((attempt) => as('owner', number + attempt), 'cluster', content, mark)
  sent.set(content, done.id)
  doubtful += done.doubtful
}

/** Sends many messages, and runs an action when half are under way. */
async function sendMany(count: number, amid: () => Promise<unknown>): Promise<void> {
  const first = sent.size
  let next = first
  let happening: Promise<unknown> | undefined
  const work = async () => {
    while (next < first + count) {
      const number = next++
      if (number === first + count / 2) happening = amid()
      await sendOne(number)
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, work))
  await happening
}

/** Every listener and the database have every message once and in order. */
async function checkAll(t: { same(found: unknown, wanted: unknown, message: string): unknown }) {
  const rows = await sql<{ id: number; content: string }[]>`select id, content from messages order by id`
  t.same(
    new Map(rows.map(({ id, content }) => [content, id])),
    sent,
    'exactly the acknowledged messages are stored',
  )
  t.same(rows.length, sent.size, 'once each')
  const ids = rows.map(({ id }) => id)
  await pollUntil('every listener has received the same number', () =>
    listeners.every((listener) => listener.ids.length >= ids.length),
  ).catch(() => undefined) // The comparison shows which are missing.
  const wanted = ids.join(',')
  const wrong = listeners.filter((listener) => listener.ids.join(',') !== wanted)
  t.same(
    wrong.map(({ kind, ids: heard }) => ({
      kind,
      heard: heard.length,
      missing: ids.filter((id) => !heard.includes(id)),
    })),
    [],
    'every listener has them all, in order',
  )
  t.same(
    listeners.flatMap(({ surprises }) => surprises),
    [],
    'nobody got other events',
  )
}

await t.test('[CLUSTER1] all clients get the same events, at either process', async (t) => {
  await sendMany(250, async () => undefined)
  t.equal(doubtful, 0)
  await checkAll(t)
})

await t.test('[CLUSTER2] Redis may lose all its data', async (t) => {
  await sendMany(250, () => redis.client.flushall())
  t.equal(doubtful, 0)
  await checkAll(t)
})

await t.test('[CLUSTER3] Redis may die and return', async (t) => {
  await sendMany(250, async () => {
    await redis.kill()
    await sendOneAfterwards()
    await redis.start()
  })
  t.equal(doubtful, 0)
  await checkAll(t)
})

await t.test(
  '[CLUSTER4] when a process dies, its acknowledged changes stay, and its clients continue at another',
  async (t) => {
    await sendMany(250, () => (processes[1] as (typeof processes)[number]).kill())
    await checkAll(t)
    t.ok(doubtful > 0, 'some sends had no answer')
  },
)

/** Waits until a message is sent without Redis. */
async function sendOneAfterwards(): Promise<void> {
  const before = sent.size
  await pollUntil('something was sent meanwhile', () => sent.size > before + 20)
}
