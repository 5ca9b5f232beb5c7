/** Opening a stream counts towards the rate limits, like any request. */

import t from 'tap'
import { createApiKey } from '../../server/changes/passwords.ts'
import { refusedEventSource } from '../events/open-event-source.ts'
import { openStream, refusedUpgrade } from '../events/open-stream.ts'
import { Client } from '../harness/client/client.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { startTestServer } from '../harness/servers/start-server.ts'

/** A quarter of a second after the start of a window, so that fractions show. */
const START_MS = Date.UTC(2030, 0, 1) + 15_250
const RESET = String(Date.UTC(2030, 0, 1) / 1000 + 60)
const LIMITED = {
  result: 'error',
  msg: 'API usage exceeded rate limit, try again in 45 seconds',
  code: 'RATE_LIMIT_HIT',
  'retry-after': 44.75,
}
const REFUSED = {
  'x-ratelimit-limit': '3',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': RESET,
  'retry-after': '45',
  'x-request-id': /./,
}

await t.test('[UPGRADE1] opening a stream counts towards the limit of its user', async (t) => {
  const clock = new ManualClock(START_MS)
  const server = await startTestServer(t, { clock, env: { RATE_LIMIT_USER_PER_MINUTE: '3' } })
  const member = server.as('member')
  const queue = await member.register({ event_types: ['message'], fetch_event_types: [] })
  const query = `queue_id=${queue.queueId}`
  const stream = await openStream(member, queue)
  // A request for an absent queue counts as well.
  const { status, headers } = await refusedEventSource(member, '00000000-0000-4000-8000-000000000000')
  t.match([status, headers['x-ratelimit-remaining']], [400, '0'])
  const refused = await refusedUpgrade(member.url, query, member.authorization)
  t.equal(refused.status, 429)
  t.same(refused.body, LIMITED)
  t.match(refused.headers, REFUSED)
  const source = await refusedEventSource(member, queue.queueId)
  t.equal(source.status, 429)
  t.same(source.body, LIMITED)
  t.match(source.headers, REFUSED)
  t.equal((await member.get('/users/me')).status, 429, 'both share one count')
  const member2 = server.as('member2')
  t.equal(
    (await refusedUpgrade(member.url, '', member2.authorization)).status,
    400,
    'another user has their own',
  )
  await stream.close()

  clock.advance(45_000)
  const again = await openStream(member, queue)
  await again.close()
})

await t.test(
  '[UPGRADE2] wrong credentials of a stream count against the address, like those of requests',
  async (t) => {
    const clock = new ManualClock(START_MS)
    const server = await startTestServer(t, { clock, env: { RATE_LIMIT_ADDRESS_PER_MINUTE: '3' } })
    const member = server.as('member')
    const wrong = new Client(member.url, 4, member.email, createApiKey())
    const upgrade = (query: string, authorization: string) => refusedUpgrade(member.url, query, authorization)
    const first = await upgrade('queue_id=x', wrong.authorization)
    t.match([first.status, first.headers], [401, { 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '2' }])
    t.equal((await upgrade('queue_id=x&ticket=forged', '')).status, 401)
    t.equal((await wrong.get('/users/me')).status, 401)
    const refused = await upgrade('queue_id=x', wrong.authorization)
    t.equal(refused.status, 429)
    t.same(refused.body, LIMITED)
    t.match(refused.headers, REFUSED)
    t.equal((await refusedEventSource(wrong, 'x')).status, 429)
    t.equal((await wrong.get('/users/me')).status, 429)
    t.equal((await upgrade('', member.authorization)).status, 400, 'a right key is accepted')
  },
)

await t.test('[UPGRADE3] behind a trusted proxy the address is the one that the proxy reports', async (t) => {
  const env = { RATE_LIMIT_ADDRESS_PER_MINUTE: '1', TRUST_PROXY: 'on' }
  const server = await startTestServer(t, { clock: new ManualClock(START_MS), env })
  const member = server.as('member')
  const wrong = new Client(member.url, 4, member.email, createApiKey())
  const from = async (address: string) =>
    (await refusedEventSource(wrong, 'x', { headers: { 'x-forwarded-for': `10.0.0.1, ${address}` } })).status
  t.equal(await from('192.0.2.1'), 401)
  t.equal(await from('192.0.2.1'), 429)
  t.equal(await from('192.0.2.2'), 401)
})
