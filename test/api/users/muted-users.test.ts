import t from 'tap'
import { findFlagHolders } from '../../../db/unread/flag-holders.ts'
import type { MessageId, UserId } from '../../../server/domain/ids.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import type { WireEvent } from '../../harness/client/wire-types.ts'

const NOW = 1_790_000_000
const clock = new ManualClock(NOW * 1_000)
const server = await startTestServer(t, { clock, redis: true })
const { sql } = server.node.services
const done = { result: 'success', msg: '' }
const [owner, member, member2] = [server.as('owner'), server.as('member'), server.as('member2')]
await owner.subscribe(['town'], { principals: [1, 4, 5, 6, 7] })

const mute = (id: number, person: Person = 'member') => server.as(person).post(`/users/me/muted_users/${id}`)
const unmute = (id: number, person: Person = 'member') =>
  server.as(person).delete(`/users/me/muted_users/${id}`)
const mutedBy = async (person: Person = 'member') =>
  (await server.as(person).must('POST', '/register', { fetch_event_types: ['muted_users'] })).muted_users
const isRead = async (id: number, person: Person = 'member') =>
  (await server.as(person).must('GET', `/messages/${id}`)).message.flags.includes('read')
const flag = (op: 'add' | 'remove', messages: number[]) =>
  member.must('POST', '/messages/flags', { messages, op, flag: 'read' })
const flagEvents = (events: readonly WireEvent[]) =>
  events.filter(({ type }) => type === 'update_message_flags').map(({ op, messages }) => [op, ...messages])

t.test('[MUTED1] muting a user marks their messages as read until they are unmuted', async (t) => {
  const first = await member2.send('town', 'a', 'one')
  const direct = await member2.sendDirect([4], 'two')
  const others = await owner.send('town', 'a', 'not theirs')
  const later: number[] = []
  const received = await expectConsistent(server, async () => {
    t.same((await mute(5)).body, done)
    later.push(await member2.send('town', 'a', 'three'), await member2.sendDirect([4, 1], 'four'))
    t.same(await mutedBy(), [{ id: 5, timestamp: NOW }])
    clock.advance(60_000)
    t.same((await mute(7)).body, done)
    t.same((await unmute(5)).body, done)
    later.push(await member2.send('town', 'a', 'five'))
  })
  const [three, four, five] = later as [number, number, number]
  const events = received.member
  t.same(withoutIds(events.filter(({ type }) => type === 'muted_users')), [
    { type: 'muted_users', muted_users: [{ id: 5, timestamp: NOW }] },
    {
      type: 'muted_users',
      muted_users: [
        { id: 5, timestamp: NOW },
        { id: 7, timestamp: NOW + 60 },
      ],
    },
    { type: 'muted_users', muted_users: [{ id: 7, timestamp: NOW + 60 }] },
  ])
  t.same(flagEvents(events), [['add', first, direct]])
  const sent = events.filter(({ type }) => type === 'message')
  t.same(
    sent.map(({ message, flags }) => [message.id, flags]),
    [
      [three, ['read']],
      [four, ['read']],
      [five, []],
    ],
  )
  for (const other of ['owner', 'member2', 'guest'] as const)
    t.notOk(received[other]?.some(({ type }) => type === 'muted_users' || type === 'update_message_flags'))
  t.same(
    received.owner?.filter(({ type }) => type === 'message').map(({ flags }) => flags),
    [[], [], []],
  )
  for (const id of [first, direct, three, four]) t.ok(await isRead(id), `${id}`)
  for (const id of [others, five]) t.notOk(await isRead(id), `${id}`)
  t.notOk(await isRead(three, 'owner'))
  const unreadOf = async (id: number) => (await findFlagHolders(sql, id as MessageId)).unreadUserIds
  t.notOk((await unreadOf(three)).includes(4 as UserId))
  t.ok((await unreadOf(five)).includes(4 as UserId), 'a muting that is over reads nothing more')
  await unmute(7)
})

t.test('[MUTED2] messages read by muting can be marked unread and read again', async (t) => {
  await mute(5)
  const id = await member2.send('town', 'b', 'quiet')
  const narrow = [['is', 'unread']]
  const unread = async () =>
    (await member.must('GET', '/messages', { narrow, anchor: 'newest', num_before: 1 })).messages.map(
      (one: { id: number }) => one.id,
    )
  t.notMatch(await unread(), [id])
  await flag('remove', [id])
  t.same(await unread(), [id])
  t.notOk(await isRead(id))
  await unmute(5)
  t.notOk(await isRead(id))
  await flag('add', [id])
  t.ok(await isRead(id))
})

