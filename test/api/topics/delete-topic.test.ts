import t from 'tap'
import { deleteMessages } from '../../../db/messages/message-deletion.ts'
import type { ChannelId, MessageId, UserId } from '../../../server/domain/ids.ts'
import { SYSTEM_GROUPS } from '../../../server/domain/groups/system-groups.ts'
import type { Client, Queue } from '../../harness/client/client.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { channelIdOf, setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { type Person, startTestServer, type TestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { writeAlone } from '../../harness/worlds/write-alone.ts'
import { pollUntil } from '../../services/poll-until.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town'], { principals: [1, 4, 6] })
const TOWN = 1

const remove = (person: Person, topic_name: unknown, channelId = TOWN) =>
  server.as(person).post(`/streams/${channelId}/delete_topic`, { topic_name })
async function read(client: Client, narrow: unknown, count = 1_000) {
  const { messages } = await client.must('GET', '/messages', {
    anchor: 'newest',
    num_before: count,
    narrow,
    allow_empty_topic_name: true,
  })
  return messages
}
const subjects = async (client: Client, channel = 'town') =>
  (await read(client, [['channel', channel]])).map(({ subject }) => subject)
/** Otherwise the deletion would remove the newest received message, which no event reports. */
const speak = () => owner.sendDirect([4, 5, 6], 'the newest of all')

t.test('[DELTOP1] deleting a topic deletes all its messages and nothing else', async (t) => {
  const kept = await owner.send('town', 'kept', 'x')
  const ids = [
    await owner.send('town', 'Tea', 'one'),
    await member.send('town', 'tea', 'two'),
    await owner.send('town', 'TEA', 'three'),
  ]
  await owner.send('town', 'tea time', 'x')
  await speak()
  const received = await expectConsistent(server, async () => {
    const { status, body } = await remove('owner', 'tEA')
    t.same([status, body], [200, { result: 'success', msg: '', complete: true }])
  })
  for (const person of ['owner', 'member', 'guest'] as const) {
    const events = withoutIds(received[person])
    const deleted = { type: 'delete_message', message_type: 'stream', stream_id: TOWN, topic: 'TEA' }
    t.same(events, [{ ...deleted, message_ids: ids }])
  }
  t.same(received.member2, [])
  t.same(await subjects(member), ['kept', 'tea time'])
  const { messages } = await owner.must('GET', '/messages', { message_ids: [kept, ...ids] })
  t.same(
    messages.map(({ id }: { id: number }) => id),
    [kept],
  )
  const { topics } = await member.must('GET', `/users/me/${TOWN}/topics`)
  t.same(
    topics.map(({ name }: { name: string }) => name),
    ['tea time', 'kept'],
  )
})

t.test('[DELTOP2] deleting a topic without messages succeeds', async (t) => {
  const events = await expectConsistent(server, async () => {
    t.equal((await remove('owner', 'tea')).body.complete, true)
    t.equal((await remove('owner', 'never there')).body.complete, true)
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] })
})

t.test('[DELTOP3] older clients get one event for each deleted message', async (t) => {
  const ids = [await owner.send('town', '', 'one'), await owner.send('town', '(no topic)', 'two')]
  const register = (client_capabilities: Record<string, boolean>) =>
    member.register({ event_types: ['delete_message'], client_capabilities })
  const older = await register({})
  const newer = await register({ bulk_message_deletion: true, empty_topic_name: true })
  await remove('owner', 'general chat')
  const eventsOf = async (queue: Queue) => withoutIds(await member.events(queue))
  const event = { type: 'delete_message', message_type: 'stream', stream_id: TOWN }
  t.same(
    await eventsOf(older),
    ids.map((message_id) => ({ ...event, topic: 'general chat', message_id })),
  )
  t.same(await eventsOf(newer), [{ ...event, topic: '', message_ids: ids }])
})

t.test('[DELTOP4] the first message of the channel is updated', async (t) => {
  await owner.subscribe(['square'], { principals: [1, 4] })
  const first = async () => {
    const { streams } = await owner.must('GET', '/streams')
    return streams.find(({ name }: { name: string }) => name === 'square').first_message_id
  }
  await owner.send('square', 'first', 'x')
  await owner.send('square', 'first', 'x')
  const second = await owner.send('square', 'second', 'x')
  await owner.send('square', 'first', 'x')
  await speak()
  const events = await expectConsistent(server, () => remove('owner', 'first', 2))
  t.equal(await first(), second)
  t.match(events.member, [
    { type: 'delete_message' },
    {
      type: 'stream',
      op: 'update',
      stream_id: 2,
      name: 'square',
      property: 'first_message_id',
      value: second,
    },
  ])
  t.same(events.member2, [])
  await expectConsistent(server, () => remove('owner', 'second', 2))
  t.equal(await first(), null)
  const next = await owner.send('square', 'third', 'x')
  t.equal(await first(), next)
  await expectConsistent(server, () => speak())
})

