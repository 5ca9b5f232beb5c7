/** Clients that do not read: their events wait in the log, not in the memory of the server. */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import type { ChannelId } from '../../server/domain/ids.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { makeEntry } from '../log/make-entry.ts'
import { pollUntil } from '../services/poll-until.ts'
import { openStream } from './open-stream.ts'
import { phaseOf, waitUntilParked } from './wait-until-parked.ts'

const MESSAGES = 10_000
const BATCH_LENGTH = 500
const SLOW_CLIENTS = 20
/** An event is twice as long: without a bound, the clients would take 200 MB for half of the messages. */
const CONTENT = 'x'.repeat(1_000)
const GROWTH_BYTES_MAX = 100e6

const server = await startTestServer(t)
const { node } = server
const { committer, queues } = node.services
const member = server.as('member')
await server.as('owner').subscribe(['slow'], { principals: [1, 4] })
const [channel] = (await member.must('GET', '/users/me/subscriptions')).subscriptions
const channelId = channel.stream_id as ChannelId

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

async function sendMany(count: number): Promise<number[]> {
  const ids: number[] = []
  while (ids.length < count) {
    const { event } = makeEntry(0, {}, { channelId, content: CONTENT, rendered: `<p>${CONTENT}</p>` })
    const audience = { kind: 'subscribers', channelId } as const
    const firstId = await committer.submit({
      kind: 'messages',
      decide: () => ({
        events: Array.from({ length: BATCH_LENGTH }, () => ({ event, audience })),
        reply: (id) => id,
      }),
    })
    ids.push(...Array.from({ length: BATCH_LENGTH }, (_, index) => firstId + index))
  }
  return ids
}

await t.test(
  '[MIXED2] unread sockets and polls cost no memory over 10,000 messages, and resume without a gap',
  async (t) => {
    const register = () => member.register({ event_types: ['message'], fetch_event_types: [] })
    const [streamed, polled] = [[await register()], [await register()]]
    while (streamed.length < SLOW_CLIENTS) streamed.push(await register())
    while (polled.length < SLOW_CLIENTS) polled.push(await register())
    const streams = await Promise.all(streamed.map((queue) => openStream(member, queue)))
    for (const { socket } of streams) socket.pause()
    const answers = polled.map(({ queueId, lastEventId }) =>
      member.get('/events', { queue_id: queueId, last_event_id: lastEventId }),
    )
    for (const queue of [...streamed, ...polled]) await waitUntilParked(node, member, queue)

    const ids = await sendMany(MESSAGES / 2)
    collectGarbage()
    const bytesBefore = process.memoryUsage.rss()
    ids.push(...(await sendMany(MESSAGES / 2)))
    collectGarbage()
    const growth = process.memoryUsage.rss() - bytesBefore
    t.ok(growth < GROWTH_BYTES_MAX, `memory has grown by ${Math.round(growth / 1e6)} MB`)

    t.equal(queues.size, 2 * SLOW_CLIENTS)
    for (const queue of [...streamed, ...polled]) t.equal(await phaseOf(node, member, queue), 'idle')
    await Promise.all(answers) // Their clients ignore these.
    for (const { socket } of streams.slice(1)) socket.terminate()
    const [slow] = streams
    slow?.socket.resume()
    t.same(await slow?.closed, { code: 4003, reason: 'too slow: resume by last_event_id' })
    const heard = slow?.events.map(({ id }) => id) ?? []
    t.ok(heard.length < MESSAGES)
    const again = await openStream(member, streamed[0] as (typeof streamed)[number])
    await pollUntil('the rest has arrived', () => heard.length + again.events.length >= MESSAGES)
    t.same([...heard, ...again.events.map(({ id }) => id)], ids, 'by WebSocket')
    await again.close()

    const [unread] = polled
    const read: number[] = []
    while (unread && read.length < MESSAGES) read.push(...(await member.events(unread)).map(({ id }) => id))
    t.same(read, ids, 'by long poll, from its position')
  },
)