t.test(
  '[MUTED3] a client that catches up late gets the read flag as of the time of the message',
  async (t) => {
    const fromMemory = await member.register({ event_types: ['message'] })
    const fromLog = await member.register({ event_types: ['message'] })
    const ids = [await member2.send('town', 'c', 'before')]
    await mute(5)
    ids.push(await member2.send('town', 'c', 'quiet'), await member2.sendDirect([4], 'quiet too'))
    await unmute(5)
    ids.push(await member2.send('town', 'c', 'after'))
    const other = await server.startAnotherNode()
    for (const events of [await member.events(fromMemory), await other.as('member').events(fromLog)]) {
      t.same(
        events.map(({ message, flags }) => [message.id, flags]),
        ids.map((id, index) => [id, index === 1 || index === 2 ? ['read'] : []]),
      )
    }
  },
)

t.test('[MUTED4] an edit event has the read flag for users who muted the sender', async (t) => {
  await mute(5)
  const id = await member2.send('town', 'd', 'quiet')
  const queues = [await member.register(), await owner.register()] as const
  await member2.must('PATCH', `/messages/${id}`, { content: 'still quiet' })
  const flagsOf = (events: readonly WireEvent[]) => events.map(({ flags }) => flags)
  t.same(flagsOf(await member.events(queues[0])), [['read']])
  t.same(flagsOf(await owner.events(queues[1])), [[]])
  await unmute(5)
})

t.test('[MUTED5] receipts leave out users who muted the caller and users the caller muted', async (t) => {
  const id = await owner.send('town', 'e', 'hello', { read_by_sender: true })
  const readers = async (person: Person) =>
    (await server.as(person).must('GET', `/messages/${id}/read_receipts`)).user_ids
  for (const person of ['member', 'member2'] as const)
    await server.as(person).must('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  t.same(await readers('owner'), [4, 5])
  await mute(5)
  t.same(await readers('member'), [4])
  t.same(await readers('member2'), [5])
  t.same(await readers('owner'), [4, 5])
  await unmute(5)
  t.same(await readers('member2'), [4, 5])
})

t.test('[MUTED6] a user is muted once, and nobody mutes themselves', async (t) => {
  expectRefusal(t, await mute(4), 'Cannot mute self')
  for (const id of [99, 0]) {
    expectRefusal(t, await mute(id), 'No such user')
    expectRefusal(t, await unmute(id), 'No such user')
  }
  expectRefusal(t, await unmute(6), 'User is not muted')
  await mute(6)
  expectRefusal(t, await mute(6), 'User already muted')
  t.same((await mute(6, 'guest')).body.msg, 'Cannot mute self')
  t.same((await unmute(6)).body, done)
  expectRefusal(t, await unmute(6), 'User is not muted')
  await owner.must('DELETE', '/users/7')
  t.same((await mute(7)).body, done, 'a deactivated user can be muted')
  t.same((await unmute(7)).body, done)
})

t.test('[MUTED7] a mute without messages leaves no row', async (t) => {
  const count = async () =>
    (await sql`select 1 from mutings where user_id = ${server.as('guest').userId}`).length
  await mute(3, 'guest')
  await unmute(3, 'guest')
  t.equal(await count(), 0)
  await mute(5, 'guest')
  await member2.send('town', 'f', 'quiet')
  await unmute(5, 'guest')
  t.equal(await count(), 1)
  await mute(5, 'guest')
  t.equal(await count(), 2)
  t.same((await mutedBy('guest')).length, 1)
})

t.test('[MUTED8] the number of muted users is limited', async (t) => {
  const { committer, state } = server.node.services
  const [userId, targetId] = [server.as('moderator').userId, 2] as never[]
  const mutedUsers = Array.from({ length: 999 }, (_, index) => ({
    userId: index + 100,
    mutedAt: 0,
  })) as never[]
  const event = {
    type: 'muted_users',
    userId,
    targetId,
    mutedUsers: [...mutedUsers, { userId: targetId, mutedAt: 0 }],
  } as never
  await committer.submit({
    kind: 'structure',
    decide: () => ({ events: [{ event, audience: { kind: 'nobody' } }], reply: () => undefined }),
  })
  t.equal(state.mutes.of(userId as never).length, 1_000)
  expectRefusal(t, await mute(5, 'moderator'), 'Too many muted users (maximum 1000).')
  t.same((await unmute(2, 'moderator')).body, done)
  t.same((await mute(5, 'moderator')).body, done)
})
