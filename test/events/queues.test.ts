/** Event queues by long poll. */

import { randomUUID } from 'node:crypto'
import t from 'tap'
import { holdLog } from '../harness/worlds/hold-log.ts'
import { removeExpiredQueues, removeQueue, storeQueue, touchQueues } from '../../db/log/queues.ts'
import { logHeartbeat } from '../../server/changes/server/log-heartbeat.ts'
import { openLocalWriter } from '../../server/actors/local-writer.ts'
import { deactivateUser, rotateApiKeys } from '../harness/worlds/account-changes.ts'
import type { EventId, QueueId, UserId } from '../../server/domain/ids.ts'
import { UserSet } from '../../server/domain/users/user-set.ts'
import { createLogger } from '../../server/logger.ts'
import { startNode } from '../../server/node/node.ts'
import { Client, type Queue } from '../harness/client/client.ts'
import { channelIdOf } from '../harness/worlds/set-up-channel.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { startTestServer, type TestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { phaseOf, waitUntilParked } from './wait-until-parked.ts'
import type { List, WireEvent } from '../harness/client/wire-types.ts'

const MINUTE_MS = 60_000

/**
 * A server with a clock that the test moves, with a channel of the owner, the member and the second member.
 */
async function startQueueServer(t: Parameters<typeof startTestServer>[0], env: Record<string, string> = {}) {
  const clock = new ManualClock()
  const server = await startTestServer(t, { clock, env })
  await server.as('owner').subscribe(['general'], { principals: [1, 4, 5] })
  return { ...server, clock, owner: server.as('owner'), member: server.as('member') }
}

const poll = (client: Client, queue: Queue, fields: Record<string, unknown> = {}) =>
  client.get('/events', { queue_id: queue.queueId, last_event_id: queue.lastEventId, ...fields })
const contentsOf = (events: readonly WireEvent[]) =>
  events.map((event) => event.message?.content ?? event.type)

const shared = await startQueueServer(t)
const { owner, member, node, clock } = shared

await t.test(
  '[QUEUE1] a poll returns the events after last_event_id and acknowledges those before',
  async (t) => {
    const queue = await member.register()
    const first = await owner.send('general', 'topic', 'one')
    const second = await owner.send('general', 'topic', 'two')
    const all = await poll(member, queue, { dont_block: true })
    t.same(Object.keys(all.body).sort(), ['events', 'msg', 'queue_id', 'result'])
    t.equal(all.body.queue_id, queue.queueId)
    t.same(
      all.body.events.map((event) => [event.id, event.message.id]),
      [
        [first, first],
        [second, second],
      ],
    )
    t.same(
      (await poll(member, queue, { dont_block: true })).body,
      all.body,
      'unacknowledged ones are repeated',
    )
    const rest = await poll(member, queue, { last_event_id: first, dont_block: true })
    t.same(contentsOf(rest.body.events), ['two'])
    const none = await poll(member, queue, { last_event_id: second, dont_block: true })
    t.same(none.body.events, [])
    const gone = await poll(member, queue, { last_event_id: first, dont_block: true })
    t.equal(gone.status, 400)
    t.same(gone.body, {
      result: 'error',
      msg: `An event newer than ${first} has already been pruned!`,
      code: 'BAD_REQUEST',
    })
  },
)

await t.test(
  '[QUEUE2] without last_event_id, or with -1, all unacknowledged events are returned',
  async (t) => {
    const queue = await member.register()
    const first = await owner.send('general', 'topic', 'one')
    await owner.send('general', 'topic', 'two')
    for (const last_event_id of [undefined, -1]) {
      const { body } = await poll(member, queue, { last_event_id, dont_block: true })
      t.same(contentsOf(body.events), ['one', 'two'])
    }
    await poll(member, queue, { last_event_id: first, dont_block: true })
    const { body } = await poll(member, queue, { last_event_id: -1, dont_block: true })
    t.same(contentsOf(body.events), ['two'])
  },
)

await t.test(
  '[QUEUE3] an id beyond the end of the log ends the queue, also once the log reaches it',
  async (t) => {
    const queue = await member.register()
    const id = node.services.state.appliedId + 1
    for (const when of ['before', 'after']) {
      const answer = await poll(member, queue, { last_event_id: id, dont_block: true })
      t.equal(answer.status, 400)
      t.match(answer.body, { code: 'BAD_EVENT_QUEUE_ID', queue_id: queue.queueId }, when)
      await owner.send('general', 'topic', 'reaches it')
    }
  },
)

