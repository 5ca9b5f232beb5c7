import t from 'tap'
import type { OrganizationChange } from '../../../server/domain/events/organization.ts'
import type { GroupSetting } from '../../../server/domain/groups/group-settings.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { SYSTEM_GROUPS } from '../../../server/domain/groups/system-groups.ts'
import type { Client, Queue } from '../../harness/client/client.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { channelIdOf, setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import type { WireEvent } from '../../harness/client/wire-types.ts'

const clock = new ManualClock()
const server = await startTestServer(t, { clock })
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town'], { principals: [1, 4, 6, 7] })
const TOWN = 1

const DONE = { result: 'success', msg: '' }
const UNKNOWN = 'Invalid message(s)'
const FORBIDDEN = "You don't have permission to delete this message"
const TOO_LATE = 'The time limit for deleting this message has passed'

const remove = (person: Person, id: number) => server.as(person).delete(`/messages/${id}`)
const isThere = async (id: number, client: Client = owner) =>
  (await client.get(`/messages/${id}`)).status === 200
const set = (changes: OrganizationChange) => commitEvents(server, [{ type: 'realm/update_dict', changes }])
const permit = (
  channel: string,
  permission: 'canDeleteAnyMessage' | 'canDeleteOwnMessage',
  setting: GroupSetting,
) => setUpChannel(server, channel, { kind: 'permission', permission, setting })
const only = (...ids: number[]): GroupSetting => ({
  directMembers: ids as UserId[],
  directSubgroups: [],
})
const { nobody, everyone, administrators, moderators } = SYSTEM_GROUPS
const idsIn = async (client: Client, narrow: unknown): Promise<number[]> => {
  const { messages } = await client.must('GET', '/messages', { anchor: 'newest', num_before: 50, narrow })
  return messages.map(({ id }: { id: number }) => id)
}

t.test(
  '[DELMSG1] a deleted message is gone for all its recipients, even if it is the newest or oldest',
  async (t) => {
    const narrow = [['channel', 'town']]
    const [kept, gone] = [await owner.send('town', 'tea', 'kept'), await member.send('town', 'Tea', '@gone')]
    t.same(await idsIn(owner, narrow), [kept, gone])
    const events = await expectConsistent(server, async () => {
      t.same((await remove('member', gone)).body, DONE)
      t.same((await remove('owner', kept)).body, DONE)
      t.same(await idsIn(owner, narrow), [])
    })
    const event = { type: 'delete_message', message_type: 'stream', stream_id: TOWN }
    const first = {
      type: 'stream',
      op: 'update',
      stream_id: TOWN,
      name: 'town',
      property: 'first_message_id',
    }
    for (const person of ['owner', 'member', 'guest'] as const) {
      t.same(
        withoutIds(events[person]),
        [
          { ...event, topic: 'Tea', message_ids: [gone] },
          { ...event, topic: 'tea', message_ids: [kept] },
          { ...first, value: null },
        ],
        person,
      )
    }
    t.same(events.member2, [])
    expectRefusal(t, await remove('owner', gone), UNKNOWN)
    const next = await owner.send('town', 'tea', 'next')
    t.ok(next > gone, 'its id is not given again')
    t.same(await idsIn(member, narrow), [next])
  },
)

t.test(
  '[DELMSG2] a deleted direct message is gone for its partners, and their newest message changes',
  async (t) => {
    const before = await owner.sendDirect([4], 'before')
    await owner.sendDirect([4, 5], 'among three')
    const [last, lone] = [await owner.sendDirect([4], 'last'), await owner.sendDirect([6], 'lone')]
    const events = await expectConsistent(server, async () => {
      t.same((await remove('owner', last)).body, DONE)
      t.same((await remove('owner', lone)).body, DONE)
    })
    const gone = (id: number) => ({ type: 'delete_message', message_type: 'private', message_ids: [id] })
    t.same(withoutIds(events.owner), [gone(last), gone(lone)])
    t.same(withoutIds(events.member), [gone(last)])
    t.same(withoutIds(events.guest), [gone(lone)])
    t.same(events.member2, [])
    const { state } = await member.register()
    t.match(state.recent_private_conversations, [
      { user_ids: [1, 5] },
      { user_ids: [1], max_message_id: before },
    ])
    t.notOk(await isThere(last))
  },
)

