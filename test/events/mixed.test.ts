/**
 * Clients of every kind at several servers, while connections break and servers stop: all get the same
 * events.
 */

import { Agent } from 'node:http'
import t from 'tap'
import { Listener, type ListenerKind } from '../cluster/listener.ts'
import { sendSurely } from '../cluster/send-surely.ts'
import { startWebProcess } from '../cluster/start-web-process.ts'
import { Client } from '../harness/client/client.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { type Person, startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { makeRandom } from './make-random.ts'

const SEED = Number(process.env.PARLEY_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
const KINDS: readonly ListenerKind[] = ['poll', 'glance', 'socket', 'changing']
const HEARERS: readonly Person[] = ['member', 'member2', 'guest']
const MESSAGES = 180

const random = makeRandom(SEED)
const server = await startTestServer(t, { redis: true })
const another = await server.startAnotherNode()
const env = {
  DATABASE_URL: server.databaseUrl,
  DATABASE_CONNECTIONS: '4',
  REDIS_URL: redisUrl(),
  REDIS_PREFIX: server.config.redisPrefix,
  RATE_LIMIT_USER_PER_MINUTE: '1000000',
}
const [stopped, killed] = await Promise.all([startWebProcess(t, env), startWebProcess(t, env)])
const urls = [server.node.url, stopped.url, another.node.url, killed.url]
const agent = new Agent({ keepAlive: true })
t.teardown(() => agent.destroy())
const listeners: Listener[] = []
t.teardown(() => Promise.all(listeners.map((listener) => listener.stop())))

await server.as('owner').subscribe(['mixed'], { principals: [1, 4, 5, 6] })
for (const person of HEARERS) {
  for (const kind of KINDS) {
    const client = server.as(person)
    const queue = await client.register({ event_types: ['message'], fetch_event_types: [] })
    const first = random.below(urls.length)
    listeners.push(
      new Listener({
        kind,
        urls: [...urls.slice(first), ...urls.slice(0, first)],
        authorization: client.authorization,
        queueId: queue.queueId,
        lastEventId: queue.lastEventId,
        agent,
      }),
    )
  }
}

await t.test(
  `[MIXED1] polls and streams at several servers, cut at random, get the same events without gap or double, even as servers stop (seed ${SEED})`,
  async (t) => {
    const owner = server.as('owner')
    const { queueId } = await owner.register({ event_types: [], fetch_event_types: [] })
    const sent = new Map<string, number>()
    const ends: Promise<void>[] = []
    for (let number = 0; number < MESSAGES; number++) {
      if (number === MESSAGES / 3) ends.push(stopped.stop())
      if (number === (2 * MESSAGES) / 3) ends.push(killed.kill())
      if (random.below(2) === 0) random.pick(listeners).disconnect()
      const first = random.below(urls.length)
      const clientOf = (attempt: number) =>
        new Client(urls[(first + attempt) % urls.length] as string, owner.userId, owner.email, owner.key)
      const content = `message ${number}`
      const { id } = await sendSurely(clientOf, 'mixed', content, {
        queue_id: queueId,
        local_id: `${number}`,
      })
      sent.set(content, id)
    }
    await Promise.all(ends)
    const rows = await server.node.services.sql<{ id: number; content: string }[]>`
      select id, content from messages order by id`
    t.same(new Map(rows.map(({ id, content }) => [content, id])), sent, 'the sent messages are stored')
    t.equal(rows.length, MESSAGES, 'once each')
    const ids = rows.map(({ id }) => id)
    await pollUntil('all have received the same number', () =>
      listeners.every((listener) => listener.ids.length >= ids.length),
    ).catch(() => undefined) // The comparison shows which are missing.
    for (const { kind, ids: heard } of listeners) t.same(heard, ids, kind)
    t.same(
      listeners.flatMap(({ surprises }) => surprises),
      [],
    )
  },
)