await t.test('[QUEUE4] a poll without events is held until one arrives', async (t) => {
  const queue = await member.register()
  const held = poll(member, queue)
  await waitUntilParked(node, member, queue)
  await owner.send('general', 'topic', 'at last')
  t.same(contentsOf((await held).body.events), ['at last'])
})

await t.test('[QUEUE5] a held poll gets a heartbeat in time, whatever its event types', async (t) => {
  const queue = await member.register({ event_types: ['realm_user'] })
  const held = poll(member, queue)
  await waitUntilParked(node, member, queue)
  const other = await owner.send('general', 'topic', 'not for this queue')
  clock.advance(24_500)
  t.equal(await phaseOf(node, member, queue), 'parked')
  clock.advance(1_000)
  const { body } = await held
  t.same(body.events, [{ id: other, type: 'heartbeat' }], 'its id skips entries for other queues')
  const next = poll(member, queue, { last_event_id: other })
  await waitUntilParked(node, member, queue)
  clock.advance(26_000)
  const [later] = (await next).body.events
  t.match(later, { type: 'heartbeat' })
  t.ok(later.id > other, 'nothing happened, and its id is later all the same')
})

await t.test('[QUEUE36] a heartbeat is given up if the log does not accept it in time', async (t) => {
  const { sql } = node.services
  const release = await holdLog(sql)
  await t.rejects(logHeartbeat(node.services, 0), { message: 'no heartbeat could be logged in time' })
  await release()
  await node.services.committer.drain()
})

await t.test('[QUEUE35] a poll that times out just as an event arrives returns that event', async (t) => {
  const queue = await member.register({ event_types: ['typing'] })
  const held = poll(member, queue)
  await waitUntilParked(node, member, queue)
  const audience = { kind: 'users', users: UserSet.of([member.userId as UserId]) } as const
  const place = { kind: 'direct', userIds: [1, 4] as UserId[] } as const
  await node.services.committer.submit({
    kind: 'structure',
    decide: () => ({
      events: [{ event: { type: 'typing/start', senderId: 1 as UserId, place }, audience }],
      reply: () => clock.advance(26_000), // It is applied, and delivered in the next turn.
    }),
  })
  const { events } = (await held).body
  t.match(events, [{ type: 'typing' }])
  await node.services.committer.drain() // The heartbeat that it first wanted is logged, too.
  t.ok(node.services.state.appliedId > events[0].id)
})

await t.test(
  '[QUEUE33] ids of heartbeats rise without events, the same for all waiting clients',
  async (t) => {
    const queues = [await member.register(), await owner.register()]
    const clients = [member, owner]
    let lastId: number = node.services.state.appliedId
    for (let round = 1; round <= 3; round++) {
      const held = queues.map((queue, place) => poll(clients[place] as Client, queue))
      await Promise.all(queues.map((queue, place) => waitUntilParked(node, clients[place] as Client, queue)))
      clock.advance(25_500)
      const [first, second] = (await Promise.all(held)).map(({ body }) => body.events) as List<
        List<WireEvent>
      >
      t.match(first, [{ type: 'heartbeat' }])
      t.same(first, second)
      t.ok(first[0].id > lastId, 'it is later than the one before')
      lastId = first[0].id
      for (const queue of queues) queue.lastEventId = lastId
    }
    t.equal(node.services.state.appliedId, lastId)
    const id = await owner.send('general', 'topic', 'after them')
    for (const [place, queue] of queues.entries()) {
      const events = await (clients[place] as Client).events(queue)
      t.equal(events.at(-1).id, id, 'events after a heartbeat arrive')
    }
  },
)

await t.test('[QUEUE6] a second poll ends the first with an empty list', async (t) => {
  const queue = await member.register()
  const first = poll(member, queue)
  await waitUntilParked(node, member, queue)
  const second = poll(member, queue)
  t.same((await first).body.events, [])
  await waitUntilParked(node, member, queue)
  await owner.send('general', 'topic', 'to the second')
  t.same(contentsOf((await second).body.events), ['to the second'])
})

await t.test(
  '[QUEUE7] of many concurrent polls one stays and gets the next event; the others end',
  async (t) => {
    const queue = await member.register()
    const polls = Array.from({ length: 20 }, () => poll(member, queue))
    let ended = 0
    for (const one of polls) void one.then(({ body }) => body.events.length === 0 && ended++)
    await pollUntil('all but one have ended', () => ended === 19)
    await waitUntilParked(node, member, queue)
    await owner.send('general', 'topic', 'to one of them')
    const heard = (await Promise.all(polls)).flatMap(({ body }) => contentsOf(body.events))
    t.same(heard, ['to one of them'])
  },
)

