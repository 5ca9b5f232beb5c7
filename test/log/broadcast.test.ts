/** One contract for both kinds of broadcast. */

import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import t from 'tap'
import type { LogEntry } from '../../server/domain/events.ts'
import type { EventId, QueueId, UserId } from '../../server/domain/ids.ts'
import { UserSet } from '../../server/domain/users/user-set.ts'
import type { Broadcast, QueueSignal } from '../../server/log/broadcast.ts'
import { createInProcessBroadcast } from '../../server/log/broadcast-in-process.ts'
import { createRedisBroadcast } from '../../server/log/broadcast-redis.ts'
import { connectRedis } from '../../server/log/connect-redis.ts'
import { redisUrl } from '../harness/servers/environment.ts'
import { pollUntil } from '../services/poll-until.ts'
import { makeEntry } from './make-entry.ts'
import { startRedis } from './start-redis.ts'

type Teardown = Pick<typeof t, 'teardown'>

interface Heard {
  readonly entries: LogEntry[]
  readonly signals: QueueSignal[]
  gaps: number
}

/** The calls that a listener of a broadcast gets. */
async function hear(broadcast: Broadcast): Promise<Heard> {
  const heard: Heard = { entries: [], signals: [], gaps: 0 }
  await broadcast.listen({
    onEntries: (entries) => heard.entries.push(...entries),
    onSignal: (signal) => heard.signals.push(signal),
    onGap: () => heard.gaps++,
  })
  return heard
}

async function openRedisBroadcast(t: Teardown, url: string, prefix: string, name = randomUUID()) {
  const ignore = () => {} // These tests inspect the losses.
  const publisher = await connectRedis(url, `${name}-publish`, { onError: ignore })
  const subscriber = await connectRedis(url, `${name}-listen`, { onError: ignore })
  const broadcast = createRedisBroadcast(publisher, subscriber, prefix)
  t.teardown(async () => {
    await broadcast.close()
    publisher.disconnect()
    subscriber.disconnect()
  })
  return { broadcast, publisher, subscriber, name }
}

const idsOf = (heard: Heard) => heard.entries.map(({ id }) => id)
const signalOf = (kind: QueueSignal['kind']): QueueSignal => ({
  queueId: randomUUID() as string as QueueId,
  kind,
  origin: 'here',
  cursor: 7 as EventId,
})

/** Two members of one broadcast: two processes, or the same twice. */
const IMPLEMENTATIONS: Record<string, (t: Teardown) => Promise<readonly [Broadcast, Broadcast]>> = {
  'in process': async () => {
    const broadcast = createInProcessBroadcast()
    return [broadcast, broadcast]
  },
  Redis: async (t) => {
    const prefix = randomUUID()
    const first = await openRedisBroadcast(t, redisUrl(), prefix)
    const second = await openRedisBroadcast(t, redisUrl(), prefix)
    return [first.broadcast, second.broadcast]
  },
}

await t.test('[CAST1] both broadcasts fulfil one contract', async (t) => {
  for (const [name, open] of Object.entries(IMPLEMENTATIONS)) {
    await t.test(
      `${name}: every listener gets published messages, including those of the publisher`,
      async (t) => {
        const [first, second] = await open(t)
        const [atFirst, atSecond] = [await hear(first), await hear(second)]
        const entries = [
          makeEntry(1, { audience: { kind: 'users', users: UserSet.of([3, 700] as UserId[]) } }),
          makeEntry(2, { audience: { kind: 'nobody' } }),
          makeEntry(3, { audience: { kind: 'subscribers', channelId: 5 as never } }),
        ]
        first.publish(entries)
        await pollUntil(
          'both have received it',
          () => atFirst.entries.length >= 3 && atSecond.entries.length >= 3,
        )
        for (const heard of [atFirst, atSecond]) {
          t.same(
            heard.entries.map(({ id, event }) => ({ id, event })),
            entries.map(({ id, event }) => ({ id, event })),
          )
          const audiences = heard.entries.map(({ audience }) => audience)
          t.same(
            audiences.map(({ kind }) => kind),
            ['users', 'nobody', 'subscribers'],
          )
          const [toUsers, , toSubscribers] = audiences
          t.same(toUsers?.kind === 'users' && toUsers.users.toArray(), [3, 700])
          t.equal(toSubscribers?.kind === 'subscribers' && toSubscribers.channelId, 5)
        }
      },
    )

    await t.test(`${name}: messages of one publisher arrive in order`, async (t) => {
      const [first, second] = await open(t)
      const heard = await hear(second)
      for (let id = 1; id <= 500; id++) first.publish([makeEntry(id)])
      await pollUntil('everything was received', () => heard.entries.length >= 500)
      t.same(
        idsOf(heard),
        Array.from({ length: 500 }, (_, index) => index + 1),
      )
    })

    await t.test(`${name}: publishing does not call listeners in the publisher's turn`, async (t) => {
      const [first] = await open(t)
      const heard = await hear(first)
      first.publish([makeEntry(1)])
      t.same(idsOf(heard), [])
      await pollUntil('received', () => heard.entries.length === 1)
    })

    await t.test(`${name}: signals arrive whole`, async (t) => {
      const [first, second] = await open(t)
      const [atFirst, atSecond] = [await hear(first), await hear(second)]
      const signals = [signalOf('taken'), signalOf('deleted')]
      for (const signal of signals) first.signal(signal)
      await pollUntil(
        'both have received it',
        () => atFirst.signals.length >= 2 && atSecond.signals.length >= 2,
      )
      t.same(atFirst.signals, signals)
      t.same(atSecond.signals, signals)
    })

    await t.test(`${name}: after close nothing is sent or received`, async (t) => {
      const [first, second] = await open(t)
      const [third] = name === 'Redis' ? [second] : [createInProcessBroadcast()]
      const heard = await hear(first)
      await first.close()
      third.publish([makeEntry(1)])
      first.publish([makeEntry(2)])
      first.signal(signalOf('taken'))
      const later = await hear(third)
      third.publish([makeEntry(3)])
      await pollUntil('the other continues', () => later.entries.some(({ id }) => id === 3))
      t.same(heard, { entries: [], signals: [], gaps: 0 })
      t.notOk(later.entries.some(({ id }) => id === 2))
      t.same(later.signals, [])
    })
  }
})

