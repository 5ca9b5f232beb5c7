import t from 'tap'
import type { TopicsPolicy } from '../../../server/domain/entities.ts'
import { storeMessageUpdate } from '../../../db/messages/message-edits.ts'
import type { LogEvent } from '../../../server/domain/events.ts'
import type { MessageMove } from '../../../server/domain/events/messages.ts'
import type { ChannelId, EventId, MessageId, UserId } from '../../../server/domain/ids.ts'
import type { OrganizationSettings } from '../../../server/domain/organization/organization-settings.ts'
import type { OrganizationPermissions } from '../../../server/domain/groups/permissions.ts'
import { SYSTEM_GROUPS } from '../../../server/domain/groups/system-groups.ts'
import type { Client, Fields } from '../../harness/client/client.ts'
import { addCrowd } from '../../harness/worlds/add-crowd.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { sendBetween } from '../../harness/worlds/send-between.ts'
import { channelIdOf, setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import { writeAlone } from '../../harness/worlds/write-alone.ts'
import type { List, WireEvent } from '../../harness/client/wire-types.ts'

const clock = new ManualClock()
const server = await startTestServer(t, { clock })
const owner = server.as('owner')
const member = server.as('member')
const member2 = server.as('member2')
await owner.subscribe(['town'], { principals: [1, 4, 6] })
await owner.subscribe(['village'], { principals: [1, 4, 5] })
const TOWN = 1
const VILLAGE = 2

/** Without notices, unless a test is about them. */
const move = (person: Person, id: number, fields: Fields) =>
  server.as(person).patch(`/messages/${id}`, { send_notification_to_new_thread: false, ...fields })
const must = async (person: Person, id: number, fields: Fields) => {
  const { status, body } = await move(person, id, fields)
  if (status !== 200) throw new Error(JSON.stringify(body))
}
const get = async (id: number, client: Client = owner) =>
  (await client.must('GET', `/messages/${id}`, { allow_empty_topic_name: true })).message
async function read(channel: string, client: Client = owner, more: unknown[] = []) {
  const { messages } = await client.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 100,
    narrow: [['channel', channel], ...more],
    allow_empty_topic_name: true,
  })
  return messages
}
const idsOf = (messages: List<{ readonly id: number }>) => messages.map(({ id }) => id)
const set = (settings: Partial<OrganizationSettings>) =>
  commitEvents(server, [{ type: 'realm/update_dict', changes: { settings } }])
const permit = (permissions: Partial<OrganizationPermissions>) =>
  commitEvents(server, [{ type: 'realm/update_dict', changes: { permissions } }])
const now = () => Math.floor(clock.nowMs() / 1000)
/** Otherwise the move would remove the newest received message, which no event reports. */
const speak = () => owner.sendDirect([4, 5, 6], 'the newest of all')
const nobody = SYSTEM_GROUPS.nobody
const only = (id: number) => ({ directMembers: [id as UserId], directSubgroups: [] })

t.test('[MOVE1] a message moves to another topic with one event', async (t) => {
  const id = await member.send('town', 'tea', 'hello')
  const events = await expectConsistent(server, async () => {
    t.same((await move('owner', id, { topic: ' coffee ' })).body, {
      result: 'success',
      msg: '',
      detached_uploads: [],
    })
  })
  const event = {
    type: 'update_message',
    user_id: 1,
    rendering_only: false,
    message_id: id,
    message_ids: [id],
    flags: [],
    edit_timestamp: now(),
    stream_id: TOWN,
    stream_name: 'town',
    orig_subject: 'tea',
    propagate_mode: 'change_one',
    subject: 'coffee',
    topic_links: [],
  }
  for (const person of ['owner', 'guest'] as const) t.same(withoutIds(events[person]), [event], person)
  t.match(events.member, [{ type: 'update_message', flags: [] }])
  t.same(events.member2, [])
  const message = await get(id)
  t.match(message, {
    subject: 'coffee',
    last_moved_timestamp: now(),
    edit_history: [{ user_id: 1, timestamp: now(), prev_topic: 'tea', topic: 'coffee' }],
  })
  t.notOk('last_edit_timestamp' in message)
})