await t.test(
  '[QUEUE8] unknown, malformed, deleted and expired queues and those of other users look alike',
  async (t) => {
    const [deleted, expired, others] = [
      await member.register(),
      await member.register({ idle_queue_timeout: 1 }),
      await owner.register(),
    ]
    await member.must('DELETE', '/events', { queue_id: deleted.queueId })
    clock.advance(5 * MINUTE_MS)
    const inMemory = await owner.register()
    const held = poll(owner, inMemory)
    await waitUntilParked(node, owner, inMemory)
    const ids = [
      randomUUID(),
      'nonsense',
      '',
      ...[deleted, expired, others, inMemory].map((one) => one.queueId),
    ]
    for (const queue_id of ids) {
      for (const method of ['GET', 'DELETE']) {
        const answer = await member.request(method, '/events', { queue_id, dont_block: true })
        t.equal(answer.status, 400)
        t.same(answer.body, {
          result: 'error',
          msg: `Bad event queue ID: ${queue_id}`,
          code: 'BAD_EVENT_QUEUE_ID',
          queue_id,
        })
      }
    }
    t.same((await poll(owner, others, { dont_block: true })).status, 200, 'the other user still has theirs')
    const id = await owner.send('general', 'topic', 'to its owner')
    t.same(
      (await held).body.events.map((event) => event.id),
      [id],
      'their poll is held',
    )
  },
)

await t.test('[QUEUE9] the queue id is required', async (t) => {
  const { status, body } = await member.get('/events')
  t.equal(status, 400)
  t.same(body, {
    result: 'error',
    msg: "Missing 'queue_id' argument",
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'queue_id',
  })
})

await t.test('[QUEUE10] deleting a queue ends its held poll', async (t) => {
  const queue = await member.register()
  const held = poll(member, queue)
  await waitUntilParked(node, member, queue)
  t.same((await member.delete('/events', { queue_id: queue.queueId })).body, { result: 'success', msg: '' })
  t.same((await held).body.events, [])
  t.equal((await poll(member, queue, { dont_block: true })).body.code, 'BAD_EVENT_QUEUE_ID')
})

await t.test('[QUEUE11] event_types filter events; unknown types add nothing', async (t) => {
  const everything = await member.register({ event_types: null })
  const messages = await member.register({ event_types: ['message', 'no_such_type'] })
  const nothing = await member.register({ event_types: [] })
  await owner.send('general', 'topic', 'a message')
  await owner.subscribe(['for types'], { principals: [4] })
  const typesOf = async (queue: Queue) => (await member.events(queue)).map(({ type }) => type)
  t.same(await typesOf(everything), ['message', 'stream', 'subscription'])
  t.same(await typesOf(messages), ['message'])
  t.same(await typesOf(nothing), [])
})