await t.test('[CAST2] a lost connection to Redis is reported as a gap once it is restored', async (t) => {
  const prefix = randomUUID()
  const { broadcast, name } = await openRedisBroadcast(t, redisUrl(), prefix)
  const heard = await hear(broadcast)
  t.equal(heard.gaps, 0, 'a first connection is no gap')
  const admin = new Redis(redisUrl())
  t.teardown(() => admin.disconnect())
  const clients = ((await admin.client('LIST')) as string).split('\n')
  const id = clients.find((line) => line.includes(`name=${name}-listen `))?.match(/^id=(\d+)/)?.[1]
  await admin.client('KILL', 'ID', id as string)
  await pollUntil('the gap is reported', () => heard.gaps > 0)
  // Messages published after the reported gap arrive: there is no second gap in between.
  broadcast.publish([makeEntry(1)])
  await pollUntil('it listens again', () => heard.entries.length > 0)
})

await t.test('[CAST5] each outage of Redis is reported once, and so is its end', async (t) => {
  const redis = await startRedis(t)
  let [lost, back] = [0, 0]
  const connection = await connectRedis(redis.url, 'parley-test', {
    onError: () => lost++,
    onBack: () => back++,
  })
  t.teardown(() => connection.disconnect())
  for (const outage of [1, 2]) {
    await redis.kill()
    await pollUntil('it is lost', () => lost === outage)
    await redis.start()
    await pollUntil('it is back', () => back === outage)
  }
  t.same([lost, back], [2, 2])
})

await t.test(
  '[CAST3] without Redis publishing fails silently, closing does not wait, and it recovers by itself',
  async (t) => {
    const redis = await startRedis(t)
    const { url } = redis
    const staying = await openRedisBroadcast(t, url, 'gone')
    const closing = await openRedisBroadcast(t, url, 'gone')
    const heard = await hear(staying.broadcast)
    await hear(closing.broadcast)
    await redis.kill()
    await pollUntil(
      'the loss is noticed',
      () => staying.publisher.status !== 'ready' && closing.subscriber.status !== 'ready',
    )
    staying.broadcast.publish([makeEntry(1)])
    staying.broadcast.signal(signalOf('taken'))
    await closing.broadcast.close()
    await redis.start()
    await pollUntil('the gap is reported', () => heard.gaps > 0)
    await pollUntil('both connections are back', () => staying.publisher.status === 'ready')
    staying.broadcast.publish([makeEntry(2)])
    await pollUntil('received', () => heard.entries.length > 0)
    t.same(idsOf(heard), [2], 'messages published meanwhile are lost: the log has them')
  },
)

await t.test('[CAST4] foreign messages are ignored', async (t) => {
  const prefix = randomUUID()
  const { broadcast } = await openRedisBroadcast(t, redisUrl(), prefix)
  const heard = await hear(broadcast)
  const stranger = new Redis(redisUrl())
  t.teardown(() => stranger.disconnect())
  const STRANGE = [
    'not JSON',
    '{',
    'null',
    '1',
    '[]',
    '{}',
    '{"first":1}',
    '{"first":"x","events":[{"type":"message"}],"audiences":[0]}',
    '{"first":2,"events":[null],"audiences":[0]}',
    '{"first":2,"events":[{"type":"message"}],"audiences":[]}',
    '{"first":2,"events":[{"type":"message"}],"audiences":[null]}',
    '{"queueId":"x","kind":"taken"}',
    '{"queueId":"x","kind":"taken","origin":"there"}',
  ]
  for (const text of STRANGE) {
    await stranger.publish(`${prefix}:log`, text)
    await stranger.publish(`${prefix}:signals`, text)
  }
  broadcast.publish([makeEntry(1)])
  await pollUntil('it continues', () => heard.entries.length > 0)
  t.same(idsOf(heard), [1])
  t.same(heard.signals, [])
  t.equal(heard.gaps, 2 * STRANGE.length, 'each is a reason to look at the log')
})