t.test('[DELTOP5] administrators and users with the permission delete topics', async (t) => {
  const make = (topic: string) => owner.send('town', topic, 'x')
  const refused = 'Insufficient permission'
  await make('a')
  for (const person of ['moderator', 'member', 'member2', 'guest', 'bot'] as const) {
    expectRefusal(t, await remove(person, 'a'), refused)
  }
  t.equal((await remove('administrator', 'a')).status, 200)
  await make('b')
  const holder = { directMembers: [4 as UserId], directSubgroups: [] }
  await setUpChannel(server, 'town', {
    kind: 'permission',
    permission: 'canDeleteAnyMessage',
    setting: holder,
  })
  expectRefusal(t, await remove('moderator', 'b'), refused)
  expectRefusal(t, await remove('member', 'x', 2), refused)
  t.equal((await remove('member', 'b')).status, 200)
  const setting = SYSTEM_GROUPS.nobody
  await setUpChannel(server, 'town', { kind: 'permission', permission: 'canDeleteAnyMessage', setting })
  await make('c')
  const setPermission = (canDeleteAnyMessage: typeof setting) =>
    commitEvents(server, [{ type: 'realm/update_dict', changes: { permissions: { canDeleteAnyMessage } } }])
  await setPermission(SYSTEM_GROUPS.moderators as typeof setting)
  t.equal((await remove('moderator', 'c')).status, 200)
  expectRefusal(t, await remove('member', 'c'), refused)
  await setPermission(SYSTEM_GROUPS.nobody)
  expectRefusal(t, await remove('owner', 'c'), refused)
  await setPermission(SYSTEM_GROUPS.administrators as typeof setting)
})

t.test('[DELTOP6] a channel that the caller cannot read looks like an absent one', async (t) => {
  await member.subscribe(['secret'], { invite_only: true })
  await member.send('secret', 'plans', 'x')
  for (const person of ['administrator', 'owner', 'member2'] as const) {
    expectRefusal(t, await remove(person, 'plans', 3), 'Invalid channel ID')
    expectRefusal(t, await remove(person, 'plans', 999), 'Invalid channel ID')
  }
  t.same(await subjects(member, 'secret'), ['plans'])
})

t.test('[DELTOP7] parameters are required and checked', async (t) => {
  expectRefusal(t, await remove('owner', undefined), "Missing 'topic_name' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'topic_name',
  })
  expectRefusal(t, await remove('owner', 'x'.repeat(61)), 'topic_name is too long (limit: 60 characters)')
  expectRefusal(t, await remove('owner', 'a\0b'), 'topic_name must not contain null characters')
  t.equal((await remove('owner', ` ${'x'.repeat(60)} `)).status, 200)
})

t.test(
  '[DELTOP8] former subscribers who received the messages get events if they still may read the channel',
  async (t) => {
    await owner.subscribe(['left'], { principals: [1, 4, 5, 6] })
    await owner.send('left', 'gone', 'x')
    for (const client of [server.as('member2'), server.as('guest')]) {
      await client.must('DELETE', '/users/me/subscriptions', { subscriptions: ['left'] })
    }
    await speak()
    const events = await expectConsistent(server, () => remove('owner', 'gone', 4))
    t.match(events.member2, [{ type: 'delete_message', topic: 'gone' }])
    t.same(events.guest, [])
  },
)

t.test(
  '[DELTOP9] with protected history, only received messages are deleted, and later subscribers get no event',
  async (t) => {
    await owner.subscribe(['closed'], { invite_only: true, principals: [4] })
    await owner.must('DELETE', '/users/me/subscriptions', { subscriptions: ['closed'] })
    await member.send('closed', 'plans', 'before the owner came back')
    await member.subscribe(['closed'], { principals: [1] })
    const during = await member.send('closed', 'plans', 'x')
    await member.subscribe(['closed'], { principals: [5] })
    await speak()
    const events = await expectConsistent(server, async () => {
      t.equal((await remove('owner', 'plans', 5)).body.complete, true)
    })
    t.match(events.member, [{ type: 'delete_message', message_ids: [during] }])
    t.match(events.owner, [{ type: 'delete_message', message_ids: [during] }])
    t.same(events.member2, [])
    t.equal((await read(member, [['channel', 'closed']])).length, 1)
  },
)