t.test('[DELMSG3] older clients get one event for each deleted message', async (t) => {
  const queues: Queue[] = []
  for (const client_capabilities of [{}, { bulk_message_deletion: true }]) {
    queues.push(await member.register({ event_types: ['delete_message'], client_capabilities }))
  }
  const general = await owner.send('town', '', 'x')
  const direct = await owner.sendDirect([4], 'x')
  await remove('owner', general)
  await remove('owner', direct)
  const [older, newer] = await Promise.all(
    queues.map(async (queue) => withoutIds(await member.events(queue))),
  )
  const stream = { type: 'delete_message', message_type: 'stream', stream_id: TOWN, topic: 'general chat' }
  const personal = { type: 'delete_message', message_type: 'private' }
  t.same(older, [
    { ...stream, message_id: general },
    { ...personal, message_id: direct },
  ])
  t.same(newer, [
    { ...stream, message_ids: [general] },
    { ...personal, message_ids: [direct] },
  ])
})

t.test('[DELMSG4] deleted messages are no longer unread or starred', async (t) => {
  const send = async () => [await owner.send('town', 'x', 'hi'), await owner.sendDirect([4], 'hi')] as const
  const [sent, direct] = await send()
  await commitEvents(server, [
    {
      type: 'update_message_flags',
      userId: 4 as UserId,
      op: 'add',
      flag: 'starred',
      messages: [{ place: (TOWN * 2) as never, messageIds: [sent as never] }],
    },
  ])
  const unread = async () => {
    const { state } = await member.register()
    const { streams, pms } = state.unread_msgs
    return [...streams, ...pms].flatMap(({ unread_message_ids }) => unread_message_ids)
  }
  t.ok((await unread()).includes(sent) && (await unread()).includes(direct))
  await expectConsistent(server, async () => {
    await remove('owner', sent)
    await remove('owner', direct)
  })
  t.notOk((await unread()).some((id) => id === sent || id === direct))
  const { sql } = server.node.services
  t.same(await sql`select 1 from message_marks where message_id = ${sent}`, [])
})

t.test('[DELMSG5] edits, polls and reactions are deleted with their message', async (t) => {
  const poll = await owner.send('town', 'x', '/poll Tea?')
  const edited = await owner.send('town', 'x', 'before')
  await owner.must('PATCH', `/messages/${edited}`, { content: 'after' })
  await member.must('POST', `/messages/${edited}/reactions`, { emoji_name: 'smile', emoji_code: '1f642' })
  const { sql } = server.node.services
  const count = async () => {
    const tables = ['submessages', 'message_edits', 'reactions']
    const found = tables.map(
      (table) => sql`select 1 from ${sql(table)} where message_id in ${sql([poll, edited])}`,
    )
    return (await Promise.all(found)).map(({ length }) => length)
  }
  t.same(await count(), [1, 1, 1])
  for (const id of [poll, edited]) t.equal((await remove('owner', id)).status, 200)
  t.same(await count(), [0, 0, 0])
})

t.test('[DELMSG6] the permission to delete any message ignores sender and age', async (t) => {
  const old = await member.send('town', 'x', 'old')
  const direct = await member.sendDirect([2, 5], 'direct')
  clock.leap(601_000)
  for (const person of ['moderator', 'member2', 'guest', 'bot'] as const) {
    expectRefusal(t, await remove(person, old), FORBIDDEN)
  }
  expectRefusal(t, await remove('member2', direct), FORBIDDEN)
  expectRefusal(t, await remove('owner', direct), UNKNOWN)
  t.equal((await remove('administrator', direct)).status, 200)
  await permit('town', 'canDeleteAnyMessage', only(5, 6))
  expectRefusal(t, await remove('guest', old), FORBIDDEN)
  t.equal((await remove('member2', old)).status, 200)
  await permit('town', 'canDeleteAnyMessage', nobody)
  await set({ permissions: { canDeleteAnyMessage: moderators } })
  const [one, other] = [await member.send('town', 'x', '1'), await member.send('town', 'x', '2')]
  t.equal((await remove('moderator', one)).status, 200)
  await set({ permissions: { canDeleteAnyMessage: nobody } })
  expectRefusal(t, await remove('owner', other), FORBIDDEN)
  await set({ permissions: { canDeleteAnyMessage: administrators } })
})

