import t from 'tap'
import type { ChannelChange } from '../../../server/domain/events/channels.ts'
import type { OrganizationPermissions } from '../../../server/domain/groups/permissions.ts'
import { SYSTEM_GROUPS } from '../../../server/domain/groups/system-groups.ts'
import { addCrowd } from '../../harness/worlds/add-crowd.ts'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import type { Fields } from '../../harness/client/client.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { openTestSender, sendDue } from '../../harness/worlds/open-test-sender.ts'
import { channelIdOf, setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const NOW = 1_790_000_000
const LATER = NOW + 600
const clock = new ManualClock(NOW * 1_000)
const server = await startTestServer(t, { clock })
const { sql } = server.node.services
const owner = server.as('owner')
const member = server.as('member')
const done = { result: 'success', msg: '' }
for (const name of ['town', 'square', 'rooms', 'attic', 'lounge'])
  await owner.subscribe([name], { principals: [1, 4, 5, 6] })
const town = channelIdOf(server, 'town')
const TO_TOWN = { type: 'channel', to: town, topic: 'news', content: 'hello' }

const schedule = (fields: Fields = {}, person: Person = 'member') =>
  server
    .as(person)
    .post('/scheduled_messages', { ...TO_TOWN, scheduled_delivery_timestamp: LATER, ...fields })
const scheduled = async (fields: Fields = {}, person: Person = 'member'): Promise<number> => {
  const { status, body } = await schedule(fields, person)
  if (status !== 200) throw new Error(body.msg)
  return body.scheduled_message_id
}
const edit = (id: number, fields: Fields, person: Person = 'member') =>
  server.as(person).patch(`/scheduled_messages/${id}`, fields)
const list = async (person: Person = 'member') =>
  (await server.as(person).must('GET', '/scheduled_messages')).scheduled_messages
const clear = async (person: Person = 'member') => {
  for (const { scheduled_message_id: id } of await list(person)) {
    await server.as(person).must('DELETE', `/scheduled_messages/${id}`)
  }
}
const inTown = (id: number, more: Fields = {}) => ({
  scheduled_message_id: id,
  type: 'stream',
  to: town,
  topic: 'news',
  content: 'hello',
  rendered_content: '<p>hello</p>',
  scheduled_delivery_timestamp: LATER,
  failed: false,
  ...more,
})
const direct = (id: number, to: number[], more: Fields = {}) => {
  const { topic: _, ...rest } = inTown(id, { type: 'private', to, ...more })
  return rest
}
const permit = (name: string, permission: 'canSendMessage' | 'canCreateTopic', setting: number) =>
  setUpChannel(server, name, { kind: 'permission', permission, setting } as ChannelChange)
const setPermissions = (permissions: Partial<OrganizationPermissions>) =>
  commitEvents(server, [{ type: 'realm/update_dict', changes: { permissions } }])

t.test(
  '[SCHED1] messages are scheduled, changed and deleted, and only their author gets events',
  async (t) => {
    const ids: number[] = []
    const events = await expectConsistent(server, async () => {
      const answers = [
        await schedule({ content: '**hello** \n' }),
        await schedule({ type: 'direct', to: [6, 5, 6], scheduled_delivery_timestamp: LATER - 1 }),
      ]
      for (const { body } of answers) {
        t.same(body, { ...done, scheduled_message_id: body.scheduled_message_id })
        ids.push(body.scheduled_message_id)
      }
      t.same((await edit(ids[0] as number, { content: 'hello' })).body, done)
      t.same((await member.delete(`/scheduled_messages/${ids[1]}`)).body, done)
    })
    const [first, second] = ids as [number, number]
    const add = (one: object) => ({ type: 'scheduled_messages', op: 'add', scheduled_messages: [one] })
    t.same(withoutIds(events.member), [
      add(inTown(first, { content: '**hello**', rendered_content: '<p><strong>hello</strong></p>' })),
      add(direct(second, [5, 6], { scheduled_delivery_timestamp: LATER - 1 })),
      { type: 'scheduled_messages', op: 'update', scheduled_message: inTown(first) },
      { type: 'scheduled_messages', op: 'remove', scheduled_message_id: second },
    ])
    t.same([events.owner, events.member2, events.guest], [[], [], []])
    t.same(await list(), [inTown(first)])
    t.same(await list('owner'), [])
    const { scheduled_messages } = await member.must('POST', '/register', {
      fetch_event_types: ['scheduled_messages'],
    })
    t.same(scheduled_messages, [inTown(first)])
    await clear()
  },
)

t.test('[SCHED2] older names are stored as new ones, and lists are ordered by time', async (t) => {
  const [a, b, c] = [
    await scheduled({ type: 'stream', topic: ' (no topic) ', scheduled_delivery_timestamp: LATER + 2 }),
    await scheduled({ type: 'private', to: [4], scheduled_delivery_timestamp: LATER + 1 }),
    await scheduled({ type: 'direct', to: [4, 5] }),
  ]
  t.same(await list(), [
    direct(c, [5]),
    direct(b, [4], { scheduled_delivery_timestamp: LATER + 1 }),
    inTown(a, { topic: '', scheduled_delivery_timestamp: LATER + 2 }),
  ])
  await clear()
})

t.test('[SCHED3] each field of a message can be changed, and omitted fields stay', async (t) => {
  const id = await scheduled()
  const become = async (fields: Fields, wanted: Fields) => {
    t.same((await edit(id, fields)).body, done)
    t.same(await list(), [wanted], JSON.stringify(fields))
  }
  await become({ topic: 'other' }, inTown(id, { topic: 'other' }))
  await become({ type: 'stream', topic: '' }, inTown(id, { topic: '' }))
  await become({ type: 'direct', to: [5] }, direct(id, [5]))
  await become({ to: [6, 5], topic: 'ignored' }, direct(id, [5, 6]))
  await become(
    { type: 'private', content: 'hi' },
    direct(id, [5, 6], { content: 'hi', rendered_content: '<p>hi</p>' }),
  )
  await become({ type: 'channel', to: town, topic: 'news', content: 'hello' }, inTown(id))
  const time = { scheduled_delivery_timestamp: LATER + 5 }
  await become(time, inTown(id, time))
  await clear()
})

t.test('[SCHED4] fields that an edit requires are reported', async (t) => {
  const [toTown, toPeople] = [await scheduled(), await scheduled({ type: 'direct', to: [5] })]
  expectRefusal(t, await edit(toTown, {}), 'Nothing to change')
  const noRecipient = 'Recipient required when updating type of scheduled message.'
  expectRefusal(t, await edit(toTown, { type: 'direct' }), noRecipient)
  expectRefusal(t, await edit(toPeople, { type: 'channel', topic: 'news' }), noRecipient)
  const noTopic = 'Topic required when updating scheduled message type to channel.'
  for (const type of ['channel', 'stream'])
    expectRefusal(t, await edit(toPeople, { type, to: town }), noTopic)
  t.same(await list(), [inTown(toTown), direct(toPeople, [5])])
  await clear()
})

t.test('[SCHED5] the time must be in the future', async (t) => {
  const past = 'Scheduled delivery time must be in the future.'
  const id = await scheduled()
  for (const scheduled_delivery_timestamp of [NOW, NOW - 1, 0, -1]) {
    expectRefusal(t, await schedule({ scheduled_delivery_timestamp }), past)
    expectRefusal(t, await edit(id, { scheduled_delivery_timestamp }), past)
  }
  const tooFar = { scheduled_delivery_timestamp: 253_402_300_800 }
  expectRefusal(t, await schedule(tooFar), 'Invalid scheduled_delivery_timestamp')
  expectRefusal(t, await edit(id, tooFar), 'Invalid scheduled_delivery_timestamp')
  for (const scheduled_delivery_timestamp of [NOW + 1, 253_402_300_799]) {
    t.equal((await schedule({ scheduled_delivery_timestamp })).status, 200)
    t.equal((await edit(id, { scheduled_delivery_timestamp })).status, 200)
  }
  await clear()
})

t.test(
  '[SCHED6] a message of another user looks absent, and a reminder is not a scheduled message',
  async (t) => {
    const id = await scheduled()
    const message = await member.send('town', 'news', 'x')
    const reminder = await member.must('POST', '/reminders', {
      message_id: message,
      scheduled_delivery_timestamp: LATER,
    })
    for (const [person, path] of [
      ['owner', id],
      ['member', 999_999],
      ['member', reminder.reminder_id],
    ] as const) {
      for (const answer of [
        await edit(path, { content: 'x' }, person),
        await server.as(person).delete(`/scheduled_messages/${path}`),
      ]) {
        expectRefusal(t, answer, 'Scheduled message does not exist')
      }
    }
    await member.must('DELETE', `/scheduled_messages/${id}`)
    expectRefusal(t, await edit(id, { content: 'x' }), 'Scheduled message does not exist')
    await member.must('DELETE', `/reminders/${reminder.reminder_id}`)
  },
)

t.test('[SCHED7] scheduling and editing need the right to send the message', async (t) => {
  const crowd = await addCrowd(server, 101, 1_700_000_000)
  const gone = await addUser(server, 'gone')
  await deactivate(server, gone.userId)
  await setUpChannel(server, 'attic', { kind: 'archived', isArchived: true })
  await permit('square', 'canSendMessage', SYSTEM_GROUPS.moderators)
  await setUpChannel(server, 'rooms', { kind: 'topicsPolicy', topicsPolicy: 'disable_empty_topic' })
  await setUpChannel(server, 'lounge', { kind: 'topicsPolicy', topicsPolicy: 'empty_topic_only' })
  await owner.subscribe(['hidden'], { invite_only: true })
  await owner.subscribe(['crowded'], { principals: [4, ...crowd.slice(0, 15)] })
  await permit('rooms', 'canCreateTopic', SYSTEM_GROUPS.moderators)
  const busy = {
    type: 'message',
    channelId: channelIdOf(server, 'crowded'),
    conversationId: null,
    userIds: null,
    topic: 'busy',
    content: 'x',
    rendered: '<p>x</p>',
    sentAt: NOW,
    client: 'test',
    readById: null,
    queueId: null,
    localId: null,
  } as const
  await commitEvents(
    server,
    crowd.slice(0, 15).map((senderId) => ({ ...busy, senderId })),
  )
  await owner.must('POST', '/user_groups/create', {
    name: 'quiet',
    description: '',
    members: [1],
    can_mention_group: SYSTEM_GROUPS.nobody,
  })
  const to = (name: string, more: Fields = {}) => ({
    type: 'channel',
    to: channelIdOf(server, name),
    topic: 'news',
    ...more,
  })
  const people = (...ids: readonly unknown[]) => ({ type: 'direct', to: ids })
  const unknown = (stream_id: number) => ({ code: 'STREAM_DOES_NOT_EXIST', stream_id })
  const hidden = channelIdOf(server, 'hidden')
  const refusals: readonly (readonly [Fields, string, Fields?])[] = [
    [{ type: 'channel', to: [town], topic: 'x' }, 'Invalid data type for channel ID'],
    [{ type: 'direct', to: 5 }, 'Invalid data type for recipients'],
    [{ type: 'channel', to: 'town', topic: 'x' }, 'to is not valid JSON'],
    [people('x'), 'Invalid to'],
    [{ type: 'news', to: town }, 'Invalid type'],
    [
      { type: 'channel', to: 999_999, topic: 'x' },
      "Channel with ID '999999' does not exist",
      unknown(999_999),
    ],
    [to('hidden'), `Channel with ID '${hidden}' does not exist`, unknown(hidden)],
    [to('attic'), "Not authorized to send to channel 'attic'"],
    [to('square'), 'You do not have permission to post in this channel.'],
    [to('rooms', { topic: '' }), 'Sending messages to the general chat is not allowed in this channel.'],
    [
      to('rooms', { topic: 'general chat' }),
      'Sending messages to the general chat is not allowed in this channel.',
    ],
    [to('lounge'), 'Only the general chat topic is allowed in this channel.'],
    [to('rooms'), 'You do not have permission to create new topics in this channel.'],
    [to('town', { topic: 'x'.repeat(61) }), 'topic is too long (limit: 60 characters)'],
    [to('town', { content: ' \n' }), 'Message must not be empty'],
    [to('town', { content: 'x'.repeat(10_001) }), 'content is too long (limit: 10000 characters)'],
    [to('town', { content: '@*quiet*' }), "You are not allowed to mention user group 'quiet'."],
    [
      to('crowded', { content: '@**all**' }),
      'You do not have permission to use channel wildcard mentions in this channel.',
      { code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED' },
    ],
    [
      to('crowded', { topic: 'busy', content: '@**topic**' }),
      'You do not have permission to use topic wildcard mentions in this topic.',
      { code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED' },
    ],
    [people(), 'Message must have recipients'],
    [people(999_999), 'Invalid user ID 999999'],
    [people(gone.userId), `'${gone.email}' is no longer using this organization.`],
    [people(...crowd), 'Too many recipients (maximum 100).'],
  ]
  await setPermissions({ canMentionManyUsers: SYSTEM_GROUPS.moderators })
  const before = [await scheduled(), await scheduled({ type: 'direct', to: [5] })]
  const kept = await list()
  const expectBoth = async (fields: Fields, msg: string, extra: Fields = {}) => {
    expectRefusal(t, await schedule(fields), msg, extra)
    for (const id of before) expectRefusal(t, await edit(id, fields), msg, extra)
  }
  for (const [fields, msg, extra] of refusals) await expectBoth(fields, msg, extra)
  await setPermissions({ directMessagePermission: SYSTEM_GROUPS.moderators })
  await expectBoth(people(6), 'This conversation does not include any users who can authorize it.')
  await setPermissions({ directMessagePermission: SYSTEM_GROUPS.nobody })
  await expectBoth(people(6), 'Direct messages are disabled in this organization.')
  await setPermissions({
    directMessagePermission: SYSTEM_GROUPS.everyone,
    directMessageInitiator: SYSTEM_GROUPS.moderators,
  })
  const initiate = 'You do not have permission to initiate direct message conversations.'
  await expectBoth(people(6), initiate)
  await server.as('moderator').sendDirect([6, 4], 'begun')
  t.equal((await schedule(people(3, 6))).status, 200)
  await setPermissions({ directMessageInitiator: SYSTEM_GROUPS.everyone })
  t.same(
    (await list()).filter(({ to }: Fields) => String(to) !== '3,6'),
    kept,
    'a refusal changes nothing',
  )
  t.equal((await schedule(to('rooms'), 'owner')).status, 200, 'the permission suffices')
  await clear('owner')
  await clear()
})

t.test('[SCHED8] missing and malformed fields are reported by name', async (t) => {
  for (const name of ['type', 'to', 'content', 'scheduled_delivery_timestamp']) {
    const missing = { code: 'REQUEST_VARIABLE_MISSING', var_name: name }
    expectRefusal(t, await schedule({ [name]: undefined }), `Missing '${name}' argument`, missing)
  }
  const id = await scheduled()
  for (const [fields, msg] of [
    [{ scheduled_delivery_timestamp: 'soon' }, 'scheduled_delivery_timestamp is not valid JSON'],
    [{ scheduled_delivery_timestamp: 1.5 }, 'scheduled_delivery_timestamp is not an integer'],
    [{ content: 'a\0' }, 'content must not contain null characters'],
  ] as const) {
    expectRefusal(t, await schedule(fields), msg)
    expectRefusal(t, await edit(id, fields), msg)
  }
  expectRefusal(t, await schedule({ topic: undefined }), 'Missing topic')
  t.equal((await schedule({ topic: '' })).status, 200)
  for (const topic of ['a\0b', 'a\u0007b']) {
    expectRefusal(t, await schedule({ topic }), 'Invalid character in topic, at position 2!')
    expectRefusal(t, await edit(id, { topic }), 'Invalid character in topic, at position 2!')
  }
  expectRefusal(t, await schedule({ read_by_sender: 1 }), 'read_by_sender is not a boolean')
  t.equal((await schedule({ content: '😀'.repeat(10_000), topic: '😀'.repeat(60) })).status, 200)
  await clear()
})

t.test('[SCHED9] concurrent changes of two fields of a message are both stored', async (t) => {
  const id = await scheduled()
  const answers = await Promise.all([edit(id, { topic: 'new' }), edit(id, { content: 'new' })])
  for (const { body } of answers) t.same(body, done)
  t.same(await list(), [inTown(id, { topic: 'new', content: 'new', rendered_content: '<p>new</p>' })])
  await clear()
})

t.test('[SCHED10] waiting messages are limited per user', async (t) => {
  const fill = (count: number, length: number) => sql`
    insert into scheduled_messages (id, user_id, channel_id, topic, content, rendered, deliver_at,
      is_read_by_sender, client, changed_id)
    select -n, 3, ${town}, '', repeat('x', ${length}), '', ${LATER}, false, '', -n from generate_series(1, ${count}::int) n`
  const tooMany = 'Too many scheduled messages (maximum 1000).'
  await fill(999, 1)
  t.equal((await schedule({}, 'moderator')).status, 200)
  expectRefusal(t, await schedule({}, 'moderator'), tooMany)
  t.equal((await schedule({}, 'administrator')).status, 200)
  await sql`update scheduled_messages set sent_id = 1 where user_id = 3`
  t.equal((await schedule({}, 'moderator')).status, 200, 'sent ones do not count')
  await sql`delete from scheduled_messages where user_id = 3`
  // Together they fit the bound of a registration.
  await fill(500, 10_000)
  expectRefusal(t, await schedule({}, 'moderator'), tooMany)
  await sql`delete from scheduled_messages where user_id = 3 and id = -500`
  t.equal((await schedule({}, 'moderator')).status, 200)
  await sql`delete from scheduled_messages where user_id = 3`
  await clear('administrator')
})

t.test('[SCHED61] an edit cannot exceed the limit of waiting messages', async (t) => {
  await sql`
    insert into scheduled_messages (id, user_id, channel_id, topic, content, rendered, deliver_at,
      is_read_by_sender, client, changed_id)
    values (-1, 3, ${town}, '', repeat('x', 4990000), '', ${LATER}, false, '', -1)`
  const path = `/scheduled_messages/${(await schedule({}, 'moderator')).body.scheduled_message_id}`
  const moderator = server.as('moderator')
  const tooMany = 'Too many scheduled messages (maximum 1000).'
  expectRefusal(t, await moderator.patch(path, { content: 'y'.repeat(5_000) }), tooMany)
  t.equal((await moderator.patch(path, { content: 'y'.repeat(4_000) })).status, 200)
  t.equal((await moderator.patch(path, { scheduled_delivery_timestamp: LATER })).status, 200)
  await sql`delete from scheduled_messages where user_id = 3`
})

t.test('[SCHED11] a sent message can no longer be changed', async (t) => {
  const sender = await openTestSender(t, server)
  const id = await scheduled()
  t.same(await sendDue(server, sender, LATER), { sent: 1, failed: 0 })
  t.same(await list(), [])
  expectRefusal(t, await edit(id, { content: 'x' }), 'Scheduled message was already sent')
  expectRefusal(t, await member.delete(`/scheduled_messages/${id}`), 'Scheduled message does not exist')
})

t.test('[SCHED12] a message that takes too long to render is not scheduled', async (t) => {
  const slow = await startTestServer(t, { clock, env: { RENDER_MS_MAX: '1' } })
  const client = slow.as('owner')
  const fields = { type: 'direct', to: [1], scheduled_delivery_timestamp: LATER }
  const hostile = '![['.repeat(3_333)
  expectRefusal(
    t,
    await client.post('/scheduled_messages', { ...fields, content: hostile }),
    'Unable to render message',
  )
  const { body } = await client.post('/scheduled_messages', { ...fields, content: 'x' })
  expectRefusal(
    t,
    await client.patch(`/scheduled_messages/${body.scheduled_message_id}`, { content: hostile }),
    'Unable to render message',
  )
})