t.test('[DELTOP10] cached messages are dropped, even while they load', async (t) => {
  const narrow = [['channel', 'town']]
  await owner.send('town', 'stays', 'x')
  for (let index = 0; index < 20; index++) await owner.send('town', 'goes', `${index}`)
  t.equal((await read(member, narrow)).filter(({ subject }) => subject === 'goes').length, 20)
  await remove('owner', 'goes')
  t.notOk((await subjects(member)).includes('goes'))
  await owner.subscribe(['quiet'], { principals: [1, 4] })
  await owner.send('quiet', 'stays', 'x')
  await owner.send('quiet', 'goes', 'x')
  const [, page] = await Promise.all([remove('owner', 'goes', 6), read(member, [['channel', 'quiet']])])
  t.ok(page.length === 1 || page.length === 2)
  t.same(await subjects(member, 'quiet'), ['stays'])
})

t.test('[DELTOP11] a long topic needs several calls; each leaves the oldest messages', async (t) => {
  await owner.subscribe(['long'], { principals: [1, 4] })
  await sendMany(server, 7, 'long', 5_001)
  await sendMany(server, 7, 'short', 100)
  // This caches the newest messages, most of which are deleted.
  t.equal((await read(member, [['channel', 'long']], 10)).length, 10)
  await speak()
  const narrow = [
    ['channel', 'long'],
    ['topic', 'long'],
  ]
  const [oldest] = await read(owner, narrow, 5_000).then((messages) => messages.slice(-1))
  t.ok(oldest)
  await expectConsistent(server, async () => {
    t.equal((await remove('owner', 'long', 7)).body.complete, false)
  })
  const left = await read(owner, narrow)
  t.equal(left.length, 1)
  t.ok(left[0].id < oldest.id)
  t.equal((await subjects(member, 'long')).length, 101)
  await expectConsistent(server, async () => {
    t.equal((await remove('owner', 'long', 7)).body.complete, true)
  })
  t.equal((await subjects(member, 'long')).length, 100)
})

t.test('[DELTOP41] a call deletes at most 5,000 messages, also in batches that do not add up', async (t) => {
  // On a busy machine they may take more than the ten seconds of a call.
  const server = await startTestServer(t, { clock: new ManualClock() })
  const owner = server.as('owner')
  await owner.subscribe(['files'])
  await sendMany(server, 1, 'many', 5_001)
  // Beyond 500 files in a batch the next ones have fewer messages: first 125, then 31.
  await server.node.services.sql`
    with made as (
      insert into uploads (owner_id, path, name, state)
      select 1, '1/aa/' || repeat('x', 20) || g || '/f', 'f', 'whole' from generate_series(1, 600) g returning id
    )
    insert into message_uploads (message_id, upload_id)
    select (select max(id) from messages) - id % 120, id from made`
  const remove = () => owner.must('POST', '/streams/1/delete_topic', { topic_name: 'many' })
  t.match(await remove(), { complete: false })
  t.equal((await read(owner, [['channel', 'files']])).length, 1)
  t.match(await remove(), { complete: true })
})

t.test('[DELTOP42] a call that takes more than ten seconds answers what is left', async (t) => {
  const clock = new ManualClock()
  const server = await startTestServer(t, { clock })
  const owner = server.as('owner')
  await owner.subscribe(['slow'])
  await sendMany(server, 1, 'slow', 1_001)
  const { committer } = server.node.services
  const submit = committer.submit.bind(committer)
  let batchMs = 5_000
  const batches = t.intercept(committer, 'submit', {
    value: async (change: Parameters<typeof submit>[0]) => {
      const answer = await submit(change)
      clock.leap(batchMs)
      return answer
    },
  })
  const remove = () => owner.must('POST', '/streams/1/delete_topic', { topic_name: 'slow' })
  t.match(await remove(), { complete: false })
  t.equal(batches().length, 2, 'the third batch would begin after ten seconds')
  t.equal((await read(owner, [['channel', 'slow']])).length, 1)
  batchMs = 4_999
  await sendMany(server, 1, 'slow', 1_000)
  t.match(await remove(), { complete: true }, 'it begins just before')
  batches.restore()
})

t.test('[DELTOP12] a retry of a send whose message was deleted does not send again', async (t) => {
  const mark = { queue_id: 'any', local_id: '1' }
  const id = await owner.send('town', 'marked', 'once', mark)
  await remove('owner', 'marked')
  t.equal(await owner.send('town', 'marked', 'once', mark), id)
  t.notOk((await subjects(owner)).includes('marked'))
})