t.test(
  '[MOVE2] the later messages of its topic move, too, or all of them, in any case of the name',
  async (t) => {
    const ids = []
    for (const topic of ['Juice', 'juice', 'JUICE', 'milk', 'juice'])
      ids.push(await owner.send('town', topic, 'x'))
    const [first, second, third, , last] = ids as number[]
    await must('owner', third as number, { topic: 'later', propagate_mode: 'change_later' })
    t.same(idsOf(await read('town', owner, [['topic', 'later']])), [third, last])
    await must('owner', second as number, { topic: 'later', propagate_mode: 'change_all' })
    t.same(idsOf(await read('town', owner, [['topic', 'later']])), [first, second, third, last])
    t.same((await get(first as number)).edit_history, [
      { user_id: 1, timestamp: now(), prev_topic: 'Juice', topic: 'later' },
    ])
    await must('owner', first as number, { topic: 'LATER', propagate_mode: 'change_all' })
    t.same(await read('town', owner, [['topic', 'later']]).then((all) => all.map(({ subject }) => subject)), [
      'LATER',
      'LATER',
      'LATER',
      'LATER',
    ])
    const other = await owner.send('town', 'later', 'spelled otherwise')
    const events = await expectConsistent(server, () =>
      must('owner', other, { topic: 'LATER', propagate_mode: 'change_all' }),
    )
    t.match(events.owner, [{ message_ids: [other] }], 'messages with this spelling do not move')
  },
)

t.test(
  '[MOVE3] a move to another channel is sent to readers of both, and both channels change',
  async (t) => {
    await owner.subscribe(['from'], { principals: [1, 4, 6] })
    await owner.subscribe(['to'], { principals: [1, 4, 5] })
    const [from, to] = [channelIdOf(server, 'from'), channelIdOf(server, 'to')]
    const ids = [await owner.send('from', 'tea', 'one'), await owner.send('from', 'tea', 'two')]
    const kept = await owner.send('from', 'milk', 'x')
    const there = await owner.send('to', 'milk', 'x')
    await speak()
    await read('from')
    await read('to')
    const events = await expectConsistent(server, () =>
      must('owner', ids[1] as number, { stream_id: to, propagate_mode: 'change_all' }),
    )
    const event = {
      type: 'update_message',
      message_id: ids[1],
      message_ids: ids,
      stream_id: from,
      stream_name: 'from',
      orig_subject: 'tea',
      propagate_mode: 'change_all',
      new_stream_id: to,
    }
    for (const person of ['owner', 'member', 'member2'] as const) {
      const [one] = events[person]
      t.match(one, event, person)
      t.notOk('subject' in one || 'topic_links' in one)
    }
    const isFirst = { type: 'stream', property: 'first_message_id' }
    t.match(events.member, [
      {},
      { ...isFirst, stream_id: from, value: kept },
      { ...isFirst, stream_id: to, value: ids[0] },
    ])
    // The guest reads only subscribed channels.
    t.match(events.guest, [
      { type: 'delete_message', stream_id: from, topic: 'tea', message_ids: ids },
      isFirst,
    ])
    t.equal(events.guest?.length, 2)
    t.same(idsOf(await read('from')), [kept])
    t.same(idsOf(await read('to')), [...ids, there])
    const message = await get(ids[0] as number)
    t.match(message, { stream_id: to, subject: 'tea', last_moved_timestamp: now() })
    t.same(message.edit_history, [{ user_id: 1, timestamp: now(), prev_stream: from, stream: to }])
    t.match(await get(ids[0] as number, member2), { flags: ['read', 'historical'] })
    t.equal((await server.as('guest').get(`/messages/${ids[0]}`)).status, 400)
    // Back, with a new topic in the same request.
    await expectConsistent(server, () => must('owner', ids[0] as number, { stream_id: from, topic: 'back' }))
    t.match(await get(ids[0] as number), {
      edit_history: [{ prev_stream: to, stream: from, prev_topic: 'tea', topic: 'back' }, {}],
    })
  },
)

