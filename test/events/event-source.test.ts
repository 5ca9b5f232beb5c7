/** Event queues by server-sent events. */

import t from 'tap'
import { rotateApiKeys } from '../harness/worlds/account-changes.ts'
import { createApiKey } from '../../server/changes/passwords.ts'
import { Client } from '../harness/client/client.ts'
import type { ChannelId, UserId } from '../../server/domain/ids.ts'
import { addUser, deactivate } from '../harness/worlds/add-user.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { makeEntry } from '../log/make-entry.ts'
import { openEventSource, refusedEventSource } from './open-event-source.ts'
import { openStream } from './open-stream.ts'
import { phaseOf, waitUntilParked } from './wait-until-parked.ts'

const clock = new ManualClock()
const server = await startTestServer(t, { clock })
const { node } = server
const { committer } = node.services
const [owner, member] = [server.as('owner'), server.as('member')]
await owner.subscribe(['general'], { principals: [1, 4] })
const channelId = (await member.must('GET', '/users/me/subscriptions')).subscriptions[0]
  .stream_id as ChannelId
const register = (client = member) => client.register({ event_types: ['message'], fetch_event_types: [] })

await t.test('[SSE1] a stream sends the same events and ids as a poll, as they arrive', async (t) => {
  const [polled, streamed] = [await member.register(), await member.register()]
  await owner.send('general', 'topic', 'missed')
  const source = await openEventSource(member, streamed.queueId, {
    query: { last_event_id: streamed.lastEventId },
  })
  t.match(source.headers, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-ratelimit-limit': '1000000',
    'x-request-id': /./,
  })
  await source.take(1)
  await owner.send('general', 'topic', 'live\nand in two lines')
  await owner.subscribe(['streamed'], { principals: [1, 4] })
  const events = await member.events(polled)
  t.same(await source.take(events.length), events)
  source.close()
})

await t.test(
  '[SSE2] a reconnection continues after the last event id, which acknowledges the earlier ones',
  async (t) => {
    const queue = await register()
    const first = await openEventSource(member, queue.queueId)
    const one = await owner.send('general', 'topic', 'one')
    await first.take(1)
    t.equal(first.lastEventId, String(one))
    first.close()
    await first.closed
    await owner.send('general', 'topic', 'two')
    const headers = { 'last-event-id': first.lastEventId }
    // The address keeps the value of the first connection.
    const second = await openEventSource(member, queue.queueId, {
      headers,
      query: { last_event_id: queue.lastEventId },
    })
    t.match(await second.take(1), [{ message: { content: 'two' } }])
    second.close()
    const { status, body } = await refusedEventSource(member, queue.queueId, {
      query: { last_event_id: queue.lastEventId },
    })
    t.equal(status, 400)
    t.match(body, {
      msg: `An event newer than ${queue.lastEventId} has already been pruned!`,
      code: 'BAD_REQUEST',
    })
  },
)

await t.test(
  '[SSE3] a silent stream sends a sign of life within 25 seconds, with its position',
  async (t) => {
    const queue = await register()
    const source = await openEventSource(member, queue.queueId)
    await waitUntilParked(node, member, queue)
    const id = node.services.state.appliedId
    for (const count of [1, 2]) {
      clock.advance(25_000)
      const heartbeats = Array.from({ length: count }, (_, index) => ({
        id: id + 1 + index,
        type: 'heartbeat',
      }))
      while (source.events.length < count)
        await new Promise((resolve) => source.response.once('data', resolve))
      t.same(source.events, heartbeats)
    }
    source.close()
  },
)

await t.test(
  '[SSE4] a poll, a WebSocket or another stream takes the queue over, and the stream ends with that reason',
  async (t) => {
    const queue = await register()
    const taken = { code: 4001, reason: 'the queue is used elsewhere' }
    const first = await openEventSource(member, queue.queueId)
    await waitUntilParked(node, member, queue)
    const second = await openEventSource(member, queue.queueId)
    t.same(await first.closed, taken)
    await waitUntilParked(node, member, queue)
    t.same(await member.events(queue), [])
    t.same(await second.closed, taken)
    const third = await openEventSource(member, queue.queueId)
    await waitUntilParked(node, member, queue)
    const socket = await openStream(member, queue)
    t.same(await third.closed, taken)
    await waitUntilParked(node, member, queue)
    const fourth = await openEventSource(member, queue.queueId)
    t.equal((await socket.closed).code, 4001)
    await owner.send('general', 'topic', 'to the last')
    t.match(await fourth.take(1), [{ message: { content: 'to the last' } }])
    fourth.close()
  },
)