await t.test('[QUEUE12] a narrow filters messages and no other events', async (t) => {
  await owner.subscribe(['other channel'], { principals: [1, 4, 5] })
  const member2 = shared.as('member2')
  const NARROWS: Record<string, [narrow: [string, string][], wanted: string[]]> = {
    'a channel by name': [[['channel', 'General']], ['a', 'b', 'own', 'done']],
    'a channel by its old operator': [[['stream', 'other channel']], ['c', 'unnamed']],
    'a topic, whatever its case': [[['topic', 'APPLES']], ['a', 'c', 'own']],
    'a channel and a topic': [
      [
        ['channel', 'general'],
        ['topic', 'pears'],
      ],
      ['b'],
    ],
    'the empty topic': [[['topic', '']], ['unnamed']],
    'the empty topic by its name': [[['topic', 'general chat']], ['unnamed']],
    'the empty topic by its older name': [[['topic', '(no topic)']], ['unnamed']],
    'a sender by address': [[['sender', 'member2@example.com']], ['b', 'dm2']],
    'a sender by id': [[['sender', '5']], ['b', 'dm2']],
    'direct messages': [[['is', 'dm']], ['dm', 'dm2']],
    'direct messages by the old operand': [[['is', 'private']], ['dm', 'dm2']],
    'what is unread': [[['is', 'unread']], ['a', 'b', 'c', 'dm', 'dm2', 'done', 'unnamed']],
    'what is starred': [[['is', 'starred']], []],
    'what alerts': [[['is', 'alerted']], []],
    'what mentions': [[['is', 'mentioned']], []],
    'resolved topics': [[['is', 'resolved']], ['done']],
    'what is muted': [[['is', 'muted']], ['b', 'c']],
  }
  const topic = (stream_id: number, name: string, visibility_policy: number) =>
    member.must('POST', '/user_topics', { stream_id, topic: name, visibility_policy })
  const other = channelIdOf(shared, 'other channel')
  await topic(channelIdOf(shared, 'general'), 'PEARS', 1)
  await member.must('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: other, property: 'is_muted', value: true }],
  })
  await topic(other, '', 2)
  const queues = new Map<string, Queue>()
  for (const [name, [narrow]] of Object.entries(NARROWS)) queues.set(name, await member.register({ narrow }))
  await owner.send('general', 'apples', 'a')
  await member2.send('general', 'pears', 'b')
  await owner.send('other channel', 'Apples', 'c')
  await owner.sendDirect([4], 'dm')
  await member2.sendDirect([4], 'dm2')
  await member.send('general', 'apples', 'own', { read_by_sender: true })
  await owner.send('general', '✔ plums', 'done')
  await owner.send('other channel', '', 'unnamed')
  await owner.subscribe(['unnarrowed'])
  for (const [name, queue] of queues) {
    t.same(
      contentsOf(await member.events(queue)),
      [...(NARROWS[name]?.[1] ?? []), 'stream', 'subscription'],
      name,
    )
  }
  const refused = await member.post('/register', { narrow: [['search', 'x']] })
  t.match(refused, { status: 400, body: { code: 'BAD_REQUEST', msg: 'Operator search not supported.' } })
  t.match(await member.post('/register', { narrow: [['is', 'followed']] }), { status: 400 })
})

await t.test(
  '[QUEUE13] all_public_streams adds public channels without a subscription, except for guests',
  async (t) => {
    const guest = shared.as('guest')
    const wide = await member.register({ all_public_streams: true, event_types: ['message'] })
    const plain = await member.register({ event_types: ['message'] })
    const asGuest = await guest.register({ all_public_streams: true, event_types: ['message'] })
    await owner.subscribe(['elsewhere'])
    await owner.subscribe(['hidden'], { invite_only: true })
    const held = poll(member, wide)
    await waitUntilParked(node, member, wide)
    await owner.send('hidden', 'topic', 'private')
    await owner.send('elsewhere', 'topic', 'public')
    await owner.sendDirect([2], 'direct')
    await owner.send('general', 'topic', 'subscribed')
    const { body } = await held
    t.same(contentsOf(body.events), ['public'])
    wide.lastEventId = body.events.at(-1).id
    t.same(contentsOf(await member.events(wide)), ['subscribed'])
    t.same(contentsOf(await member.events(plain)), ['subscribed'])
    t.same(await guest.events(asGuest), [])
  },
)

await t.test('[QUEUE14] the local id of a message is sent only to the queue that sent it', async (t) => {
  const [sending, other] = [await member.register(), await member.register()]
  const fields = { queue_id: sending.queueId, local_id: '1700000000.01' }
  const id = await member.send('general', 'topic', 'marked', fields)
  t.equal(await member.send('general', 'topic', 'marked again', fields), id)
  t.match(await member.events(sending), [{ id, local_message_id: '1700000000.01' }])
  const [atOther] = await member.events(other)
  t.equal(atOther.id, id)
  t.notOk('local_message_id' in atOther)
})

await t.test('[QUEUE15] a client that disconnects while it waits loses nothing', async (t) => {
  const queue = await member.register()
  const aborting = new AbortController()
  const url = `${member.url}/api/v1/events?queue_id=${queue.queueId}&last_event_id=${queue.lastEventId}`
  const held = fetch(url, { headers: { authorization: member.authorization }, signal: aborting.signal })
  await waitUntilParked(node, member, queue)
  aborting.abort()
  await t.rejects(held)
  await pollUntil('the poll is released', async () => (await phaseOf(node, member, queue)) === 'idle')
  await owner.send('general', 'topic', 'meanwhile')
  t.same(contentsOf(await member.events(queue)), ['meanwhile'])
})

await t.test('[QUEUE16] a large backlog is returned in several replies', async (t) => {
  const queue = await member.register({ event_types: ['message'] })
  const count = 1_100
  const ids: number[] = []
  for (let sent = 0; sent < count; sent += 100) {
    ids.push(...(await Promise.all(Array.from({ length: 100 }, () => owner.send('general', 'big', 'x')))))
  }
  ids.sort((a, b) => a - b)
  const first = await member.events(queue)
  t.equal(first.length, 1_000)
  const second = await member.events(queue)
  t.same(
    [...first, ...second].map(({ id }) => id),
    ids,
  )
})