t.test(
  '[MOVE4] unread messages stay unread for users subscribed to both channels, and only for them',
  async (t) => {
    const ids = [
      await owner.send('town', 'news', 'one'),
      await owner.send('town', 'news', '@**The member|4**'),
    ]
    await member.must('POST', '/messages/flags', { messages: [ids[0]], op: 'add', flag: 'read' })
    await speak()
    const events = await expectConsistent(server, () =>
      must('owner', ids[1] as number, { stream_id: VILLAGE, topic: 'olds', propagate_mode: 'change_all' }),
    )
    t.match(events.member, [{ flags: ['mentioned'] }])
    t.match(events.member2, [{ flags: ['read'] }])
    const { state } = await member.register({ fetch_event_types: ['message', 'update_message_flags'] })
    const unread = state.unread_msgs.streams.find((one) => one.stream_id === VILLAGE)
    t.same(unread, { stream_id: VILLAGE, topic: 'olds', unread_message_ids: [ids[1]] })
    await expectConsistent(server, () => must('owner', ids[1] as number, { topic: 'news' }))
    await expectConsistent(server, () => must('owner', ids[1] as number, { stream_id: TOWN }))
  },
)

t.test(
  '[MOVE15] a user who left and returned since a message was sent still has it after a move',
  async (t) => {
    const id = await owner.send('town', 'returns', '@**The member|4**')
    await member.must('DELETE', '/users/me/subscriptions', { subscriptions: ['town'] })
    await member.subscribe(['town'])
    const flags = ['read', 'mentioned']
    t.same((await get(id, member)).flags, flags)
    await speak()
    const events = await expectConsistent(server, () => must('owner', id, { stream_id: VILLAGE }))
    t.match(events.member, [{ flags }])
    t.same((await get(id, member)).flags, flags)
    const mentioned = await read('village', member, [['is', 'mentioned']])
    t.ok(idsOf(mentioned).includes(id), 'in the database, too')
  },
)

t.test('[MOVE5] users who cannot read the new place get only a deletion', async (t) => {
  await owner.subscribe(['council'], { invite_only: true, principals: [1] })
  const council = channelIdOf(server, 'council')
  const ids = [await owner.send('town', 'secrets', 'one'), await owner.send('town', 'secrets', 'two')]
  await member2.must('POST', '/messages/flags', { messages: [ids[0]], op: 'add', flag: 'starred' })
  await speak()
  const older = await member.register({ event_types: ['delete_message', 'update_message', 'message'] })
  const events = await expectConsistent(server, () =>
    must('owner', ids[0] as number, { stream_id: council, topic: 'hidden', propagate_mode: 'change_all' }),
  )
  const gone = { type: 'delete_message', message_type: 'stream', stream_id: TOWN, topic: 'secrets' }
  for (const person of ['member', 'member2', 'guest'] as const) {
    t.same(withoutIds(events[person]), [{ ...gone, message_ids: ids }], person)
  }
  t.match(events.owner, [{ type: 'update_message', new_stream_id: council }, { type: 'stream' }])
  t.same(
    withoutIds(await member.events(older)),
    ids.map((message_id) => ({ ...gone, message_id })),
  )
  for (const client of [member, member2]) t.equal((await client.get(`/messages/${ids[0]}`)).status, 400)
  t.notOk(idsOf(await read('town', member)).includes(ids[0] as number))
  const starred = await server.node.services.sql`select from message_marks where message_id = ${ids[0] ?? 0}`
  t.equal(starred.length, 0, 'not starred if it returns')
})

