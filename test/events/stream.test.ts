/** Event queues by WebSocket. */

import { once } from 'node:events'
import t from 'tap'
import { openLocalWriter } from '../../server/actors/local-writer.ts'
import { addApiKey, deactivateUser, rotateApiKeys } from '../harness/worlds/account-changes.ts'
import type { QueueId, UserId } from '../../server/domain/ids.ts'
import { addUser } from '../harness/worlds/add-user.ts'
import { Client, type Queue } from '../harness/client/client.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { openStream, refusedUpgrade } from './open-stream.ts'
import { phaseOf, waitUntilParked } from './wait-until-parked.ts'

const clock = new ManualClock()
const server = await startTestServer(t, { clock })
const { node } = server
const [owner, member] = [server.as('owner'), server.as('member')]
await owner.subscribe(['general'], { principals: [1, 4, 5] })

const poll = (client: Client, queue: Queue) =>
  client.get('/events', { queue_id: queue.queueId, last_event_id: queue.lastEventId })

const change = async (act: (writer: Awaited<ReturnType<typeof openLocalWriter>>) => Promise<unknown>) => {
  const writer = await openLocalWriter(server.databaseUrl)
  await act(writer)
  await writer.close()
  clock.advance(1_000) // The node reads the log, with or without the notification of the writer.
}

await t.test('[WS1] a stream sends the same events and ids as a long poll', async (t) => {
  const [polled, streamed] = [await member.register(), await member.register()]
  await owner.send('general', 'topic', 'missed')
  const stream = await openStream(member, streamed)
  await stream.take(1)
  await owner.send('general', 'topic', 'live')
  await owner.subscribe(['streamed'], { principals: [1, 4] })
  await member.send('general', 'topic', 'own', { queue_id: streamed.queueId, local_id: '1' })
  const events = await member.events(polled)
  const streamedEvents = await stream.take(events.length)
  const { local_message_id, ...own } = streamedEvents.at(-1)
  t.equal(local_message_id, '1')
  t.same([...streamedEvents.slice(0, -1), own], events)
  await stream.close()
})

await t.test('[WS2] a stream resumes after the last event of its client', async (t) => {
  const queue = await member.register()
  const first = await openStream(member, queue)
  await owner.send('general', 'topic', 'one')
  const [one] = await first.take(1)
  first.socket.terminate()
  await owner.send('general', 'topic', 'two')
  const second = await openStream(member, queue)
  t.match(await second.take(1), [{ message: { content: 'two' } }])
  await second.close()
  const again = await openStream(member, queue, one.id)
  t.match(await again.take(1), [{ message: { content: 'two' } }], 'until it is acknowledged')
  await again.close()
})

await t.test('[WS3] an acknowledgement moves the cursor, within the sent events', async (t) => {
  const queue = await member.register()
  const stream = await openStream(member, queue)
  const one = await owner.send('general', 'topic', 'one')
  const two = await owner.send('general', 'topic', 'two')
  await stream.take(2)
  stream.acknowledge(two + 1_000_000)
  stream.acknowledge(one)
  const session = await node.services.queues.find(queue.queueId as QueueId, member.userId as UserId)
  await pollUntil('it is acknowledged', () => session?.acknowledgedId === one)
  await stream.close()
  const { body } = await member.get('/events', { queue_id: queue.queueId, dont_block: true })
  t.same(
    body.events.map(({ id }) => id),
    [two],
  )
})

await t.test('[WS4] wrong credentials and parameters are HTTP errors', async (t) => {
  const queue = await member.register()
  const own = member.authorization
  const CASES: [query: string, authorization: string, status: number, body: unknown][] = [
    [`queue_id=${queue.queueId}`, '', 401, { msg: 'Missing authorization header for basic auth' }],
    [`queue_id=${queue.queueId}`, 'Bearer x', 401, { msg: 'Invalid authorization header for basic auth' }],
    [
      `queue_id=${queue.queueId}`,
      new Client('', 0, member.email, 'x'.repeat(32)).authorization,
      401,
      { msg: 'Invalid API key' },
    ],
    ['', own, 400, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'queue_id' }],
    ['a&'.repeat(1_500), '', 400, { msg: 'Too many parameters in one request (maximum 1000).' }],
    [`queue_id=${queue.queueId}&last_event_id=x`, own, 400, { msg: 'last_event_id is not an integer' }],
  ]
  for (const [query, authorization, status, body] of CASES) {
    t.match(await refusedUpgrade(node.url, query, authorization), {
      status,
      body: { result: 'error', ...(body as object) },
    })
  }
})

