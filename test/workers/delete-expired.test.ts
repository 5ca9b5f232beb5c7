import t from 'tap'
import { planExpiredInChannel } from '../../db/messages/expired-messages.ts'
import { submitForServer } from '../../server/changes/submit.ts'
import { decideExpiry } from '../../server/decisions/messages/expire-messages.ts'
import type { ChannelId, UserId } from '../../server/domain/ids.ts'
import { createLogger } from '../../server/logger.ts'
import { startWorker } from '../../workers/worker.ts'
import { expectConsistent } from '../harness/states/expect-consistent.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { expire, openTestSender } from '../harness/worlds/open-test-sender.ts'
import { channelIdOf } from '../harness/worlds/set-up-channel.ts'
import { startTestServer, type TestServer } from '../harness/servers/start-server.ts'
import { fetchFile, uploadFile } from '../harness/client/user-files.ts'
import { withoutIds } from '../harness/states/without-ids.ts'
import { pollUntil } from '../services/poll-until.ts'
import type { WireEvent } from '../harness/client/wire-types.ts'

const DAY_MS = 24 * 3600 * 1_000
/** No message is stamped earlier than the test began. */
const clock = new ManualClock(Math.ceil(Date.now() / 1_000) * 1_000 + 60_000)
const server = await startTestServer(t, { clock })
const { sql } = server.node.services
const owner = server.as('owner')
const member = server.as('member')
const sender = await openTestSender(t, server, clock)
const channels = ['short', 'long', 'forever', 'inherits', 'private'] as const
await owner.subscribe(channels.slice(0, 4), { principals: [1, 4, 6] })
await owner.subscribe(['private'], { principals: [1, 4], invite_only: true })
const idOf = (name: string) => channelIdOf(server, name)

const keep = (name: string, message_retention_days: unknown) =>
  owner.must('PATCH', `/streams/${idOf(name)}`, { message_retention_days })
const keepAll = (message_retention_days: unknown) => owner.must('PATCH', '/realm', { message_retention_days })
// All within the first week, when channels have no estimate of their traffic: no event says how it falls.
await keep('short', 1)
await keep('long', 4)
await keep('forever', 'unlimited')

/** The ids that still exist, ascending. */
async function left(): Promise<number[]> {
  return (await sql<{ id: number }[]>`select id from messages order by id`).map(({ id }) => id)
}
async function sendEverywhere(): Promise<Record<(typeof channels)[number] | 'direct', number>> {
  const ids: Record<string, number> = {}
  for (const name of channels) ids[name] = await owner.send(name, 'Tea', name)
  ids.direct = await owner.sendDirect([4, 5], 'to some')
  return ids as Record<(typeof channels)[number] | 'direct', number>
}
/** Otherwise the newest received message would expire, which no event reports. */
const speak = () => owner.sendDirect([4, 5, 6], 'the newest of all')
const sent = await sendEverywhere()

t.test('[RETAIN1] without a limit nothing expires', async (t) => {
  for (const name of ['short', 'long']) await keep(name, 'unlimited')
  clock.leap(DAY_MS / 2)
  t.equal(await expire(server, sender), 0)
  t.equal((await left()).length, 6)
  await keep('short', 1)
  await keep('long', 4)
})

t.test(
  '[RETAIN2] messages expire by the setting of their channel, or else of the organization, like direct ones',
  async (t) => {
    await keepAll(2)
    const { short, long, inherits, private: secret, direct } = sent
    clock.leap(DAY_MS / 2)
    t.equal(await expire(server, sender), 0, 'a message is kept for the whole of its days')
    clock.leap(1_000)
    await speak()
    const twoDays = await expectConsistent(server, () => expire(server, sender))
    const place = { type: 'delete_message', message_type: 'stream', topic: 'Tea' }
    const gone = (name: string, id: number) => ({ ...place, stream_id: idOf(name), message_ids: [id] })
    t.match(withoutIds(twoDays.member), [gone('short', short), { type: 'stream', value: null }])
    t.match(withoutIds(twoDays.guest), [gone('short', short), { type: 'stream', value: null }])
    t.same(twoDays.member2, [], 'no event for users who never had it')
    clock.leap(DAY_MS)
    await speak()
    const week = await expectConsistent(server, () => expire(server, sender))
    const all = [
      gone('inherits', inherits),
      { type: 'stream', stream_id: idOf('inherits') },
      gone('private', secret),
      { type: 'stream', stream_id: idOf('private') },
      { type: 'delete_message', message_type: 'private', message_ids: [direct] },
    ]
    const deletions = (events: readonly WireEvent[]) =>
      withoutIds(events).filter(({ type }) => type === 'delete_message')
    t.match(withoutIds(week.owner).slice(0, 5), all)
    t.match(withoutIds(week.member).slice(0, 5), all)
    t.match(deletions(week.guest)[0], all[0])
    t.notMatch(JSON.stringify(week.guest), `${secret}`)
    t.notMatch(JSON.stringify(week.guest), `[${direct}]`)
    t.same(deletions(week.member2).at(-1), {
      type: 'delete_message',
      message_type: 'private',
      message_ids: [direct],
    })
    t.ok((await left()).includes(long))
    clock.leap(2 * DAY_MS)
    await speak()
    await expectConsistent(server, () => expire(server, sender))
    t.notOk((await left()).includes(long))
    t.ok((await left()).includes(sent.forever))
  },
)