t.test(
  '[MOVE6] with protected history, users who were subscribed when a message arrived read it, others do not',
  async (t) => {
    await owner.subscribe(['closed'], { invite_only: true, principals: [1, 4] })
    const closed = channelIdOf(server, 'closed')
    const early = await owner.send('town', 'plans', 'sent before anyone else came')
    const late = await owner.send('town', 'plans', 'moved later')
    await speak()
    await must('owner', early, { stream_id: closed })
    await owner.subscribe(['closed'], { principals: [5] })
    const events = await expectConsistent(server, () =>
      must('owner', late, { stream_id: closed, topic: 'late' }),
    )
    t.match(events.member2, [{ type: 'update_message', message_id: late, new_stream_id: closed }])
    t.same(idsOf(await read('closed', member)), [early, late])
    t.same(idsOf(await read('closed', member2)), [late])
    t.same(idsOf(await read('closed', member2, [['topic', 'late']])), [late])
    t.same(idsOf(await read('closed', member2, [['topic', 'plans']])), [])
    const topics = async (client: Client) =>
      (await client.must('GET', `/users/me/${closed}/topics`)).topics.map(({ name }) => name)
    t.same(await topics(member), ['late', 'plans'])
    t.same(await topics(member2), ['late'])
    t.equal((await member2.get(`/messages/${early}`)).status, 400)
    t.equal((await member2.get(`/messages/${late}`)).status, 200)
    const reacted = await expectConsistent(server, async () => {
      await owner.must('POST', `/messages/${early}/reactions`, { emoji_name: 'smile' })
      await owner.must('POST', `/messages/${late}/reactions`, { emoji_name: 'smile' })
    })
    t.match(reacted.member, [{ message_id: early }, { message_id: late }])
    t.match(reacted.member2, [{ message_id: late }])
    t.equal(reacted.member2?.length, 1)
    // Only messages that the mover can read move.
    const own = await member2.send('closed', 'plans', 'mine')
    await must('member2', own, { topic: 'ours', propagate_mode: 'change_all' })
    t.same(idsOf(await read('closed', owner, [['topic', 'plans']])), [early])
    t.same(idsOf(await read('closed', owner, [['topic', 'ours']])), [own])
    await member2.must('DELETE', '/users/me/subscriptions', { subscriptions: ['closed'] })
    const missed = [await owner.send('closed', 'gap', 'sent'), await owner.send('town', 'gap', 'moved')]
    await must('owner', missed[1] as number, { stream_id: closed })
    await owner.subscribe(['closed'], { principals: [5] })
    const back = await member2.send('closed', 'gap', 'back')
    t.same(
      idsOf(await read('closed', member2, [['topic', 'gap']])),
      [back],
      'nor messages sent during an absence',
    )
    await must('member2', back, { topic: 'after', propagate_mode: 'change_all' })
    t.same(idsOf(await read('closed', owner, [['topic', 'gap']])), missed)
  },
)

t.test(
  '[MOVE7] within a channel, users with the permission move all messages, and senders their own',
  async (t) => {
    const own = await member.send('town', 'mixed', 'x')
    const other = await owner.send('town', 'mixed', 'x')
    const refused = "You don't have permission to edit this message"
    t.equal((await move('guest', own, { topic: 'Mixed' })).status, 200, 'everyone by default')
    await permit({ canMoveMessagesBetweenTopics: nobody })
    for (const person of ['owner', 'moderator', 'member2', 'guest'] as const) {
      expectRefusal(t, await move(person, own, { topic: 'x' }), refused)
    }
    t.equal((await move('member', own, { topic: 'mixed' })).status, 200)
    expectRefusal(t, await move('member', own, { topic: 'x', propagate_mode: 'change_all' }), refused)
    expectRefusal(t, await move('member', other, { topic: 'x' }), refused)
    await setUpChannel(server, 'town', {
      kind: 'permission',
      permission: 'canMoveMessagesWithinChannel',
      setting: only(4),
    })
    t.equal((await move('member', own, { topic: 'x', propagate_mode: 'change_all' })).status, 200)
    await setUpChannel(server, 'town', {
      kind: 'permission',
      permission: 'canMoveMessagesWithinChannel',
      setting: nobody,
    })
    await permit({ canMoveMessagesBetweenTopics: SYSTEM_GROUPS.everyone })
  },
)

t.test('[MOVE8] a move to another channel needs the permission, and the right to send there', async (t) => {
  const id = await member.send('town', 'leaving', 'x')
  const refused = "You don't have permission to move this message"
  await permit({ canMoveMessagesBetweenChannels: nobody })
  expectRefusal(t, await move('member', id, { stream_id: VILLAGE }), refused)
  expectRefusal(t, await move('owner', id, { stream_id: VILLAGE }), refused)
  await setUpChannel(server, 'town', {
    kind: 'permission',
    permission: 'canMoveMessagesOutOfChannel',
    setting: only(4),
  })
  await must('member', id, { stream_id: VILLAGE })
  expectRefusal(t, await move('member', id, { stream_id: TOWN }), refused, {})
  await permit({ canMoveMessagesBetweenChannels: SYSTEM_GROUPS.members })
  await must('member2', id, { stream_id: TOWN })
  await member2.subscribe(['private'], { invite_only: true })
  for (const stream_id of [channelIdOf(server, 'private'), 999]) {
    expectRefusal(t, await move('member', id, { stream_id }), 'Invalid channel ID')
  }
  await owner.subscribe(['quiet'], { can_send_message_group: only_group(1) })
  const quiet = channelIdOf(server, 'quiet')
  const silent = 'You do not have permission to post in this channel.'
  expectRefusal(t, await move('member', id, { stream_id: quiet }), silent)
  await setUpChannel(server, 'quiet', { kind: 'archived', isArchived: true })
  const archived = "Not authorized to send to channel 'quiet'"
  expectRefusal(t, await move('owner', id, { stream_id: quiet }), archived)
})