t.test(
  '[DELTOP13] counts stay exact while others send and delete, on this process and another',
  async (t) => {
    const server = await startTestServer(t, { redis: true })
    const another = await server.startAnotherNode()
    const [here, there] = [server.as('owner'), another.as('administrator')]
    await here.subscribe(['fair'], { principals: [1, 2, 4, 5, 6] })
    await pollUntil(
      'the other process has the channel',
      () => another.node.services.state.findChannelByName('fair') !== undefined,
    )
    for (let round = 0; round < 6; round++) {
      await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          (index % 2 === 0 ? here : there).send('fair', `topic ${index % 3}`, 'x'),
        ),
      )
      await here.sendDirect([2, 4, 5, 6], 'the newest of all')
      await Promise.all([
        ...[0, 1, 2].map((topic) =>
          here.must('POST', '/streams/1/delete_topic', { topic_name: `topic ${topic}` }),
        ),
        ...[0, 1, 2].map((topic) =>
          there.must('POST', '/streams/1/delete_topic', { topic_name: `topic ${topic}` }),
        ),
        here.send('fair', 'meanwhile', 'x'),
        there.send('fair', `topic ${round % 3}`, 'x'),
      ])
      await here.sendDirect([2, 4, 5, 6], 'the newest of all')
      await expectConsistent(server, async () => {})
    }
  },
)

t.test('[DELTOP14] a deletion decided on stale state is refused whole', async (t) => {
  const { sql } = server.node.services
  await owner.subscribe(['stale'])
  const ids = [await owner.send('stale', 'a', 'x'), await owner.send('stale', 'b', 'x')] as MessageId[]
  const channelId = 8 as ChannelId
  const [a, b] = ids as [MessageId, MessageId]
  const [newest] = await sql<{ sentAt: number }[]>`
    select sent_at as "sentAt" from messages where id = ${b}`
  const attempt = (event: Partial<Parameters<typeof deleteMessages>[1]>) =>
    writeAlone(sql, (writes) => {
      deleteMessages(writes, {
        type: 'delete_message',
        channelId,
        topic: 'a',
        messageIds: [a],
        countsByDay: [],
        firstMessageId: b,
        clients: 'with_bulk_deletion',
        ...event,
      })
    })
  const stale = { name: 'StaleDeletionError' }
  await t.rejects(attempt({ messageIds: [a, (b + 1_000) as MessageId] }), stale, 'one is already deleted')
  await t.rejects(attempt({ firstMessageId: null }), stale, 'another was sent')
  await t.rejects(
    attempt({ topic: 'b', messageIds: [b], firstMessageId: a, lastMessageAt: null }),
    stale,
    'all but the last',
  )
  await t.rejects(
    attempt({ topic: 'b', messageIds: [b], firstMessageId: a }),
    stale,
    'newer messages are deleted',
  )
  t.equal((await read(owner, [['channel', 'stale']])).length, 2)
  await attempt({ messageIds: [a], firstMessageId: b, lastMessageAt: newest?.sentAt ?? null })
  t.equal((await subjects(owner, 'stale')).at(-1), 'b')
})

/** Many messages of one topic in one commit. */
async function sendMany({ node }: TestServer, id: number, topic: string, count: number): Promise<void> {
  const channelId = id as ChannelId
  await node.services.committer.submit({
    kind: 'messages',
    decide: () => ({
      events: Array.from({ length: count }, () => ({
        event: {
          type: 'message' as const,
          channelId,
          conversationId: null,
          userIds: null,
          topic,
          senderId: 1 as UserId,
          content: 'x',
          rendered: '<p>x</p>',
          sentAt: 1_700_000_000,
          client: 'test',
          readById: null,
          queueId: null,
          localId: null,
        },
        audience: { kind: 'subscribers' as const, channelId },
      })),
      reply: () => undefined,
    }),
  })
}

t.test(
  '[DELTOP40] users who came before a move delete the moved message, and none from before',
  async (t) => {
    const name = 'guarded'
    const protectedHistory = { invite_only: true, history_public_to_subscribers: false }
    await owner.subscribe([name], { principals: [1], ...protectedHistory })
    const channelId = channelIdOf(server, name)
    const moved = await owner.send('town', 'from elsewhere', 'x')
    const old = await owner.send(name, 'here', 'before they came')
    await owner.subscribe([name], { principals: [2] })
    const notices = { send_notification_to_new_thread: false, send_notification_to_old_thread: false }
    await owner.must('PATCH', `/messages/${moved}`, { stream_id: channelId, topic: 'here', ...notices })
    t.same(
      (await read(server.as('administrator'), [['channel', name]])).map(({ id }) => id),
      [moved],
    )
    t.match(await remove('administrator', 'here', channelId), { status: 200, body: { complete: true } })
    const { messages } = await owner.must('GET', '/messages', { message_ids: [moved, old] })
    t.same(
      messages.map(({ id }: { id: number }) => id),
      [old],
    )
  },
)
