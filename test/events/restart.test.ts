/** Restart events for clients whose queues outlive a restart of the server. */

import t from 'tap'
import { readConfig } from '../../server/config.ts'
import { createLogger } from '../../server/logger.ts'
import { startNode, type WebNode } from '../../server/node/node.ts'
import { applyFrozen } from '../harness/states/apply-frozen.ts'
import { Client, type Fields } from '../harness/client/client.ts'
import { createDatabase } from '../harness/databases/create-database.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { ACCOUNTS, emailOf } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { openEventSource } from './open-event-source.ts'
import { openStream } from './open-stream.ts'

const START_MS = Date.parse('2027-03-01T12:00:00Z')
const RELEASE = { zulip_version: '12.1', zulip_merge_base: '12.1', zulip_feature_level: 500 }
const NEUTRAL = { service_version: '12.1', service_merge_base: '12.1', service_feature_level: 500 }

/** A database with people, for nodes that start and stop. */
async function prepare(test: Parameters<typeof createDatabase>[0]) {
  const databaseUrl = await createDatabase(test, 'people')
  const clock = new ManualClock(START_MS)
  const env = {
    PORT: '0',
    LOG_LEVEL: 'error',
    DATABASE_CONNECTIONS: '2',
    REDIS_URL: redisUrl(),
    REDIS_PREFIX: new URL(databaseUrl).pathname.slice(1),
  }
  const config = { ...readConfig(env), databaseUrl }
  const running = new Set<WebNode>()
  test.teardown(() => Promise.all([...running].map((node) => node.close())))
  /** Starts a node one second after the last. */
  const start = async (release?: string) => {
    clock.leap(1_000)
    const node = await startNode({
      config,
      logger: createLogger('error'),
      clock,
      ...(release === undefined ? {} : { release }),
    })
    running.add(node)
    return node
  }
  const stop = async (node: WebNode) => {
    running.delete(node)
    await node.close()
  }
  return { start, stop, now: () => clock.nowMs() / 1000 }
}

function memberOf(node: WebNode): Client {
  const { id, key } = ACCOUNTS.get('member') as { id: number; key: string }
  return new Client(node.url, id, emailOf('member'), key)
}

/** The restart events of a queue. */
async function restartsOf(client: Client, queue: Awaited<ReturnType<Client['register']>>) {
  return (await client.events(queue)).filter(({ type }) => type === 'restart')
}

const register = (client: Client, fields: Fields = {}) => client.register(fields)

await t.test(
  '[RESTART1] clients connected over a restart get one restart event, with an id in the log',
  async (t) => {
    const { start, stop, now } = await prepare(t)
    const first = await start()
    const before = memberOf(first)
    const queue = await register(before)
    const only = await register(before, { event_types: ['restart'], fetch_event_types: [] })
    const messages = await register(before, { event_types: ['message'], fetch_event_types: [] })
    t.equal(queue.state.server_generation, 1_700_000_000, 'without a restart, the time of the organization')
    await stop(first)

    const second = await start()
    const after = memberOf(second)
    const [event, ...none] = await restartsOf(after, queue)
    t.same(none, [])
    t.same(event, { id: event.id, type: 'restart', ...NEUTRAL, ...RELEASE, server_generation: now() })
    t.same(await after.events(queue), [], 'once')
    t.same(await after.events(only), [event])
    t.same(await after.events(messages), [])
    const fresh = await register(after, { fetch_event_types: ['realm'] })
    t.equal(fresh.state.server_generation, now())
    t.same(await after.events(fresh), [], 'later clients get none')
    const state = applyFrozen(queue.state, [event])
    t.equal(state.server_generation, fresh.state.server_generation)
    await after.sendDirect([4], 'goes on')
    t.match(await after.events(messages), [{ type: 'message' }])

    await stop(second)
    const third = await start()
    const [again] = await restartsOf(memberOf(third), queue)
    t.equal(again.server_generation, now(), 'and the next one')
    t.ok(again.id > event.id)
  },
)

await t.test('[RESTART2] streams get the restart event when they reconnect', async (t) => {
  const { start, stop } = await prepare(t)
  const first = await start()
  const [socketQueue, sourceQueue] = [await register(memberOf(first)), await register(memberOf(first))]
  const socket = await openStream(memberOf(first), socketQueue)
  const source = await openEventSource(memberOf(first), sourceQueue.queueId)
  await stop(first)
  t.equal((await socket.closed).code, 1012)
  t.equal((await source.closed)?.code, 1012)
  const member = memberOf(await start())
  const socketAgain = await openStream(member, socketQueue)
  const sourceAgain = await openEventSource(member, sourceQueue.queueId)
  t.match(await socketAgain.take(1), [{ type: 'restart' }])
  t.match(await sourceAgain.take(1), [{ type: 'restart' }])
  await socketAgain.close()
  sourceAgain.close()
})

await t.test(
  '[RESTART3] of several processes that start one sends the restart event, once for each release',
  async (t) => {
    const { start, stop, now } = await prepare(t)
    const old = await start('1')
    const queue = await register(memberOf(old))
    const caughtUp = (node: WebNode, other: WebNode) =>
      pollUntil('received', () => node.services.state.appliedId >= other.services.state.appliedId)
    const another = await start('1')
    await caughtUp(old, another)
    t.same(await restartsOf(memberOf(old), queue), [], 'the release of the other was unknown')
    const besides = await register(memberOf(another), { fetch_event_types: ['realm'] })
    t.equal(besides.state.server_generation, queue.state.server_generation, 'so no registration differs')
    const third = await start('1')
    t.same(await restartsOf(memberOf(third), queue), [], 'others ran all the while')

    const next = await start('2')
    const generation = now()
    await stop(old)
    const nextToo = await start('2')
    await stop(another)
    await stop(third)
    const restarts = await restartsOf(memberOf(nextToo), queue)
    t.match(restarts, [{ server_generation: generation }])
    await caughtUp(next, nextToo)
    t.same(await restartsOf(memberOf(next), queue), [], 'whichever is asked')
  },
)

await t.test('[RESTART4] without waiting clients no restart event is sent', async (t) => {
  const { start, stop } = await prepare(t)
  const first = await start()
  const { appliedId } = first.services.state
  await stop(first)
  t.equal((await start()).services.state.appliedId, appliedId)
})