t.test(
  '[MOVE71] a text can be edited until its last second, and a topic gets no invisible characters',
  async (t) => {
    await set({ contentEditLimitSeconds: 600 })
    const id = await member.send('town', 'last second', 'x')
    clock.leap(600_000)
    t.equal((await member.patch(`/messages/${id}`, { content: 'in time' })).status, 200)
    clock.leap(1_000)
    const late = 'The time limit for editing this message has passed'
    expectRefusal(t, await member.patch(`/messages/${id}`, { content: 'late' }), late)
    const refused = 'Invalid character in topic, at position 2!'
    expectRefusal(t, await move('owner', id, { topic: 'a\u0007b' }), refused)
  },
)

t.test('[MOVE9] new topics and the empty topic accept moves like messages', async (t) => {
  const id = await member.send('town', 'topics', 'x')
  await setUpChannel(server, 'village', {
    kind: 'permission',
    permission: 'canCreateTopic',
    setting: only(1),
  })
  const forbidden = 'You do not have permission to create new topics in this channel.'
  await owner.send('village', 'known', 'x')
  expectRefusal(t, await move('member', id, { stream_id: VILLAGE, topic: 'unknown' }), forbidden)
  await must('member', id, { stream_id: VILLAGE, topic: 'KNOWN' })
  expectRefusal(t, await move('member', id, { topic: 'unknown' }), forbidden)
  await must('owner', id, { topic: 'unknown' })
  await setUpChannel(server, 'village', {
    kind: 'permission',
    permission: 'canCreateTopic',
    setting: SYSTEM_GROUPS.everyone,
  })
  const setPolicy = (topicsPolicy: TopicsPolicy) =>
    setUpChannel(server, 'village', { kind: 'topicsPolicy', topicsPolicy })
  await setPolicy('disable_empty_topic')
  const general = 'Sending messages to the general chat is not allowed in this channel.'
  expectRefusal(t, await move('member', id, { topic: '' }), general)
  await setPolicy('inherit')
  await owner.subscribe(['lounge'], { principals: [1, 4] })
  const lounge = channelIdOf(server, 'lounge')
  await setUpChannel(server, 'lounge', { kind: 'topicsPolicy', topicsPolicy: 'empty_topic_only' })
  const empty = 'Only the general chat topic is allowed in this channel.'
  expectRefusal(t, await move('member', id, { stream_id: lounge }), empty)
  await must('member', id, { stream_id: lounge, topic: 'general chat' })
  t.equal((await get(id)).subject, '')
  await must('member', id, { stream_id: VILLAGE, topic: '' })
  await set({ topicsPolicy: 'disable_empty_topic' })
  const other = await member.send('village', 'named', 'x')
  expectRefusal(t, await move('member', other, { topic: '' }), 'Topics are required in this organization.')
  await set({ topicsPolicy: 'allow_empty_topic' })
  const older = await member.register({ event_types: ['update_message'] })
  await must('member', id, { topic: 'named' })
  t.match(await member.events(older), [{ orig_subject: 'general chat', subject: 'named' }])
  await must('owner', id, { topic: '' })
  t.match((await member.events(older)).at(-1), { orig_subject: 'named', subject: 'general chat' })
})

