/** Event queues over several nodes: any of them serves any queue. */

import { randomUUID } from 'node:crypto'
import t from 'tap'
import { readLog, removeOldEvents } from '../../db/log/event-log.ts'
import { EventQueues } from '../../server/actors/event-queues.ts'
import type { LogEvent } from '../../server/domain/events.ts'
import type { EventId, QueueId, UserId } from '../../server/domain/ids.ts'
import { createInProcessBroadcast } from '../../server/log/broadcast-in-process.ts'
import { Feed } from '../../server/log/feed.ts'
import { applyEvent } from '../../server/events/apply-event.ts'
import { auditPartOf } from '../../server/events/audit-entries.ts'
import { loadState } from '../../server/state/load-state.ts'
import type { Client, Queue } from '../harness/client/client.ts'
import { commitEvents } from '../harness/worlds/commit-events.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { openStream } from './open-stream.ts'
import { phaseOf, waitUntilParked } from './wait-until-parked.ts'
import type { WireEvent } from '../harness/client/wire-types.ts'

const poll = (client: Client, queue: Queue, fields: Record<string, unknown> = {}) =>
  client.get('/events', { queue_id: queue.queueId, last_event_id: queue.lastEventId, ...fields })
const contentsOf = (events: readonly WireEvent[]) =>
  events.map((event) => event.message?.content ?? event.type)

/**
 * Waits until the first node knows that the queue is used elsewhere: a late signal would end its next poll.
 */
const waitUntilSignalled = (queue: Queue) =>
  pollUntil('the first node got the signal', async () => {
    const session = await server.node.services.queues.find(queue.queueId as QueueId, 4 as UserId)
    return session?.claim === -1
  })

const server = await startTestServer(t, { redis: true })
const other = await server.startAnotherNode()
const owner = server.as('owner')
const [here, there] = [server.as('member'), other.as('member')]
await owner.subscribe(['general'], { principals: [1, 4, 5] })

await t.test('[NODE1] a queue continues at another node', async (t) => {
  const queue = await here.register()
  await owner.send('general', 'topic', 'one')
  t.same(contentsOf(await here.events(queue)), ['one'])
  await owner.send('general', 'topic', 'two')
  t.same(contentsOf(await there.events(queue, {})), ['two'])
  await waitUntilSignalled(queue)
  const held = poll(here, queue)
  await waitUntilParked(server.node, here, queue)
  await other.as('owner').send('general', 'topic', 'three')
  t.same(contentsOf((await held).body.events), ['three'])
})

await t.test('[NODE2] a poll at another node ends the earlier one, each time', async (t) => {
  const queue = await here.register()
  let [held, from] = [poll(here, queue), server.node]
  await waitUntilParked(server.node, here, queue)
  for (let round = 0; round < 6; round++) {
    const to = from === server.node ? other.node : server.node
    const next = poll(to === server.node ? here : there, queue)
    t.same((await held).body.events, [])
    await waitUntilParked(to, here, queue)
    t.equal(await phaseOf(from, here, queue), 'idle')
    ;[held, from] = [next, to]
  }
  await owner.send('general', 'topic', 'to the last')
  t.same(contentsOf((await held).body.events), ['to the last'])
})

await t.test(
  '[NODE3] a client that changes nodes at each poll finds its session in memory, without the database',
  async (t) => {
    const queue = await here.register()
    await there.events(queue)
    const sessions = [server, other].map(({ node }) =>
      node.services.queues.find(queue.queueId as QueueId, 4 as UserId),
    )
    const [atFirst, atSecond] = await Promise.all(sessions)
    for (let round = 0; round < 10; round++) {
      await owner.send('general', 'topic', `${round}`)
      // It waits, since the other node gets the message a little later.
      t.same(contentsOf(await (round % 2 === 0 ? here : there).events(queue, {})), [`${round}`])
    }
    const after = await Promise.all(
      [server, other].map(({ node }) => node.services.queues.find(queue.queueId as QueueId, 4 as UserId)),
    )
    t.equal(after[0], atFirst, 'an unused session is cached')
    t.equal(after[1], atSecond)
  },
)

await t.test('[NODE4] a deleted queue ends what other nodes hold of it', async (t) => {
  const queue = await here.register()
  const held = poll(here, queue)
  await waitUntilParked(server.node, here, queue)
  await there.must('DELETE', '/events', { queue_id: queue.queueId })
  t.same((await held).body.events, [])
  await pollUntil('it is known', async () => (await poll(here, queue, { dont_block: true })).status === 400)
  t.equal((await poll(here, queue)).body.code, 'BAD_EVENT_QUEUE_ID')
})

