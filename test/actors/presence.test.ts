/** Presence over several processes, restarts and a Redis that loses its data. */

import { Redis } from 'ioredis'
import t from 'tap'
import type { UserId } from '../../server/domain/ids.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { startTestServer, type TestServer } from '../harness/servers/start-server.ts'
import { startRedis } from '../log/start-redis.ts'

const NOON_MS = Date.parse('2027-03-01T12:00:00Z')
const [ada, ben] = [4 as UserId, 5 as UserId]

type Node = TestServer['node']

/** The ids of users whose presence changed on a node since an update. */
function idsSince({ services }: Node, sinceId?: number): string[] {
  return Object.keys(JSON.parse(services.presences.encode({ isLegacy: false, sinceId }, ada)))
}

t.test('[PRESENCE20] processes share presence, and the later of two reports wins', async (t) => {
  const clock = new ManualClock(NOON_MS)
  const server = await startTestServer(t, { clock, redis: true })
  const [one, { node: other }] = [server.node, await server.startAnotherNode()]
  const exchange = async () => {
    await one.services.presences.exchange()
    await other.services.presences.exchange()
    await one.services.presences.exchange()
  }
  one.services.presences.report(ada, 'active')
  const active = NOON_MS / 1000
  clock.leap(100_000)
  other.services.presences.report(ada, 'idle')
  other.services.presences.report(ben, 'active')
  await exchange()
  for (const { services } of [one, other]) {
    t.same(services.presences.find(ada), { userId: ada, activeAt: active, idleAt: active + 100 })
  }
  t.same(idsSince(one), ['4', '5'])
  t.equal(one.services.presences.lastId, other.services.presences.lastId)

  // An update id from one process means the same to another.
  const { lastId } = one.services.presences
  one.services.presences.report(ben, 'active')
  await exchange()
  t.same(idsSince(other, lastId), ['5'])
  t.same(idsSince(other, other.services.presences.lastId), [])

  // A user who hides their presence is hidden everywhere, despite earlier reports.
  await server.as('member').must('PATCH', '/settings', { presence_enabled: false })
  await one.services.committer.drain()
  await exchange()
  const gone = active + 100 - 320
  for (const { services } of [one, other]) {
    t.same(services.presences.find(ada), { userId: ada, activeAt: gone, idleAt: gone })
  }

  const { node: third } = await server.startAnotherNode()
  t.same(idsSince(third), ['4', '5'], 'a starting process loads presence')
})

t.test('[PRESENCE21] a Redis that lost its data is filled again, and clients get every update', async (t) => {
  const clock = new ManualClock(NOON_MS)
  const server = await startTestServer(t, { clock, redis: true })
  const { presences } = server.node.services
  presences.report(ada, 'active')
  presences.report(ben, 'active')
  await presences.exchange()
  const { lastId } = presences
  clock.leap(1_000)
  const admin = new Redis(redisUrl())
  t.teardown(() => admin.disconnect())
  const keys = await admin.keys(`${server.config.redisPrefix}:*{presence}*`)
  t.equal(keys.length, 3)
  await admin.del(keys)
  await presences.exchange()
  await presences.exchange()
  t.ok(presences.lastId > lastId, 'numbers go on')
  t.same(idsSince(server.node, lastId), ['4', '5'], 'an update id of the lost count is ignored')
  t.same(idsSince(server.node, presences.lastId), [])
  const { node: other } = await server.startAnotherNode()
  t.same(idsSince(other), ['4', '5'], 'Redis has them again')
})

t.test('[PRESENCE22] without Redis, update ids of an earlier process are ignored', async (t) => {
  const clock = new ManualClock(NOON_MS)
  const server = await startTestServer(t, { clock })
  server.node.services.presences.report(ada, 'active')
  await server.node.services.presences.exchange()
  const { lastId } = server.node.services.presences
  clock.leap(5_000)
  const { node: later } = await server.startAnotherNode()
  t.same(idsSince(later), [])
  later.services.presences.report(ben, 'active')
  await later.services.presences.exchange()
  t.ok(later.services.presences.lastId > lastId)
  t.same(idsSince(later, lastId), ['5'])
})

t.test('[PRESENCE23] a failing or absent store loses no report', async (t) => {
  const clock = new ManualClock(NOON_MS)
  const server = await startTestServer(t, { clock, redis: true })
  const { presences } = server.node.services
  const admin = new Redis(redisUrl())
  t.teardown(() => admin.disconnect())
  const [ids] = await admin.keys(`${server.config.redisPrefix}:*{presence}:ids`)
  await admin.del(ids as string)
  await admin.set(ids as string, 'not what it should be')
  presences.report(ada, 'active')
  await presences.exchange()
  t.same(idsSince(server.node), ['4'], 'answered from memory')
  clock.leap(100_000)
  presences.report(ada, 'idle')
  await presences.exchange()
  await admin.del(ids as string)
  await presences.exchange()
  const { node: other } = await server.startAnotherNode()
  t.same(other.services.presences.find(ada), {
    userId: ada,
    activeAt: NOON_MS / 1000,
    idleAt: NOON_MS / 1000 + 100,
  })
})

t.test('[PRESENCE26] without Redis, a user who comes online is still shown to others', async (t) => {
  const clock = new ManualClock(NOON_MS)
  const redis = await startRedis(t)
  const server = await startTestServer(t, { clock, env: { REDIS_URL: redis.url, LOG_LEVEL: 'silent' } })
  const { presences, committer } = server.node.services
  const guest = server.as('guest')
  const queue = await guest.register({ event_types: ['presence'] })
  await redis.kill()
  await server.as('member').must('POST', '/users/me/presence', { status: 'active' })
  await presences.exchange()
  await committer.drain()
  t.match(await guest.events(queue), [{ type: 'presence', user_id: ada }])
  t.same(idsSince(server.node), ['4'])
  server.node.services.presences.report(ben, 'active') // Shutdown does not wait for Redis either.
})