t.test(
  '[MOVE10] after the time limit only moderators move messages, except the rest of a topic',
  async (t) => {
    await set({ topicMoveLimitSeconds: 100, channelMoveLimitSeconds: 50 })
    const old = await member.send('town', 'time', 'x')
    clock.leap(60_000)
    const middle = await member.send('town', 'time', 'x')
    clock.leap(41_000)
    const young = await member.send('town', 'time', 'x')
    const topicLate = "The time limit for editing this message's topic has passed."
    expectRefusal(t, await move('member', old, { topic: 'x' }), topicLate)
    const channelLate = "The time limit for editing this message's channel has passed"
    expectRefusal(t, await move('member', old, { stream_id: VILLAGE }), channelLate)
    const exceeded = (allowed: number, first: number) =>
      [
        `You only have permission to move the ${allowed}/3 most recent messages in this topic.`,
        {
          code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
          first_message_id_allowed_to_move: first,
          total_messages_in_topic: 3,
          total_messages_allowed_to_move: allowed,
        },
      ] as const
    const all = { propagate_mode: 'change_all' }
    expectRefusal(t, await move('member', young, { topic: 'x', ...all }), ...exceeded(2, middle))
    expectRefusal(t, await move('member', middle, { stream_id: VILLAGE, ...all }), ...exceeded(2, middle))
    await must('member', middle, { topic: 'timely', propagate_mode: 'change_later' })
    await must('member', middle, { topic: 'time', propagate_mode: 'change_all' })
    await must('moderator', old, { stream_id: VILLAGE, ...all })
    await set({ topicMoveLimitSeconds: null, channelMoveLimitSeconds: null })
    await must('member', old, { stream_id: TOWN, topic: 'any time', ...all })
  },
)

t.test('[MOVE11] at most five thousand messages are moved at once', async (t) => {
  await sendMany('long', 5_001)
  const { messages } = await owner.must('GET', '/messages', {
    anchor: 'oldest',
    num_after: 1,
    narrow: [
      ['channel', 'town'],
      ['topic', 'long'],
    ],
  })
  const [first] = idsOf(messages)
  const tooMany = 'Too many messages moved at once (maximum 5000).'
  expectRefusal(t, await move('owner', first, { topic: 'x', propagate_mode: 'change_all' }), tooMany)
})

t.test('[MOVE16] a long topic moves in several changes, and other sends fit between', async (t) => {
  const { committer, state, sql } = server.node.services
  const [{ first } = { first: 0 }] = await sql<{ first: number }[]>`
    select min(id) as first from messages where channel_id = ${TOWN} and topic = 'long'`
  const second = first + 1
  const queue = await owner.register({ event_types: ['update_message'] })
  const before = state.appliedId
  const sending = sendBetween(committer, () => owner.send('town', 'other', 'between'))
  const fields = { stream_id: VILLAGE, propagate_mode: 'change_later' }
  await owner.must('PATCH', `/messages/${second}`, { ...fields, send_notification_to_old_thread: true })
  const between = await sending.stop()
  const events: readonly WireEvent[] = await owner.events(queue)
  t.same(
    events.map(({ message_ids }) => message_ids.length),
    Array(5).fill(1_000),
  )
  t.ok(events.every(({ message_id, message_ids }) => message_ids.includes(message_id)))
  t.equal(events.at(-1)?.message_id, second, 'the message itself is deleted last')
  const moved = events.flatMap(({ message_ids }) => message_ids).sort((a, b) => a - b)
  t.same(
    moved,
    Array.from({ length: 5_000 }, (_, index) => second + index),
    'one event each',
  )
  const [{ id } = {}] = await sql`select id from event_log
    where event ->> 'type' = 'update_message' and id > ${before} order by id offset 1 limit 1`
  t.ok((between as number) < id, 'sent before the second part')
  const [notice, left] = (await read('town', owner, [['topic', 'long']])).toReversed()
  t.equal(left.id, first)
  t.match(notice.content, '5,000 messages were moved')
})

