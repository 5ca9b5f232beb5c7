import t from 'tap'
import { STREAMS_PER_USER_MAX } from '../../server/actors/close-codes.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { openStream } from './open-stream.ts'

t.test('[STREAMS1] streams are limited per user, and one that ends frees its place', async (t) => {
  const server = await startTestServer(t)
  const member = server.as('member')
  const register = () => member.register({ fetch_event_types: ['message'] })
  const queues = await Promise.all(Array.from({ length: STREAMS_PER_USER_MAX + 1 }, register))
  const streams = await Promise.all(queues.slice(1).map((queue) => openStream(member, queue)))
  await member.must('POST', '/users/me/status', { status_text: 'here' })
  for (const stream of streams) await stream.take(1)

  const [queue] = queues
  const reason = `a user has at most ${STREAMS_PER_USER_MAX} streams`
  const refused = await openStream(member, queue as (typeof queues)[0])
  t.same(await refused.closed, { code: 1008, reason })
  const other = await openStream(server.as('owner'), await server.as('owner').register())
  const again = await openStream(member, queues[1] as (typeof queues)[0])
  t.equal((await (streams[0] as (typeof streams)[0]).closed).code, 4001, 'its own place was reused')

  await streams[1]?.close()
  const later = await openStream(member, queue as (typeof queues)[0])
  await member.must('POST', '/users/me/status', { status_text: 'there' })
  for (const stream of [other, again, later]) await stream.take(1)
  t.pass('all three streams got the event')
  await Promise.all([...streams.slice(2), other, again, later].map((stream) => stream.close()))
})