t.test('[DELMSG7] senders delete their own messages if the permission allows it', async (t) => {
  const send = async () => [await member.send('town', 'x', 'x'), await member.sendDirect([5], 'x')] as const
  const [first, second] = [await send(), await send()]
  t.equal((await remove('member', first[0])).status, 200)
  t.equal((await remove('member', first[1])).status, 200)
  await set({ permissions: { canDeleteOwnMessage: only(5) } })
  for (const id of second) expectRefusal(t, await remove('member', id), FORBIDDEN)
  await permit('town', 'canDeleteOwnMessage', only(4))
  t.equal((await remove('member', second[0])).status, 200)
  expectRefusal(t, await remove('member', second[1]), FORBIDDEN)
  await permit('town', 'canDeleteOwnMessage', nobody)
  await set({ permissions: { canDeleteOwnMessage: everyone } })
  const ofGuest = await server.as('guest').send('town', 'x', 'x')
  t.equal((await remove('guest', ofGuest)).status, 200)
})

t.test("[DELMSG8] the owner of a bot deletes its messages, and no other user's", async (t) => {
  const bot = server.as('bot')
  const [sent, direct, own] = [
    await bot.send('town', 'x', 'x'),
    await bot.sendDirect([1], 'x'),
    await bot.send('town', 'x', 'x'),
  ]
  expectRefusal(t, await remove('member2', sent), FORBIDDEN)
  t.equal((await remove('member', sent)).status, 200)
  expectRefusal(t, await remove('member', direct), UNKNOWN)
  t.equal((await remove('bot', own)).status, 200)
  const ofMember = await member.send('town', 'x', 'x')
  expectRefusal(t, await remove('bot', ofMember), FORBIDDEN)
})

t.test('[DELMSG9] own messages can be deleted within the time limit of the organization', async (t) => {
  const [first, second] = [await member.send('town', 'x', 'x'), await member.sendDirect([5], 'x')]
  const third = await server.as('bot').send('town', 'x', 'x')
  clock.leap(600_000)
  t.equal((await remove('member', first)).status, 200)
  clock.leap(1_000)
  expectRefusal(t, await remove('member', second), TOO_LATE)
  expectRefusal(t, await remove('member', third), TOO_LATE)
  expectRefusal(t, await remove('member2', third), FORBIDDEN)
  const limit = (seconds: number | 'unlimited') =>
    owner.must('PATCH', '/realm', { message_content_delete_limit_seconds: seconds })
  await limit(601)
  t.equal((await remove('member', second)).status, 200)
  clock.leap(365 * 24 * 3_600_000)
  expectRefusal(t, await remove('member', third), TOO_LATE)
  await limit('unlimited')
  t.equal((await remove('member', third)).status, 200)
  await limit(600)
})

t.test('[DELMSG10] unreadable, absent and archived messages look alike', async (t) => {
  await member.subscribe(['secret'], { invite_only: true })
  const secret = await member.send('secret', 'x', 'x')
  const direct = await member.sendDirect([5], 'x')
  await owner.subscribe(['old'], { principals: [1, 4] })
  const old = await owner.send('old', 'x', 'x')
  await owner.must('DELETE', '/streams/3')
  for (const id of [secret, direct, old, 0, 999_999]) {
    expectRefusal(t, await remove('owner', id), UNKNOWN)
  }
  t.ok(await isThere(secret, member))
  t.ok(await isThere(old))
})