t.test('[MOVE12] a move decided on stale channels is refused whole', async (t) => {
  const { sql } = server.node.services
  await owner.subscribe(['one', 'two'])
  const [one, two] = [channelIdOf(server, 'one'), channelIdOf(server, 'two')]
  const id = (await owner.send('one', 'x', 'x')) as MessageId
  const next = (await owner.send('one', 'x', 'x')) as MessageId
  const sentAt = now()
  const left = { firstMessageId: next, lastMessageAt: sentAt }
  const joined = { firstMessageId: id, lastMessageAt: sentAt }
  const attempt = (toChannel: Partial<NonNullable<MessageMove['toChannel']>>) =>
    writeAlone(sql, (writes) => {
      storeMessageUpdate(writes, (10 ** 9) as EventId, {
        type: 'update_message',
        messageId: id,
        messageIds: [id],
        channelId: one,
        channelName: 'one',
        userId: 1 as UserId,
        editedAt: 1,
        move: {
          previousTopic: 'x',
          topic: 'x',
          mode: 'change_one',
          toChannel: { channelId: two, countsByDay: [], left, joined, ...toChannel },
        },
        holders: { unread: '', starred: '', collapsed: '' },
      })
      writes.require(writes.sql`false`, () => new Error('it would be stored'))
    })
  const stale = { name: 'StaleMessageError' }
  await t.rejects(attempt({ left: { ...left, firstMessageId: null } }), stale)
  await t.rejects(attempt({ left: { ...left, lastMessageAt: null } }), stale)
  await t.rejects(attempt({ joined: { ...joined, lastMessageAt: 1 } }), stale)
  await t.rejects(attempt({}), { message: 'it would be stored' })
  // Concurrent moves and sends.
  await expectConsistent(server, async () => {
    await Promise.all([
      ...Array.from({ length: 6 }, (_, index) => owner.send(index % 2 ? 'one' : 'two', 'x', `${index}`)),
      must('owner', id, { stream_id: two, propagate_mode: 'change_all' }),
      move('administrator', next, { topic: 'y' }),
    ])
    await speak()
  })
})