await t.test('[SSE5] an error at the start has the form of the API', async (t) => {
  const queue = await register()
  const refused = async (...asked: Parameters<typeof refusedEventSource>) => {
    const { status, body, headers } = await refusedEventSource(...asked)
    t.equal(headers['content-type'], 'application/json')
    return [status, body.code, body.msg]
  }
  const unknown = '00000000-0000-4000-8000-000000000000'
  t.same(await refused(member, unknown), [400, 'BAD_EVENT_QUEUE_ID', `Bad event queue ID: ${unknown}`])
  t.same(await refused(owner, queue.queueId), [
    400,
    'BAD_EVENT_QUEUE_ID',
    `Bad event queue ID: ${queue.queueId}`,
  ])
  t.same(await refused(member, undefined), [400, 'REQUEST_VARIABLE_MISSING', "Missing 'queue_id' argument"])
  t.same(await refused(member, queue.queueId, { headers: { 'last-event-id': 'x' } }), [
    400,
    'BAD_REQUEST',
    'last_event_id is not an integer',
  ])
  const future = node.services.state.appliedId + 1
  t.same(await refused(member, queue.queueId, { query: { last_event_id: future } }), [
    400,
    'BAD_EVENT_QUEUE_ID',
    `Bad event queue ID: ${queue.queueId}`,
  ])
  const wrong = new Client(member.url, 4, member.email, createApiKey())
  t.same(await refused(wrong, queue.queueId), [401, 'UNAUTHORIZED', 'Invalid API key'])
  const { status, body } = await refusedEventSource(member, queue.queueId, {
    headers: { accept: 'text/html' },
  })
  t.match([status, body], [404, { code: 'NOT_FOUND' }], 'a client that does not accept streams gets none')
})

await t.test('[SSE6] a ticket opens one stream', async (t) => {
  const queue = await register()
  const { ticket } = await member.must('POST', '/events/ticket')
  const options = { query: { ticket }, headers: { authorization: '' } }
  const source = await openEventSource(member, queue.queueId, options)
  await owner.send('general', 'topic', 'by ticket')
  t.match(await source.take(1), [{ message: { content: 'by ticket' } }])
  const { status, body } = await refusedEventSource(member, queue.queueId, options)
  t.match([status, body], [401, { code: 'UNAUTHORIZED', msg: 'Invalid ticket' }])
  source.close()
})

await t.test('[SSE7] a stream ends with its queue, its key and its user', async (t) => {
  const queue = await register()
  const deleted = await openEventSource(member, queue.queueId)
  await waitUntilParked(node, member, queue)
  await member.must('DELETE', '/events', { queue_id: queue.queueId })
  t.same(await deleted.closed, { code: 4002, reason: 'the queue is no more' })

  const gone = await addUser(server, 'gone')
  const second = await register(gone)
  const unauthorized = await openEventSource(gone, second.queueId)
  await waitUntilParked(node, gone, second)
  const key = createApiKey()
  await committer.submit(rotateApiKeys(gone.userId as UserId, key))
  t.same(await unauthorized.closed, { code: 4004, reason: 'the API key is no longer valid' })
  const again = new Client(gone.url, gone.userId, gone.email, key)
  const last = await openEventSource(again, second.queueId)
  await waitUntilParked(node, gone, second)
  await deactivate(server, gone.userId)
  t.same(await last.closed, { code: 4002, reason: 'the queue is no more' })
})

await t.test(
  '[SSE8] a client that does not read is disconnected, and gets the rest when it returns',
  async (t) => {
    const queue = await register()
    const slow = await openEventSource(member, queue.queueId, { isPaused: true })
    await waitUntilParked(node, member, queue)
    const content = 'x'.repeat(1_000)
    const ids: number[] = []
    while (ids.length < 10_000) {
      const { event } = makeEntry(0, {}, { channelId, content, rendered: `<p>${content}</p>` })
      const audience = { kind: 'subscribers', channelId } as const
      const firstId = await committer.submit({
        kind: 'messages',
        decide: () => ({
          events: Array.from({ length: 500 }, () => ({ event, audience })),
          reply: (id) => id,
        }),
      })
      ids.push(...Array.from({ length: 500 }, (_, index) => firstId + index))
    }
    t.equal(await phaseOf(node, member, queue), 'idle', 'missed events wait in the log')
    slow.response.resume()
    t.equal(await slow.closed, undefined, 'without a word, for which it has no room')
    const heard = slow.events.map(({ id }) => id)
    t.ok(heard.length < ids.length)

    const headers = { 'last-event-id': slow.lastEventId || String(queue.lastEventId) }
    const again = await openEventSource(member, queue.queueId, { headers })
    await again.take(ids.length - heard.length)
    t.same([...heard, ...again.events.map(({ id }) => id)], ids, 'each once and in order')
    again.close()
  },
)