t.test('[RETAIN3] files that only expired messages link go with them; others lose a link', async (t) => {
  const { url } = await uploadFile(member, 'one.txt', 'expires')
  const { url: shared } = await uploadFile(member, 'two.txt', 'stays')
  await member.send('forever', 'files', `[](${shared})`)
  await member.send('short', 'files', `[](${url}) [](${shared})`)
  clock.leap(DAY_MS + 1_000)
  await speak()
  const events = await expectConsistent(server, () => expire(server, sender))
  const files = events.member.filter(({ type }) => type === 'attachment')
  t.match(files, [{ op: 'remove' }, { op: 'update', attachment: { name: 'two.txt', messages: [{}] } }])
  t.equal((await fetchFile(member, url)).status, 404)
  t.equal((await fetchFile(member, shared)).status, 200)
  t.same(
    await sql`select from message_uploads l where not exists (select from messages m where m.id = l.message_id)`,
    [],
  )
})

t.test('[RETAIN4] older clients get one event for each message; a topic expires in one change', async (t) => {
  await keepAll('unlimited')
  const ids = [await owner.send('short', 'A', '1'), await member.send('short', 'a', '2')]
  const other = await owner.send('short', 'b', '3')
  clock.leap(3 * DAY_MS)
  const queue = await member.register({ event_types: ['delete_message'] })
  await expire(server, sender)
  const event = { type: 'delete_message', message_type: 'stream', stream_id: idOf('short') }
  t.same(withoutIds(await member.events(queue)), [
    ...ids.map((message_id) => ({ ...event, topic: 'a', message_id })),
    { ...event, topic: 'b', message_id: other },
  ])
})

t.test('[RETAIN5] messages that a changed setting keeps by now are not deleted', async (t) => {
  const id = await owner.send('short', 'spared', 'x')
  clock.leap(3 * DAY_MS)
  const channelId = idOf('short') as ChannelId
  const now = Math.floor(clock.nowMs() / 1_000)
  const plan = await planExpiredInChannel(sql, channelId, now, 10)
  if (!plan) throw new Error('there is no plan')
  await keep('short', 4)
  const { services } = server.node
  const decide = () => submitForServer(services, (scope) => decideExpiry(scope, { kind: 'channel', ...plan }))
  t.equal(await decide(), 0)
  t.ok((await left()).includes(id))
  await keep('short', 1)
  t.equal(await decide(), 1)
  t.notOk((await left()).includes(id))
})

t.test('[RETAIN6] two workers delete each message once, and go on after a stop', async (t) => {
  const count = 60
  const send = (n: number) => owner.send('short', `topic ${n % 20}`, `${n}`)
  const ids = await Promise.all(Array.from({ length: count }, (_, n) => send(n)))
  clock.leap(3 * DAY_MS)
  const since = server.node.services.state.appliedId
  const another = await openTestSender(t, server, clock)
  const stop = new AbortController()
  const stopped = expire(server, sender, stop.signal)
  await pollUntil('one topic is deleted', async () => {
    const [row] = await sql`select count(*) from messages where id = any(${ids}::bigint[])`
    return row?.count < count
  })
  stop.abort()
  const first = await stopped
  t.ok(first > 0 && first < count, `${first} before the stop`)
  const counts = await Promise.all([expire(server, sender), expire(server, another)])
  t.equal(first + (counts[0] as number) + (counts[1] as number), count)
  const [row] = await sql`
    select count(*), count(distinct one.id) as different
    from event_log l, json_array_elements_text(l.event -> 'messageIds') one (id)
    where l.id > ${since} and l.event ->> 'type' = 'delete_message'`
  t.same(row, { count, different: count })
})