t.test('[MOVE13] notices in both topics name the moved messages and the mover', async (t) => {
  await owner.subscribe(['north', 'south'], { principals: [1, 4] })
  const [south] = [channelIdOf(server, 'south')]
  const one = await owner.send('north', 'sun', 'x')
  const two = await owner.send('north', 'sun', 'x')
  const three = await owner.send('north', 'sun', 'x')
  const withNotices = { send_notification_to_old_thread: true, send_notification_to_new_thread: true }
  const newest = async (channel: string) =>
    (
      await member.must('GET', '/messages', {
        anchor: 'newest',
        num_before: 1,
        narrow: [['channel', channel]],
        apply_markdown: false,
      })
    ).messages[0]
  await must('owner', one, { topic: 'moon', ...withNotices })
  t.match(await newest('north'), {
    subject: 'sun',
    sender_full_name: 'Notification Bot',
    content: 'A message was moved from this topic to #**north>moon** by @_**The owner|1**.',
  })
  const page = await read('north', member, [['topic', 'moon']])
  t.match(
    page.at(-1).content,
    /^<p><a href=".*\/#narrow\/channel\/\d+\/near\/\d+">A message<\/a> was moved here from <a /,
  )
  await must('owner', three, {
    topic: 'moon',
    propagate_mode: 'change_later',
    send_notification_to_new_thread: true,
  })
  t.equal(
    (await newest('north')).content,
    '2 messages were moved here from #**north>sun** by @_**The owner|1**.',
  )
  await must('owner', two, { stream_id: south, topic: 'stars', ...withNotices })
  t.match(await newest('south'), {
    subject: 'stars',
    content: 'This topic was moved here from #**north>sun** by @_**The owner|1**.',
  })
  t.match(await newest('north'), {
    subject: 'sun',
    content: 'This topic was moved to #**south>stars** by @_**The owner|1**.',
  })
  await setUpChannel(server, 'south', {
    kind: 'privacy',
    isPrivate: true,
    isWebPublic: false,
    isHistoryPublic: true,
  })
  await must('owner', one, { stream_id: south, topic: 'a*b', send_notification_to_old_thread: true })
  t.match((await newest('north')).content, /^A message was moved from this topic to another channel by /)
  await must('owner', one, { topic: 'plain', send_notification_to_new_thread: true })
  t.match((await newest('south')).content, /from \[#south &#62; a&#42;b\]\(\/#narrow\/channel\/\d+\) by/)
  const silent = await newest('south')
  await must('owner', one, { topic: 'again' })
  t.equal((await newest('south')).id, silent.id)
})

t.test('[MOVE14] topic visibilities move with a whole topic', async (t) => {
  const ids = [await owner.send('town', 'songs', 'x'), await owner.send('town', 'songs', 'x')]
  const say = (client: Client, topic: string, visibility_policy: number) =>
    client.must('POST', '/user_topics', { stream_id: TOWN, topic, visibility_policy })
  await say(member, 'songs', 1)
  await say(owner, 'songs', 3)
  await say(owner, 'lieder', 2)
  await say(server.as('guest'), 'songs', 3)
  const topics = async (client: Client) =>
    (await client.register({ fetch_event_types: ['user_topic'] })).state.user_topics
      .filter(({ topic_name }) => ['songs', 'lieder'].includes(topic_name))
      .map((one) => [one.stream_id, one.topic_name, one.visibility_policy])
  await speak()
  await must('owner', ids[0] as number, { topic: 'lieder' })
  t.same(await topics(member), [[TOWN, 'songs', 1]], 'only a part was moved')
  await expectConsistent(server, () => must('owner', ids[1] as number, { topic: 'lieder' }))
  t.same(await topics(member), [[TOWN, 'lieder', 1]])
  t.same(await topics(owner), [[TOWN, 'lieder', 2]])
  await expectConsistent(server, () =>
    must('owner', ids[1] as number, { stream_id: VILLAGE, propagate_mode: 'change_all' }),
  )
  t.same(await topics(member), [[VILLAGE, 'lieder', 1]])
  t.same(await topics(server.as('guest')), [])
})

t.test('[MOVE72] the topic visibilities of a crowd move whole, in several changes', async (t) => {
  const ids = await addCrowd(server, 202, 1_700_000_000)
  const moved = await owner.send('town', 'crowded', 'x')
  const userTopic = { channelId: TOWN as ChannelId, topic: 'crowded', visibility: 3 as const, updatedAt: 1 }
  await commitEvents(
    server,
    ids.map((userId): LogEvent => ({ type: 'user_topic', userId, userTopic })),
  )
  await must('owner', moved, { topic: 'spacious' })
  const left = await server.node.services.sql`
    select from user_topics where channel_id = ${TOWN} and lower(topic) = 'crowded' and visibility <> 0`
  const come = await server.node.services.sql`
    select from user_topics where channel_id = ${TOWN} and lower(topic) = 'spacious' and visibility = 3`
  t.same([left.count, come.count], [0, 202])
})

t.test(
  '[MOVE73] a user who marked messages, and can no longer read them, does not hear of a move',
  async (t) => {
    const open = { invite_only: true, history_public_to_subscribers: true }
    await owner.subscribe(['shared'], { principals: [1], ...open })
    const marked = await owner.send('shared', 'tea', 'x')
    await owner.subscribe(['shared'], { principals: [4] })
    await member.must('POST', '/messages/flags', { messages: [marked], op: 'add', flag: 'starred' })
    const shared = channelIdOf(server, 'shared')
    const closed = { is_private: true, history_public_to_subscribers: false }
    await owner.must('PATCH', `/streams/${shared}`, closed)
    t.equal((await member.get(`/messages/${marked}`)).status, 400)
    await owner.subscribe(['away'], { principals: [1], invite_only: true })
    const queue = await member.register({ event_types: ['update_message', 'delete_message', 'user_topic'] })
    await must('owner', marked, { stream_id: channelIdOf(server, 'away') })
    await member.must('POST', '/user_topics', { stream_id: TOWN, topic: 'the end', visibility_policy: 1 })
    t.same(
      (await member.events(queue)).map(({ type }) => type),
      ['user_topic'],
    )
  },
)

function only_group(id: number) {
  return { direct_members: [id], direct_subgroups: [] }
}

/** Many messages of one topic in the town, in one commit. */
async function sendMany(topic: string, count: number): Promise<void> {
  const event: LogEvent = {
    type: 'message',
    channelId: TOWN as ChannelId,
    conversationId: null,
    userIds: null,
    topic,
    senderId: 1 as UserId,
    content: 'x',
    rendered: '<p>x</p>',
    sentAt: now(),
    client: 'test',
    readById: null,
    queueId: null,
    localId: null,
  }
  const audience = { kind: 'subscribers', channelId: TOWN as ChannelId } as const
  await server.node.services.committer.submit({
    kind: 'messages',
    decide: () => ({
      events: Array.from({ length: count }, () => ({ event, audience })),
      reply: () => undefined,
    }),
  })
}