await t.test('[WS16] a queue that can no longer be read closes the stream for good', async (t) => {
  const queue = await member.register()
  const next = node.services.state.appliedId + 1
  const CASES: [client: Client, queueId: string, lastEventId: number, reason: string][] = [
    [member, 'nonsense', 0, 'the queue is no more'],
    [owner, queue.queueId, queue.lastEventId, 'the queue is no more'],
    [member, queue.queueId, queue.lastEventId - 1, 'events after last_event_id were acknowledged'],
    [member, queue.queueId, next, 'the queue is no more'],
  ]
  for (const [client, queueId, lastEventId, reason] of CASES) {
    const stream = await openStream(client, { ...queue, queueId }, lastEventId)
    t.same(await stream.closed, { code: 4002, reason })
    t.same(stream.events, [])
  }
})

await t.test('[WS5] an invalid frame closes the stream', async (t) => {
  for (const frame of [
    '',
    'nonsense',
    '{}',
    'null',
    '{"last_event_id":"1"}',
    '{"last_event_id":1.5}',
    '{"ping":"1"}',
    '{"ping":true}',
    '[1]',
  ]) {
    const stream = await openStream(member, await member.register())
    stream.socket.send(frame)
    t.same(
      await stream.closed,
      { code: 1003, reason: 'only {"last_event_id": …} and {"ping": …} are understood' },
      frame,
    )
  }
  const WRONG_FRAMES: [frame: string | Buffer, ...codes: number[]][] = [
    [Buffer.from('{"ping":1}'), 1003],
    ['x'.repeat(1_025), 1009],
    ['x'.repeat(16_384), 1009],
    ['x'.repeat(100_000), 1006, 1009], // Not read; not every library says why.
  ]
  for (const [frame, ...codes] of WRONG_FRAMES) {
    const stream = await openStream(member, await member.register())
    stream.socket.send(frame)
    const { code } = await stream.closed
    t.ok(codes.includes(code), `${frame.length}: ${code}`)
  }
  const stream = await openStream(member, await member.register())
  stream.socket.send(`{"ping":1}${' '.repeat(1_014)}`)
  t.equal(await stream.nextPong(), 1, 'the longest that is heeded')
  await stream.close()
})

await t.test(
  '[WS6] a second stream or a poll takes the queue over, and the first stream ends with that reason',
  async (t) => {
    const queue = await member.register()
    const first = await openStream(member, queue)
    await waitUntilParked(node, member, queue)
    const second = await openStream(member, queue)
    t.match(await first.closed, { code: 4001, reason: 'the queue is used elsewhere' })
    await waitUntilParked(node, member, queue)
    const held = poll(member, queue)
    t.equal((await second.closed).code, 4001)
    await waitUntilParked(node, member, queue)
    const third = await openStream(member, queue)
    t.same((await held).body.events, [])
    await owner.send('general', 'topic', 'to the third')
    t.match(await third.take(1), [{ message: { content: 'to the third' } }])
    t.same([...first.events, ...second.events], [])
    await third.close()
  },
)

await t.test('[WS7] the stream of a deleted queue is closed for good', async (t) => {
  const queue = await member.register()
  const stream = await openStream(member, queue)
  await waitUntilParked(node, member, queue)
  await member.must('DELETE', '/events', { queue_id: queue.queueId })
  t.match(await stream.closed, { code: 4002, reason: 'the queue is no more' })
})