t.test('[RETAIN7] a running worker deletes by the clock of the database', async (t) => {
  const own = await startTestServer(t)
  const client = own.as('owner')
  await client.subscribe(['town'])
  const [old, fresh] = [await client.send('town', 'x', 'old'), await client.send('town', 'x', 'fresh')]
  const ownSql = own.node.services.sql
  await ownSql`update messages set sent_at = sent_at - 86400 - 60 where id = ${old}`
  await ownSql`update messages set sent_at = sent_at - 86400 + 60 where id = ${fresh}`
  await client.must('PATCH', '/realm', { message_retention_days: 1 })
  const queue = await client.register({ event_types: ['delete_message'] })
  const worker = await startWorker({ config: own.config, logger: createLogger('silent') })
  t.teardown(() => worker.close())
  const events = await client.events(queue, {})
  t.match(events, [{ type: 'delete_message', message_id: old }])
  const { messages } = await client.must('GET', '/messages', { anchor: 'newest', num_before: 10 })
  t.match(messages, [{ id: fresh }])
  t.equal(messages.length, 1)
  await worker.close()
})

t.test('[RETAIN41] a place with many messages is empty after one run', async (t) => {
  // More changes of 200 messages than a place has tries that lose to others.
  const clock = new ManualClock()
  const server = await startTestServer(t, { clock })
  await server.as('owner').subscribe(['full'])
  await server.as('owner').must('PATCH', '/streams/1', { message_retention_days: 1 })
  await sendMany(server, 4_201)
  clock.leap(2 * DAY_MS)
  const sender = await openTestSender(t, server, clock)
  t.ok((await expire(server, sender)) > 4_200)
  t.same(await server.node.services.sql`select from messages`, [])
})

/** Stores messages in the first channel. */
async function sendMany({ node }: TestServer, count: number): Promise<void> {
  await node.services.committer.submit({
    kind: 'messages',
    decide: () => ({
      events: Array.from({ length: count }, () => ({
        event: {
          type: 'message' as const,
          channelId: 1 as ChannelId,
          conversationId: null,
          userIds: null,
          topic: 'many',
          senderId: 1 as UserId,
          content: 'x',
          rendered: '<p>x</p>',
          sentAt: Math.floor(node.services.clock.nowMs() / 1_000),
          client: 'test',
          readById: null,
          queueId: null,
          localId: null,
        },
        audience: { kind: 'subscribers' as const, channelId: 1 as ChannelId },
      })),
      reply: () => undefined,
    }),
  })
}

t.test('[RETAIN42] a change deletes messages with at most 500 files', async (t) => {
  /** The messages of each change, by their numbers of files. */
  const changesOf = async (counts: readonly number[]) => {
    const numbers = new Map<number, number>()
    for (const count of counts) {
      const id = await owner.send('short', 'with files', 'x')
      numbers.set(id, count)
      await sql`
        with files as (
          insert into uploads (owner_id, path, name, state)
          select 1, '1/zz/' || ${id} || '-' || number || '/x', 'x', 'whole' from generate_series(1, ${count}::int) number
          returning id
        )
        insert into message_uploads select ${id}, id from files`
    }
    clock.leap(3 * DAY_MS)
    await speak()
    const queue = await member.register({
      event_types: ['delete_message'],
      client_capabilities: { bulk_message_deletion: true },
    })
    await expire(server, sender)
    const events = (await member.events(queue)).filter(({ topic }) => topic === 'with files')
    return events.map(({ message_ids }) => (message_ids as number[]).map((id) => numbers.get(id)))
  }
  t.same(await changesOf([250, 250]), [[250, 250]])
  t.same(await changesOf([250, 251]), [[250], [251]])
  t.same(await sql`select from uploads where path like '1/zz/%'`, [])
})

t.test('[RETAIN40] a message lasts until the whole time has passed, to the second', async (t) => {
  const channelId = idOf('forever') as ChannelId
  const id = await owner.send('forever', 'Boundary', 'x')
  await sql`delete from messages where channel_id = ${channelId} and id <> ${id}`
  const [row] = await sql<{ sentAt: number }[]>`select sent_at as "sentAt" from messages where id = ${id}`
  const sentAt = row?.sentAt ?? 0
  t.equal(await planExpiredInChannel(sql, channelId, sentAt, 10), undefined)
  t.match(await planExpiredInChannel(sql, channelId, sentAt + 1, 10), { sentAt })
})