await t.test('[QUEUE17] large messages make a reply shorter', async (t) => {
  const queue = await member.register({ event_types: ['message'] })
  const content = 'lorem ipsum '.repeat(800)
  const ids = await Promise.all(Array.from({ length: 500 }, () => owner.send('general', 'large', content)))
  const sizes: number[] = []
  const heard: number[] = []
  while (heard.length < 500) {
    const { body } = await poll(member, queue, { dont_block: true })
    sizes.push(JSON.stringify(body).length)
    heard.push(...body.events.map(({ id }) => id))
    queue.lastEventId = heard.at(-1) as number
  }
  t.ok(sizes.length > 1 && Math.max(...sizes) < 5 * 1024 * 1024, sizes.join())
  t.same(
    heard,
    ids.sort((a, b) => a - b),
  )
})

await t.test('[QUEUE18] regenerating an API key ends polls with the old one', async (t) => {
  const bot = shared.as('bot')
  const queue = await bot.register()
  const held = poll(bot, queue)
  await waitUntilParked(node, bot, queue)
  const writer = await openLocalWriter(shared.databaseUrl)
  await writer.committer.submit(rotateApiKeys(bot.userId as UserId, 'x'.repeat(32)))
  await writer.close()
  clock.advance(1_000) // The node reads the log, with or without the notification of the writer.
  t.same((await held).body.events, [])
  t.equal((await poll(bot, queue)).status, 401)
})

await t.test('[QUEUE19] the queues of a deactivated user end for good', async (t) => {
  const moderator = shared.as('moderator')
  const held = [await moderator.register(), await moderator.register()] as const
  const polls = held.map((queue) => poll(moderator, queue))
  for (const queue of held) await waitUntilParked(node, moderator, queue)
  const writer = await openLocalWriter(shared.databaseUrl)
  await writer.committer.submit(deactivateUser(moderator.userId as UserId))
  await writer.close()
  clock.advance(1_000) // The node reads the log, with or without the notification of the writer.
  for (const one of polls) t.same((await one).body.events, [])
  t.match(await poll(moderator, held[0]), { status: 401, body: { msg: 'Account is deactivated' } })
  const { sql } = node.services
  const rows = await sql`select id from event_queues where user_id = ${moderator.userId}`
  t.equal(rows.length, 0)
})

await t.test('[QUEUE20] an unused session is dropped, and restored when its client returns', async (t) => {
  const { queues, sql } = node.services
  const queue = await member.register({ idle_queue_timeout: 3_600 })
  const id = await owner.send('general', 'topic', 'one')
  await member.events(queue)
  await member.events(queue)
  clock.advance(MINUTE_MS)
  const storedCursor = async () =>
    (
      await sql<{ id: number }[]>`select acknowledged_id as id from event_queues where id = ${queue.queueId}`
    )[0]?.id
  await pollUntil('its cursor is noted', async () => (await storedCursor()) === id)
  clock.advance(3 * MINUTE_MS)
  await queues.noteUse()
  t.equal(queues.size, 0, 'no idle queue stays in memory')
  await owner.send('general', 'topic', 'two')
  t.same(contentsOf(await member.events(queue)), ['two'])
  t.equal(queues.size, 1)
})

await t.test('[QUEUE21] a queue expires after its idle time, but never while a poll is held', async (t) => {
  const { queues, sql } = node.services
  const idle = await member.register({ idle_queue_timeout: 60 })
  const busy = await member.register({ idle_queue_timeout: 60 })
  const sweep = () => removeExpiredQueues(sql, new Date(clock.nowMs()), 120)
  for (let minute = 0; minute < 6; minute++) {
    const held = poll(member, busy)
    await waitUntilParked(node, member, busy)
    clock.advance(MINUTE_MS)
    await queues.noteUse()
    t.match((await held).body.events, [{ type: 'heartbeat' }])
    await sweep()
  }
  t.equal((await poll(member, idle)).body.code, 'BAD_EVENT_QUEUE_ID')
  t.equal((await poll(member, busy, { dont_block: true })).status, 200)
  clock.advance(6 * MINUTE_MS)
  t.equal((await poll(member, busy)).body.code, 'BAD_EVENT_QUEUE_ID')
  const rows = await sql`select id from event_queues where id = ${idle.queueId}`
  t.equal(rows.length, 0)
})

