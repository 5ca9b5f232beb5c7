/** Tickets open a WebSocket without the API key. */

import { createHmac, hash } from 'node:crypto'
import t from 'tap'
import { addApiKey, rotateApiKeys } from '../harness/worlds/account-changes.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { dayOf } from '../../server/domain/messages/weekly-traffic.ts'
import { createTicket, redeemTicket } from '../../server/api/door/tickets.ts'
import { Client, type Queue } from '../harness/client/client.ts'
import { expectRefusal } from '../harness/client/expect-refusal.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { openStream, refusedUpgrade } from './open-stream.ts'
import { waitUntilParked } from './wait-until-parked.ts'

const DAY_MS = 24 * 3_600_000

const clock = new ManualClock()
const OWN_NETWORK = '198.51.100.0/24'
const server = await startTestServer(t, { clock, env: { RATE_LIMIT_OWN_NETWORKS: OWN_NETWORK } })
const { node } = server
const [owner, member, bot] = [server.as('owner'), server.as('member'), server.as('bot')]

const ticketOf = async (client: Client): Promise<string> =>
  (await client.must('POST', '/events/ticket')).ticket
const REFUSED = { status: 401, body: { result: 'error', msg: 'Invalid ticket', code: 'UNAUTHORIZED' } }
const refused = (client: Client, ticket: string, authorization = '') =>
  refusedUpgrade(client.url, new URLSearchParams({ queue_id: 'any', ticket }).toString(), authorization)
/** A socket that opens, as browsers see it, and is closed as soon as the ticket is looked up. */
const closedAtOnce = async (client: Client, ticket: string) => {
  const stream = await openStream(client, { queueId: 'any', lastEventId: -1 } as Queue, undefined, ticket)
  return { ...(await stream.closed), events: stream.events }
}
const INVALID = { code: 4004, reason: 'the ticket is not valid', events: [] }
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
    t.same(await second.closed, { code: 4004, reason: 'the ticket is not valid' })
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

await t.test('[TICKET20] a ticket for another use opens no stream, and stays', async (t) => {
  const { services } = node
  const use = { name: 'another', seconds: 60 }
  const keyHash = services.state.apiKeyHashes.get(4 as UserId)?.[0] as string
  const ticket = await createTicket(services, use, { userId: 4 as UserId, keyHash })
  t.same(await closedAtOnce(member, ticket), INVALID)
  t.equal((await redeemTicket(services, ticket, use))?.user.id, 4)
})

await t.test('[TICKET4] a ticket is valid for half a minute', async (t) => {
  const queue = await member.register()
  const [inTime, late] = [await ticketOf(member), await ticketOf(member)]
  clock.advance(30_000)
  const stream = await openStream(member, queue, undefined, inTime)
  await waitUntilParked(node, member, queue)
  await stream.close()
  clock.advance(1)
  t.same(await closedAtOnce(member, late), INVALID)
})

await t.test('[TICKET5] invalid and changed tickets are refused for every caller', async (t) => {
  const ticket = await ticketOf(member)
  for (const wrong of ['', 'nonsense', member.key, `${ticket}=`, ` ${ticket}`, `${ticket}\n`, `4.${ticket}`])
    t.match(await refused(member, wrong), REFUSED, wrong)
  const changed = (ticket.startsWith('A') ? 'B' : 'A') + ticket.slice(1)
  for (const wrong of [changed, 'A'.repeat(43)]) t.same(await closedAtOnce(member, wrong), INVALID, wrong)
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
  t.same(await closedAtOnce(bot, unused), INVALID)
  const again = await openStream(bot, queue, undefined, ofSecond)
  await owner.sendDirect([bot.userId], 'to the second key')
  t.match(await again.take(1), [{ message: { content: 'to the second key' } }])
  await again.close()
})

await t.test('[TICKET8] the ticket of a deactivated user is invalid', async (t) => {
  const guest = server.as('guest')
  const ticket = await ticketOf(guest)
  await owner.must('DELETE', `/users/${guest.userId}`)
  t.same(await closedAtOnce(guest, ticket), INVALID)
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
  t.same(await stream.closed, { code: 4004, reason: 'the ticket is not valid' })
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

await t.test(
  "[TICKET13] no ticket can be made of what is stored, not even with a row of one's own",
  async (t) => {
    const { sql, state } = node.services
    const own = await ticketOf(member)
    const rows = await sql<
      Record<string, unknown>[]
    >`select * from tickets where expires_at > ${new Date(clock.nowMs())}`
    t.equal(rows.length, 1)
    const [row] = rows
    t.notOk(JSON.stringify(row).includes(own), 'the ticket itself is not there')
    t.match(row, { hash: hash('sha256', own, 'hex'), user_id: member.userId, use: 'stream' })
    const queue = await owner.register()
    const hashes = state.apiKeyHashes.get(owner.userId as UserId) ?? []
    // Of an earlier release: signed with the hash of the key, of an own row that named nobody.
    const said = `${owner.userId}.${clock.nowMs() + 30_000}.${own.split('.')[2] ?? String(row?.['hash'])}`
    const signatures = hashes.map((key) =>
      createHmac('sha256', key).update(`ticket ${said}`).digest('base64url'),
    )
    const forged = [
      ...Object.values(row ?? {}).map(String),
      ...hashes,
      ...signatures.map((one) => `${said}.${one}`),
    ]
    t.ok(forged.length >= 6)
    for (const ticket of [...forged, ...signatures, ...hashes.map((key) => key.slice(0, 43))]) {
      const query = new URLSearchParams({ queue_id: queue.queueId, ticket })
      const answer = await fetch(`${owner.url}/api/v1/events/stream?${query}`, {
        headers: { accept: 'text/event-stream' },
      })
      t.equal(answer.status, 401, ticket)
      if (answer.status === 401) t.match(await answer.json(), REFUSED.body)
      else await answer.body?.cancel()
    }
  },
)

await t.test('[TICKET14] look-ups of wrong tickets count against their address', async (t) => {
  const left = async () =>
    Number((await server.anyone.get('/server_settings')).headers.get('x-ratelimit-remaining'))
  const before = await left()
  await closedAtOnce(member, 'A'.repeat(43))
  t.equal(await left(), before - 2)
})

// Whether an address is in the operator's own networks is asked at the look-up, when the upgraded request has none.
await t.test(
  '[TICKET15] a wrong ticket is refused alike where the operator names own networks',
  async (t) => {
    t.same(await closedAtOnce(member, 'B'.repeat(43)), INVALID)
  },
)