await t.test(
  '[NODE5] a socket at one node ends for a poll at another, and the other way round',
  async (t) => {
    const queue = await here.register()
    const stream = await openStream(here, queue)
    await waitUntilParked(server.node, here, queue)
    const held = poll(there, queue)
    t.equal((await stream.closed).code, 4001)
    await waitUntilParked(other.node, there, queue)
    const again = await openStream(here, queue)
    t.same((await held).body.events, [])
    await owner.send('general', 'topic', 'to the stream')
    t.same(contentsOf(await again.take(1)), ['to the stream'])
    await again.close()
  },
)

await t.test('[NODE6] lost signals are repeated when the connection returns', async (t) => {
  const queue = await here.register()
  await there.events(queue)
  await waitUntilSignalled(queue)
  // Each believes that it has signalled the other, as after two signals that crossed on a lost connection.
  for (const { node } of [server, other]) {
    const session = await node.services.queues.find(queue.queueId as QueueId, 4 as UserId)
    if (session) session.claim = 0
  }
  const held = poll(here, queue)
  await waitUntilParked(server.node, here, queue)
  other.node.services.queues.onGap()
  const second = poll(there, queue)
  t.same((await held).body.events, [])
  await owner.send('general', 'topic', 'to the second')
  t.same(contentsOf((await second).body.events), ['to the second'])
  server.node.services.queues.onGap()
})

await t.test('[NODE8] of concurrent polls at a node without the session, one is held', async (t) => {
  const queue = await here.register()
  let ended = 0
  const polls = Array.from({ length: 3 }, async () => {
    const { body } = await poll(there, queue)
    ended++
    return body.events
  })
  await pollUntil('all but one have ended', () => ended === 2)
  await waitUntilParked(other.node, there, queue)
  const id = await owner.send('general', 'topic', 'to the last')
  t.same(
    (await Promise.all(polls)).flat().map((event) => event.id),
    [id],
  )
})

await t.test('[NODE7] a node that lags behind catches up and does not refuse', async (t) => {
  // Without Redis and with a stopped clock, the second node gets nothing.
  const lagging = await startTestServer(t, { clock: new ManualClock() })
  const behind = await lagging.startAnotherNode()
  const member = lagging.as('member')
  const queue = await member.register()
  await lagging.as('owner').sendDirect([4], 'one')
  t.same(contentsOf(await member.events(queue)), ['one'])
  t.ok(behind.node.services.state.appliedId < queue.lastEventId)
  const atSecond = behind.as('member')
  t.same(await atSecond.events(queue), [])
  t.equal(behind.node.services.state.appliedId, queue.lastEventId)
  await lagging.as('owner').sendDirect([4], 'two')
  await member.events(queue)
  const stream = await openStream(atSecond, queue)
  await behind.as('owner').sendDirect([4], 'three')
  t.same(contentsOf(await stream.take(1)), ['three'])
  await stream.close()
})

await t.test(
  '[REPLAY1] events older than the memory of a node are read from the log, with the rights of their time',
  async (t) => {
    const [member2, members] = [server.as('member2'), [4, 5]]
    const queues = await Promise.all([1, 2, 3].map(() => member2.register({ include_subscribers: true })))
    const wide = await member2.register({ all_public_streams: true, event_types: ['message'] })
    const guest = server.as('guest')
    const atGuest = await guest.register()
    await owner.subscribe(['secret'], { invite_only: true, principals: [1] })
    await owner.send('secret', 'topic', 'before')
    await owner.subscribe(['secret'], { principals: members })
    await owner.send('secret', 'topic', 'while')
    await owner.must('DELETE', '/users/me/subscriptions', { subscriptions: ['secret'], principals: [5] })
    await owner.send('secret', 'topic', 'after')
    await owner.subscribe(['secret'], { principals: [5] })
    await owner.send('secret', 'topic', 'again')
    await owner.subscribe(['open'])
    await owner.send('open', 'topic', 'not subscribed')
    await owner.sendDirect([5], 'direct')
    await owner.sendDirect([4], 'of others')
    const fresh = await server.startAnotherNode()
    const [fromMemory, fromLog, byStream] = queues as [Queue, Queue, Queue]
    const known = await member2.events(fromMemory)
    t.same(contentsOf(known.filter(({ type }) => type === 'message')), ['while', 'again', 'direct'])
    t.same(await fresh.as('member2').events(fromLog), known)
    const stream = await openStream(fresh.as('member2'), byStream)
    t.same(await stream.take(known.length), known)
    await stream.close()
    t.same(contentsOf(await fresh.as('member2').events(wide)), ['while', 'again', 'not subscribed', 'direct'])
    t.same(await fresh.as('guest').events(atGuest), [])
  },
)

