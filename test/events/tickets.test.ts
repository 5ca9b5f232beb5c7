/** Tickets open a WebSocket without the API key. */

import t from 'tap'
import { addApiKey, rotateApiKeys } from '../harness/account-changes.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { dayOf } from '../../server/domain/weekly-traffic.ts'
import { Client } from '../harness/client.ts'
import { expectRefusal } from '../harness/expect-refusal.ts'
import { ManualClock } from '../harness/manual-clock.ts'
import { startTestServer } from '../harness/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { openStream, refusedUpgrade } from './open-stream.ts'
import { waitUntilParked } from './wait-until-parked.ts'

const DAY_MS = 24 * 3_600_000

const clock = new ManualClock()
const server = await startTestServer(t, { clock })
const { node } = server
const [owner, member, bot] = [server.as('owner'), server.as('member'), server.as('bot')]

const ticketOf = async (client: Client): Promise<string> =>
  (await client.must('POST', '/events/ticket')).ticket
const REFUSED = { status: 401, body: { result: 'error', msg: 'Invalid ticket', code: 'UNAUTHORIZED' } }
const refused = (client: Client, ticket: string, authorization = '') =>
  refusedUpgrade(client.url, new URLSearchParams({ queue_id: 'any', ticket }).toString(), authorization)
const countTickets = async () => (await node.services.sql`select from tickets`).count

await t.test('[TICKET1] a ticket opens a stream of its user, and is safe in an address', async (t) => {
  const queue = await member.register({ event_types: ['message'] })
  const { ticket, expires_in_seconds } = await member.must('POST', '/events/ticket')
  t.equal(expires_in_seconds, 30)
  t.equal(encodeURIComponent(ticket), ticket)
  t.notMatch(ticket, member.key)
  const stream = await openStream(member, queue, undefined, ticket)
  await owner.sendDirect([4], 'hello')
  t.match(await stream.take(1), [{ message: { content: 'hello' } }])
  await stream.close()
})

await t.test('[TICKET2] a ticket is valid once, at any server', async (t) => {
  const another = await server.startAnotherNode()
  const queue = await member.register({ event_types: ['message'] })
  const ticket = await ticketOf(member)
  const first = await openStream(another.as('member'), queue, undefined, ticket)
  await waitUntilParked(another.node, member, queue)
  for (const client of [member, another.as('member')]) {
    const second = await openStream(client, queue, undefined, ticket)
    t.same(await second.closed, { code: 4004, reason: 'the ticket was used before' })
    t.same(second.events, [])
  }
  await owner.sendDirect([4], 'to the first still')
  clock.advance(1_000)
  t.match(await first.take(1), [{ message: { content: 'to the first still' } }])
  await first.close()
})

await t.test('[TICKET3] of concurrent uses of a ticket one succeeds', async (t) => {
  const queue = await member.register({ event_types: ['message'] })
  const ticket = await ticketOf(member)
  const streams = await Promise.all(
    Array.from({ length: 8 }, () => openStream(member, queue, undefined, ticket)),
  )
  const open = () => streams.filter(({ socket }) => socket.readyState === socket.OPEN)
  await pollUntil('the others are closed', () => open().length === 1)
  await owner.sendDirect([4], 'to one')
  const [left] = open()
  t.match(await left?.take(1), [{ message: { content: 'to one' } }])
  await left?.close()
  const ends = await Promise.all(streams.map(({ closed }) => closed))
  t.equal(ends.filter(({ code }) => code === 4004).length, 7)
})

await t.test('[TICKET4] a ticket is valid for half a minute', async (t) => {
  const queue = await member.register()
  const [inTime, late] = [await ticketOf(member), await ticketOf(member)]
  clock.advance(30_000)
  const stream = await openStream(member, queue, undefined, inTime)
  await waitUntilParked(node, member, queue)
  await stream.close()
  clock.advance(1)
  t.match(await refused(member, late), REFUSED)
})

await t.test('[TICKET5] invalid and changed tickets are refused for every caller', async (t) => {
  const ticket = await ticketOf(member)
  const [userId, expiry, id, signature] = ticket.split('.') as [string, string, string, string]
  const other = await ticketOf(owner)
  const WRONG = [
    '',
    'nonsense',
    member.key,
    `${userId}.${expiry}.${id}`,
    `1.${expiry}.${id}.${signature}`,
    `99.${expiry}.${id}.${signature}`,
    `${userId}.${Number(expiry) + 1}.${id}.${signature}`,
    `${userId}.${expiry}.${other.split('.')[2]}.${signature}`,
    `${userId}.${expiry}.${id}.${other.split('.')[3]}`,
    `${ticket}=`,
    ` ${ticket}`,
    `${ticket}\n`,
  ]
  for (const wrong of WRONG) t.match(await refused(member, wrong), REFUSED, wrong)
  t.match(await refused(member, 'nonsense', member.authorization), REFUSED, 'a key does not help then')
})