t.test('[DELMSG11] with protected history, later subscribers cannot delete and get no event', async (t) => {
  await owner.subscribe(['closed'], { invite_only: true, principals: [1, 4, 6] })
  const id = await member.send('closed', 'x', 'before')
  await owner.subscribe(['closed'], { principals: [5, 2] })
  await server.as('guest').must('DELETE', '/users/me/subscriptions', { subscriptions: ['closed'] })
  const events = await expectConsistent(server, async () => {
    for (const person of ['member2', 'administrator', 'guest'] as const) {
      expectRefusal(t, await remove(person, id), UNKNOWN)
    }
    t.equal((await remove('owner', id)).status, 200)
  })
  const event = {
    type: 'delete_message',
    message_type: 'stream',
    stream_id: 4,
    topic: 'x',
    message_ids: [id],
  }
  t.same(withoutIds(events.owner)[0], event)
  t.same(withoutIds(events.member)[0], event)
  t.notOk(events.member2?.some(({ type }) => type === 'delete_message'))
  t.same(events.guest, [])
})

t.test(
  '[DELMSG12] a deleter without a subscription gets the event, and so do readers who flagged the message',
  async (t) => {
    const id = await member.send('town', 'x', 'x')
    const star = (userId: number) => ({
      type: 'update_message_flags' as const,
      userId: userId as UserId,
      op: 'add' as const,
      flag: 'starred' as const,
      messages: [{ place: (TOWN * 2) as never, messageIds: [id as never] }],
    })
    await commitEvents(server, [star(5)])
    const queues = await Promise.all(
      (['administrator', 'member2', 'moderator'] as const).map(async (person) => {
        const client = server.as(person)
        return { client, queue: await client.register({ event_types: ['delete_message'] }) }
      }),
    )
    t.equal((await remove('administrator', id)).status, 200)
    const received = await Promise.all(queues.map(({ client, queue }) => client.events(queue)))
    t.same(
      received.map((events) => events.map(({ message_id }) => message_id)),
      [[id], [id], []],
    )
  },
)

t.test(
  '[DELMSG13] one of two concurrent deletions succeeds, and a concurrent send is not affected',
  async (t) => {
    const id = await member.send('town', 'x', 'x')
    const [sent, ...answers] = await Promise.all([
      owner.send('town', 'x', 'meanwhile'),
      remove('owner', id),
      remove('member', id),
    ])
    const [done, refused] = answers[0].status === 200 ? answers : answers.toReversed()
    t.equal(done?.status, 200)
    if (refused) expectRefusal(t, refused, UNKNOWN)
    t.ok(await isThere(sent))
    await expectConsistent(server, async () => {})
  },
)

t.test(
  '[DELMSG14] a moved message is deleted from its new place, with events to users who received it there',
  async (t) => {
    await owner.subscribe(['vault'], { invite_only: true, principals: [1, 4] })
    const vault = channelIdOf(server, 'vault')
    const move = async () => {
      const id = await owner.send('town', 'tea', 'x')
      await owner.must('PATCH', `/messages/${id}`, { stream_id: vault, topic: 'moved' })
      return id
    }
    const early = await move()
    await owner.subscribe(['vault'], { principals: [5] })
    const late = await move()
    expectRefusal(t, await remove('member2', early), UNKNOWN)
    const received = await expectConsistent(server, async () => {
      for (const id of [early, late]) t.equal((await remove('owner', id)).status, 200)
    })
    const gone = (events: WireEvent[] = []) =>
      events.filter(({ type }) => type === 'delete_message').map((event) => [event.topic, event.message_ids])
    for (const person of ['owner', 'member'] as const) {
      t.same(
        gone(received[person]),
        [
          ['moved', [early]],
          ['moved', [late]],
        ],
        person,
      )
    }
    t.same(gone(received.member2), [['moved', [late]]])
    t.same(received.guest, [])
    await server.as('member2').must('DELETE', '/users/me/subscriptions', { subscriptions: ['vault'] })
    const missed = await owner.send('vault', 'tea', 'x')
    await owner.subscribe(['vault'], { principals: [5] })
    const eventsWithout = await expectConsistent(server, () => remove('owner', missed))
    t.same(gone(eventsWithout.member2), [], 'users who were away then get nothing later')
    t.same(gone(eventsWithout.member), [['tea', [missed]]])
  },
)