await t.test('[REPLAY2] memory and log join without a gap, wherever the memory ends', async (t) => {
  const { sql, state: served } = server.node.services
  const state = await loadState(sql)
  state.pictureSecret = served.pictureSecret
  const clock = new ManualClock()
  const feed = new Feed({
    appliedId: state.appliedId,
    readLog: (afterId, countMax) => readLog(sql, afterId, countMax),
    onEntry(entry) {
      applyEvent(state, entry)
      queues.push(entry)
    },
    onError: (error) => t.fail('the feed failed', { error }),
  })
  const queues: EventQueues = new EventQueues({
    sql,
    state,
    clock,
    broadcast: createInProcessBroadcast(),
    origin: randomUUID(),
    pollHoldMs: 25_000,
    catchUp: () => feed.catchUp(),
    beat: async () => {},
    onError: (error) => t.fail('the queues failed', { error }),
    timelineEntriesMax: 8,
  })
  t.teardown(() => {
    queues.close()
    feed.close()
  })
  const reference = await here.register()
  const tested: Queue[] = []
  for (let sent = 0; sent < 30; sent++) {
    tested.push(await here.register())
    await (sent % 3 === 0
      ? owner.sendDirect([sent % 2 === 0 ? 4 : 5], `${sent}`)
      : owner.send('general', 't', `${sent}`))
  }
  await feed.catchUp()
  const all = await here.events(reference)
  for (const queue of tested) {
    const session = await queues.find(queue.queueId as QueueId, 4 as UserId)
    if (!session) throw new Error('the queue is there')
    const reply = await queues.poll(session, queue.lastEventId as EventId, false, () => false)
    t.same(
      JSON.parse(reply as string).events,
      all.filter(({ id }) => id > queue.lastEventId),
    )
  }
})

await t.test(
  '[REPLAY3] concurrent polls on a queue read from the log all end, and nothing is lost',
  async (t) => {
    const queue = await here.register()
    for (let sent = 0; sent < 5; sent++) await owner.send('general', 'topic', `${sent}`)
    const fresh = await server.startAnotherNode()
    const client = fresh.as('member')
    const answers = await Promise.all(Array.from({ length: 10 }, () => poll(client, queue)))
    const full = answers.filter(({ body }) => body.events.length > 0)
    t.ok(full.length >= 1)
    for (const { body } of full) t.same(contentsOf(body.events), ['0', '1', '2', '3', '4'])
    const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(client, { ...queue })))
    await pollUntil(
      'one stream is left',
      () => streams.filter(({ socket }) => socket.readyState === 1).length === 1,
    )
    const left = streams.find(({ socket }) => socket.readyState === 1)
    t.same(contentsOf((await left?.take(5)) ?? []), ['0', '1', '2', '3', '4'])
    await left?.close()
  },
)

await t.test('[REPLAY4] a long scan for few events returns its position and continues', async (t) => {
  const queue = await here.register()
  const { sql, state } = server.node.services
  const silent = { type: 'api_keys_changed', userId: 3, keyHashes: [] }
  const count = 50_100
  await sql.begin(async (tx) => {
    const [row] = await tx<{ base: number }[]>`
      update event_counter set last_id = last_id + ${count} returning last_id - ${count} as base`
    await tx`insert into event_log (id, event, audience)
      select ${row?.base ?? 0} + place, ${JSON.stringify(silent)}::text::json, ''
      from generate_series(1, ${count}::int) place`
  })
  await pollUntil('the node has caught up', () => state.appliedId > queue.lastEventId + count - 1)
  const fresh = await server.startAnotherNode()
  await fresh.as('owner').send('general', 'topic', 'at the end')
  const first = await poll(fresh.as('member'), queue)
  t.match(first.body.events, [{ type: 'heartbeat' }])
  queue.lastEventId = first.body.events[0].id
  t.same(contentsOf((await poll(fresh.as('member'), queue)).body.events), ['at the end'])
})

await t.test('[REPLAY5] a queue whose events have left the log no longer exists', async (t) => {
  const { sql } = server.node.services
  const [polled, streamed] = [await here.register(), await here.register()]
  await owner.send('general', 'topic', 'to be removed')
  // The newest hundred entries stay at any age.
  const kept = Array.from({ length: 100 }, (): LogEvent => ({ type: 'muted_topics', mutedTopics: [] }))
  await commitEvents(server, kept)
  const fresh = await server.startAnotherNode()
  await removeOldEvents(sql, new Date(Date.now() + 60_000), streamed.lastEventId + 1, auditPartOf)
  t.equal((await poll(fresh.as('member'), polled)).body.code, 'BAD_EVENT_QUEUE_ID')
  const stream = await openStream(fresh.as('member'), streamed)
  t.equal((await stream.closed).code, 4002)
  t.same(stream.events, [])
})