await t.test('[WS8] a silent stream gets heartbeats and continues', async (t) => {
  const queue = await member.register({ event_types: ['message'] })
  const firstId = queue.lastEventId
  const stream = await openStream(member, queue)
  await waitUntilParked(node, member, queue)
  for (let round = 1; round <= 3; round++) {
    clock.advance(25_500)
    await pollUntil('a heartbeat has arrived', () => stream.events.length === round)
  }
  let lastId = firstId
  for (const { type, id } of stream.events) {
    t.equal(type, 'heartbeat')
    t.ok(id > lastId && id <= node.services.state.appliedId)
    lastId = id
  }
  await owner.send('general', 'topic', 'then a message')
  t.match(await stream.take(1), [{ type: 'message' }])
  await stream.close()
})

await t.test('[WS9] a streaming queue never expires; it does after its socket is gone', async (t) => {
  const queue = await member.register({ idle_queue_timeout: 60 })
  const stream = await openStream(member, queue)
  await waitUntilParked(node, member, queue)
  for (let minute = 0; minute < 5; minute++) clock.advance(60_000)
  await owner.send('general', 'topic', 'still there')
  t.match(await stream.take(1), [{ type: 'message' }])
  stream.socket.terminate()
  await pollUntil('the server has noticed', async () => (await phaseOf(node, member, queue)) === 'idle')
  clock.advance(300_000)
  t.equal((await poll(member, queue)).body.code, 'BAD_EVENT_QUEUE_ID')
})

await t.test('[WS10] regenerating the key closes a stream; adding a key does not', async (t) => {
  const bot = server.as('bot')
  const queue = await bot.register({ event_types: ['message'] })
  const stream = await openStream(bot, queue)
  await waitUntilParked(node, bot, queue)
  await change(({ committer }) => committer.submit(addApiKey(bot.userId as UserId, 'k'.repeat(32))))
  await owner.sendDirect([bot.userId], 'still there')
  await stream.take(1)
  await change(({ committer }) => committer.submit(rotateApiKeys(bot.userId as UserId, 'n'.repeat(32))))
  t.match(await stream.closed, { code: 4004, reason: 'the API key is no longer valid' })
})

await t.test('[WS11] the stream of a deactivated user is closed and sends nothing more', async (t) => {
  const moderator = server.as('moderator')
  const stream = await openStream(moderator, await moderator.register())
  await change(({ committer }) => committer.submit(deactivateUser(moderator.userId as UserId)))
  t.equal((await stream.closed).code, 4002)
  t.same(stream.events, [])
})

await t.test(
  '[WS12] a client that does not read is disconnected, costs little memory, and resumes without loss',
  async (t) => {
    const queue = await member.register({ event_types: ['message'] })
    const stream = await openStream(member, queue)
    await waitUntilParked(node, member, queue)
    stream.socket.pause()
    const content = 'x'.repeat(10_000)
    const ids: number[] = []
    await pollUntil('the server gave up on it', async () => {
      ids.push(
        ...(await Promise.all(Array.from({ length: 50 }, () => owner.send('general', 'slow', content)))),
      )
      return (await phaseOf(node, member, queue)) === 'idle'
    })
    const session = await node.services.queues.find(queue.queueId as QueueId, member.userId as UserId)
    t.equal(session?.pending, undefined)
    for (let more = 0; more < 10; more++) ids.push(await owner.send('general', 'slow', content))
    stream.socket.resume()
    t.match(await stream.closed, { code: 4003 })
    t.ok(stream.events.length < ids.length)
    const heard = stream.events.map(({ id }) => id)
    const again = await openStream(member, queue)
    await pollUntil('the rest has arrived', () => heard.length + again.events.length >= ids.length)
    t.same(
      [...heard, ...again.events.map(({ id }) => id)],
      ids.sort((a, b) => a - b),
    )
    await again.close()
  },
)

/** Sends more than a socket buffers; not all at once, since 700 new connections at a time may wait too long on a busy machine. */
async function sendBacklog<T>(send: () => Promise<T>): Promise<T[]> {
  const sent: T[] = []
  while (sent.length < 700) sent.push(...(await Promise.all(Array.from({ length: 50 }, send))))
  return sent
}