await t.test('[QUEUE22] a use of a queue that failed to be recorded is recorded later', async (t) => {
  const { queues, sql } = node.services
  const queue = await member.register()
  const id = await owner.send('general', 'topic', 'one')
  await member.events(queue)
  await member.events(queue)
  await sql`alter table event_queues rename to elsewhere`
  await t.rejects(queues.noteUse())
  await sql`alter table elsewhere rename to event_queues`
  await queues.noteUse()
  const [row] = await sql`select acknowledged_id as id from event_queues where id = ${queue.queueId}`
  t.equal(row?.id, id)
})

await t.test('[QUEUE34] a queue that was removed from the database ends its held poll', async (t) => {
  const { queues, sql } = node.services
  const queue = await member.register()
  const held = poll(member, queue)
  await waitUntilParked(node, member, queue)
  await removeQueue(sql, queue.queueId as QueueId)
  await queues.noteUse()
  t.equal(await phaseOf(node, member, queue), undefined)
  t.same((await held).body.events, [])
})

await t.test(
  '[QUEUE23] queues are bounded per user: new ones replace those unused the longest',
  async (t) => {
    const { sql } = node.services
    const store = (at: number) =>
      storeQueue(
        sql,
        {
          id: randomUUID() as string as QueueId,
          userId: 3 as UserId,
          options: { at },
          acknowledgedId: 0 as EventId,
          idleTimeoutSeconds: 600,
          seenAtMs: at * 1000,
        },
        3,
      )
    for (const at of [5, 1, 4, 2, 3]) await store(at)
    const rows = await sql<{ at: number }[]>`
    select (options->>'at')::int as at from event_queues where user_id = 3 order by 1`
    t.same(
      rows.map(({ at }) => at),
      [3, 4, 5],
    )
  },
)

await t.test(
  '[QUEUE24] a stopping server ends held polls, so that clients reconnect elsewhere',
  async (t) => {
    const server: TestServer = await startTestServer(t)
    const client = server.as('member')
    const queue = await client.register()
    const held = poll(client, queue)
    await waitUntilParked(server.node, client, queue)
    await server.node.services.queues.drain()
    t.same((await held).body.events, [])
    t.same((await poll(client, queue)).body.events, [], 'no poll is held')
  },
)

await t.test('[QUEUE25] a closing node disconnects its clients without waiting for them', async (t) => {
  const { config } = shared
  const closing = await startNode({ config, clock, logger: createLogger(config.logLevel) })
  const client = new Client(closing.url, member.userId, member.email, member.key)
  const queue = await client.register()
  const held = poll(client, queue)
  await waitUntilParked(closing, client, queue)
  await closing.close()
  const { body, headers } = await held
  t.same(body.events, [])
  t.equal(headers.get('connection'), 'close')
  await t.rejects(poll(client, queue))
  t.equal((await poll(member, queue, { dont_block: true })).status, 200, 'another has its queue')
})

await t.test('[QUEUE26] LONGPOLL_SECONDS sets how long a poll is held', async (t) => {
  const server = await startQueueServer(t, { LONGPOLL_SECONDS: '5' })
  const queue = await server.member.register()
  t.equal(queue.state.event_queue_longpoll_timeout_seconds >= 5, true)
  const held = poll(server.member, queue)
  await waitUntilParked(server.node, server.member, queue)
  server.clock.advance(4_500)
  t.equal(await phaseOf(server.node, server.member, queue), 'parked')
  server.clock.advance(1_000)
  t.match((await held).body.events, [{ type: 'heartbeat' }])
})

await t.test('[QUEUE27] processes that record the use of the same queues do not deadlock', async (t) => {
  const { sql } = node.services
  const queues = Array.from({ length: 1_000 }, () => ({
    id: randomUUID() as string as QueueId,
    acknowledgedId: 1 as EventId,
    seenAtMs: clock.nowMs(),
  }))
  await sql`insert into event_queues (id, user_id, options, acknowledged_id, idle_timeout_seconds, seen_at)
    select id, 2, '{}', 0, 600, now() from unnest(${queues.map(({ id }) => id)}::uuid[]) id`
  const rounds = Array.from({ length: 8 }, (_, round) =>
    touchQueues(sql, round % 2 === 0 ? queues : [...queues].reverse()),
  )
  for (const there of await Promise.all(rounds)) t.equal(there.length, 1_000)
  t.same(await touchQueues(sql, []), [])
})