await t.test('[TICKET6] a ticket opens only queues of its user', async (t) => {
  const queue = await owner.register()
  const stream = await openStream(member, queue, undefined, await ticketOf(member))
  t.same(await stream.closed, { code: 4002, reason: 'the queue is no more' })
  t.same(stream.events, [])
})

await t.test('[TICKET7] a ticket and its stream end with the key that created it', async (t) => {
  const queue = await bot.register({ event_types: ['message'] })
  const added = 'k'.repeat(32)
  await node.services.committer.submit(addApiKey(bot.userId as UserId, added))
  const second = new Client(bot.url, bot.userId, bot.email, added)
  const [ofFirst, unused] = [await ticketOf(bot), await ticketOf(bot)]
  const ofSecond = await ticketOf(second)
  const stream = await openStream(bot, queue, undefined, ofFirst)
  await waitUntilParked(node, bot, queue)
  await node.services.committer.submit(rotateApiKeys(bot.userId as UserId, added))
  t.same(await stream.closed, { code: 4004, reason: 'the API key is no longer valid' })
  t.match(await refused(bot, unused), REFUSED)
  const again = await openStream(bot, queue, undefined, ofSecond)
  await owner.sendDirect([bot.userId], 'to the second key')
  t.match(await again.take(1), [{ message: { content: 'to the second key' } }])
  await again.close()
})

await t.test('[TICKET8] the ticket of a deactivated user is invalid', async (t) => {
  const guest = server.as('guest')
  const ticket = await ticketOf(guest)
  await owner.must('DELETE', `/users/${guest.userId}`)
  t.match(await refused(guest, ticket), REFUSED)
})

await t.test('[TICKET9] unused tickets do not accumulate', async (t) => {
  for (let count = 0; count < 8; count++) await ticketOf(member)
  clock.advance(30_001)
  await ticketOf(member)
  await ticketOf(member)
  t.equal(await countTickets(), 2)
})

await t.test('[TICKET11] a socket whose key is regenerated while it opens is refused', async (t) => {
  const moderator = server.as('moderator')
  const queue = await moderator.register({ event_types: ['message'] })
  const ticket = await ticketOf(moderator)
  const [isHeld, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = node.services.sql.begin(async (tx) => {
    await tx`select from tickets for update`
    isHeld.resolve()
    await release.promise
  })
  await isHeld.promise
  const stream = await openStream(moderator, queue, undefined, ticket)
  await node.services.committer.submit(rotateApiKeys(moderator.userId as UserId, 'r'.repeat(32)))
  release.resolve()
  await holding
  t.same(await stream.closed, { code: 4004, reason: 'the API key is no longer valid' })
  t.same(stream.events, [])
})

await t.test('[TICKET10] creating a ticket needs an API key', async (t) => {
  const msg = 'Missing authorization header for basic auth'
  expectRefusal(t, await server.anyone.post('/events/ticket'), msg, { status: 401, code: 'UNAUTHORIZED' })
})

await t.test(
  '[TICKET12] opening a stream by a ticket counts as a request and marks its user as seen',
  async (t) => {
    const left = async () => Number((await member.get('/users/me')).headers.get('x-ratelimit-remaining'))
    const [today, untilMidnightMs] = [dayOf(clock.nowMs() / 1000), DAY_MS - (clock.nowMs() % DAY_MS)]
    clock.leap(untilMidnightMs - 1_000)
    const queue = await member.register()
    const ticket = await ticketOf(member)
    const before = await left()
    const stream = await openStream(member, queue, undefined, ticket)
    await waitUntilParked(node, member, queue)
    await stream.close()
    t.equal(await left(), before - 2)
    const late = await ticketOf(member)
    clock.leap(2_000)
    const next = await openStream(member, queue, undefined, late)
    await waitUntilParked(node, member, queue)
    await node.services.seenUsers.record()
    t.equal(node.services.state.seenUsers.dayOf(member.userId as UserId), today + 1)
    await next.close()
  },
)