await t.test('[WS13] a large backlog is sent at the pace of the client', async (t) => {
  const queue = await member.register({ event_types: ['message'] })
  const content = 'y'.repeat(10_000)
  const ids = await sendBacklog(() => owner.send('general', 'backlog', content))
  const stream = await openStream(member, queue)
  stream.socket.pause()
  await owner.send('general', 'topic', 'in between')
  stream.socket.resume()
  const events = await stream.take(701)
  t.same(
    events.slice(0, 700).map(({ id }) => id),
    ids.sort((a, b) => a - b),
  )
  t.equal(stream.socket.readyState, stream.socket.OPEN)
  await stream.close()
})

await t.test('[WS14] a client that disconnects during its backlog leaves nothing waiting', async (t) => {
  const queue = await member.register({ event_types: ['message'] })
  const content = 'z'.repeat(10_000)
  await sendBacklog(() => owner.send('general', 'backlog', content))
  const stream = await openStream(member, queue)
  stream.socket.pause()
  await owner.send('general', 'topic', 'in between')
  t.equal(await phaseOf(node, member, queue), 'replaying')
  stream.socket.terminate()
  await pollUntil('the session is dropped', async () => (await phaseOf(node, member, queue)) === 'idle')
})

await t.test('[WS19] regenerating the key closes a stream that still gets its backlog', async (t) => {
  const reader = await addUser(server, 'reader')
  const queue = await reader.register({ event_types: ['message'] })
  const content = 'z'.repeat(10_000)
  await sendBacklog(() => owner.sendDirect([reader.userId], content))
  const stream = await openStream(reader, queue)
  stream.socket.pause()
  await owner.sendDirect([reader.userId], 'in between')
  t.equal(await phaseOf(node, reader, queue), 'replaying')
  await change(({ committer }) => committer.submit(rotateApiKeys(reader.userId as UserId, 'o'.repeat(32))))
  stream.socket.resume()
  t.match(await stream.closed, { code: 4004, reason: 'the API key is no longer valid' })
})

await t.test('[WS17] a ping is answered, by the server or by its library', async (t) => {
  const stream = await openStream(member, await member.register())
  stream.socket.send('{"ping":17}')
  t.equal(await stream.nextPong(), 17)
  const answered = once(stream.socket, 'pong')
  stream.socket.ping('frame')
  t.equal(String((await answered)[0]), 'frame')
  t.same(stream.events, [])
  await stream.close()
})

await t.test(
  '[WS18] a client that floods frames is disconnected, unless it acknowledges sent events',
  async (t) => {
    const queue = await member.register({ event_types: ['message'] })
    const stream = await openStream(member, queue)
    await waitUntilParked(node, member, queue)
    for (let count = 0; count < 70; count++) {
      await owner.send('general', 'topic', `${count}`)
      stream.acknowledge((await stream.take(count + 1)).at(-1).id)
    }
    stream.socket.send('{"ping":1}')
    t.equal(await stream.nextPong(), 1)
    for (let count = 0; count < 35; count++) {
      stream.socket.send('{"ping":2}')
      stream.socket.ping()
    }
    t.same(await stream.closed, { code: 1008, reason: 'too many frames' })
    const again = await openStream(member, queue)
    await owner.send('general', 'topic', 'and may come back')
    t.match(await again.take(1), [{ message: { content: 'and may come back' } }])
    await again.close()
  },
)

await t.test('[WS15] a stopping server closes its streams with that reason', async (t) => {
  const stopping = await startTestServer(t)
  const another = await stopping.startAnotherNode()
  const client = another.as('member')
  const queue = await client.register()
  const stream = await openStream(client, queue)
  await waitUntilParked(another.node, client, queue)
  await another.node.services.queues.drain()
  t.match(await stream.closed, { code: 1012, reason: 'the server restarts' })
  const late = await openStream(client, queue)
  t.equal((await late.closed).code, 1012)
  await stopping.as('owner').sendDirect([4], 'meanwhile')
  const elsewhere = await openStream(stopping.as('member'), queue)
  t.match(await elsewhere.take(1), [{ message: { content: 'meanwhile' } }])
  await elsewhere.close()
})
