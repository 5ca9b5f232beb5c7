import t from 'tap'
import type { ChannelChange } from '../../../server/domain/events/channels.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import type { OrganizationPermissions } from '../../../server/domain/groups/permissions.ts'
import { SYSTEM_GROUPS } from '../../../server/domain/groups/system-groups.ts'
import type { TopicsPolicy } from '../../../server/domain/entities.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
for (const name of ['town', 'square', 'rooms', 'attic', 'lounge'])
  await owner.subscribe([name], { principals: [1, 4, 6] })

const send = (person: Person, channel: string | number, topic = 'news') =>
  server.as(person).post('/messages', {
    type: 'channel',
    to: JSON.stringify(channel),
    topic,
    content: 'hello',
  })
const write = (person: Person, to: readonly number[]) =>
  server.as(person).post('/messages', { type: 'direct', to, content: 'hello' })
const permit = (name: string, permission: 'canSendMessage' | 'canCreateTopic', setting: unknown) =>
  setUpChannel(server, name, { kind: 'permission', permission, setting } as ChannelChange)
const setTopicsPolicy = (name: string, topicsPolicy: TopicsPolicy) =>
  setUpChannel(server, name, { kind: 'topicsPolicy', topicsPolicy })
const setPermissions = (permissions: Partial<OrganizationPermissions>) =>
  commitEvents(server, [{ type: 'realm/update_dict', changes: { permissions } }])
const setOrganizationTopics = (topicsPolicy: 'allow_empty_topic' | 'disable_empty_topic') =>
  commitEvents(server, [{ type: 'realm/update_dict', changes: { settings: { topicsPolicy } } }])

t.test('[POST1] an archived channel accepts no messages', async (t) => {
  await setUpChannel(server, 'attic', { kind: 'archived', isArchived: true })
  for (const person of ['owner', 'member', 'member2', 'guest'] as const) {
    expectRefusal(t, await send(person, 'attic'), "Not authorized to send to channel 'attic'")
  }
  expectRefusal(t, await send('owner', 4), "Not authorized to send to channel 'attic'")
  await owner.subscribe(['cellar'], { invite_only: true })
  await setUpChannel(server, 'cellar', { kind: 'archived', isArchived: true })
  expectRefusal(t, await send('member', 'cellar'), "Channel 'cellar' does not exist", {
    code: 'STREAM_DOES_NOT_EXIST',
    stream: 'cellar',
  })
  await setUpChannel(server, 'attic', { kind: 'archived', isArchived: false })
  t.equal((await send('member', 'attic')).status, 200)
})

t.test('[POST2] a channel accepts messages from users with its permission', async (t) => {
  const refused = 'You do not have permission to post in this channel.'
  await permit('square', 'canSendMessage', SYSTEM_GROUPS.moderators)
  t.equal((await send('moderator', 'square')).status, 200)
  t.equal((await send('owner', 'square')).status, 200)
  const events = await expectConsistent(server, async () => {
    for (const person of ['member', 'member2', 'guest', 'bot'] as const) {
      expectRefusal(t, await send(person, 'square'), refused)
    }
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] })
  await permit('square', 'canSendMessage', { directMembers: [6 as UserId], directSubgroups: [] })
  t.equal((await send('guest', 'square')).status, 200)
  expectRefusal(t, await send('owner', 'square'), refused)
  await permit('square', 'canSendMessage', SYSTEM_GROUPS.nobody)
  expectRefusal(t, await send('guest', 'square'), refused)
  await permit('square', 'canSendMessage', SYSTEM_GROUPS.everyone)
  t.equal((await send('member2', 'square')).status, 200)
})

t.test('[POST3] a user who cannot read a channel does not learn who may post there', async (t) => {
  await owner.subscribe(['secret'], { invite_only: true })
  await permit('secret', 'canSendMessage', SYSTEM_GROUPS.nobody)
  const unknown = { code: 'STREAM_DOES_NOT_EXIST', stream: 'secret' }
  expectRefusal(t, await send('member', 'secret'), "Channel 'secret' does not exist", unknown)
  expectRefusal(t, await send('administrator', 'secret'), "Channel 'secret' does not exist", unknown)
})

t.test(
  '[POST4] a channel without the empty topic refuses it, and one with only that refuses others',
  async (t) => {
    const noEmpty = 'Sending messages to the general chat is not allowed in this channel.'
    const onlyEmpty = 'Only the general chat topic is allowed in this channel.'
    const names = ['', ' ', '(no topic)', 'general chat']
    await setTopicsPolicy('rooms', 'disable_empty_topic')
    for (const topic of names) expectRefusal(t, await send('owner', 'rooms', topic), noEmpty)
    t.equal((await send('member', 'rooms', 'named')).status, 200)
    await setTopicsPolicy('lounge', 'empty_topic_only')
    for (const topic of names) t.equal((await send('member', 'lounge', topic)).status, 200)
    expectRefusal(t, await send('owner', 'lounge', 'named'), onlyEmpty)
    await setTopicsPolicy('rooms', 'allow_empty_topic')
    for (const topic of ['', 'named']) t.equal((await send('member', 'rooms', topic)).status, 200)
  },
)

t.test('[POST5] a channel with the inherited policy follows the organization', async (t) => {
  await setTopicsPolicy('rooms', 'inherit')
  t.equal((await send('member', 'rooms', '')).status, 200)
  await setOrganizationTopics('disable_empty_topic')
  expectRefusal(
    t,
    await send('owner', 'rooms', ''),
    'Sending messages to the general chat is not allowed in this channel.',
  )
  t.equal((await send('member', 'rooms', 'named')).status, 200)
  await setTopicsPolicy('rooms', 'allow_empty_topic')
  t.equal((await send('member', 'rooms', '')).status, 200)
  await setOrganizationTopics('allow_empty_topic')
})

t.test('[POST6] new topics need the permission; everyone can write in existing ones', async (t) => {
  const refused = 'You do not have permission to create new topics in this channel.'
  await permit('rooms', 'canCreateTopic', SYSTEM_GROUPS.moderators)
  // Nobody has read it: nothing of it is cached.
  expectRefusal(t, await send('member', 'rooms', 'fresh'), refused)
  t.equal((await send('moderator', 'rooms', 'fresh')).status, 200)
  t.equal((await send('member', 'rooms', 'FRESH')).status, 200)
  const narrow = [['channel', 'rooms']]
  await owner.must('GET', '/messages', { anchor: 'newest', num_before: 1, narrow })
  t.equal((await send('member', 'rooms', 'fresh')).status, 200)
  expectRefusal(t, await send('member', 'rooms', 'fresher'), refused)
  expectRefusal(t, await send('guest', 'rooms', 'fresher'), refused)
  // A topic of another channel is not a topic of this one.
  await send('owner', 'town', 'fresher')
  expectRefusal(t, await send('member', 'rooms', 'fresher'), refused)
  await owner.must('POST', '/streams/3/delete_topic', { topic_name: 'fresh' })
  expectRefusal(t, await send('member', 'rooms', 'fresh'), refused)
  await permit('rooms', 'canCreateTopic', SYSTEM_GROUPS.everyone)
  t.equal((await send('guest', 'rooms', 'fresher')).status, 200)
})

t.test('[POST7] messages keep their order even if some topics must be loaded', async (t) => {
  await send('owner', 'rooms', 'long ago')
  await Promise.all(Array.from({ length: 300 }, () => send('owner', 'rooms', 'lately')))
  const narrow = [['channel', 'rooms']]
  await owner.must('GET', '/messages', { anchor: 'newest', num_before: 1, narrow })
  await permit('rooms', 'canCreateTopic', SYSTEM_GROUPS.nobody)
  const sent = ['long ago', 'lately', 'long ago', 'lately'].map((topic) => send('member', 'rooms', topic))
  const ids = (await Promise.all(sent)).map(({ body }) => body.id)
  t.same(
    ids,
    ids.toSorted((a, b) => a - b),
  )
  await permit('rooms', 'canCreateTopic', SYSTEM_GROUPS.everyone)
})

t.test(
  '[POST8] a direct message needs one participant with the permission; bots and oneself are exempt',
  async (t) => {
    const unauthorized = 'This conversation does not include any users who can authorize it.'
    await setPermissions({ directMessagePermission: SYSTEM_GROUPS.moderators })
    expectRefusal(t, await write('member', [5]), unauthorized)
    expectRefusal(t, await write('member', [5, 6]), unauthorized)
    expectRefusal(t, await write('bot', [4]), unauthorized)
    expectRefusal(t, await write('member', [5, 7]), unauthorized)
    t.equal((await write('member', [3])).status, 200)
    t.equal((await write('moderator', [4])).status, 200)
    t.equal((await write('member', [5, 2])).status, 200)
    t.equal((await write('member', [4])).status, 200)
    t.equal((await write('member', [7])).status, 200)
    await setPermissions({ directMessagePermission: SYSTEM_GROUPS.nobody })
    for (const [person, to] of [
      ['owner', [4]],
      ['member', [3]],
    ] as const) {
      expectRefusal(t, await write(person, to), 'Direct messages are disabled in this organization.')
    }
    t.equal((await write('owner', [1])).status, 200)
    t.equal((await write('owner', [7])).status, 200)
    await setPermissions({ directMessagePermission: SYSTEM_GROUPS.everyone })
    t.equal((await write('member', [5])).status, 200)
  },
)

t.test('[POST9] only users with the permission begin conversations; everyone in one can reply', async (t) => {
  const refused = 'You do not have permission to initiate direct message conversations.'
  await setPermissions({ directMessageInitiator: SYSTEM_GROUPS.moderators })
  expectRefusal(t, await write('guest', [3]), refused)
  // The refusal leaves no conversation behind.
  expectRefusal(t, await write('guest', [3]), refused)
  expectRefusal(t, await write('bot', [3]), refused)
  t.equal((await write('moderator', [6])).status, 200)
  t.equal((await write('guest', [3])).status, 200)
  expectRefusal(t, await write('guest', [3, 4]), refused)
  t.equal((await write('guest', [6])).status, 200)
  t.equal((await write('guest', [7])).status, 200)
  await setPermissions({ directMessageInitiator: SYSTEM_GROUPS.everyone })
  t.equal((await write('guest', [3, 4])).status, 200)
})

t.test('[POST10] a right that is lost while a message is on its way no longer counts', async (t) => {
  const slow = 'word '.repeat(1_500)
  const [answer] = await Promise.all([
    server.as('member').post('/messages', { type: 'channel', to: 'town', topic: 'x', content: slow }),
    permit('town', 'canSendMessage', SYSTEM_GROUPS.nobody),
  ])
  const narrow = [
    ['channel', 'town'],
    ['topic', 'x'],
  ]
  const { messages } = await owner.must('GET', '/messages', { anchor: 'newest', num_before: 9, narrow })
  t.equal(messages.length, answer.status === 200 ? 1 : 0)
  if (answer.status !== 200) expectRefusal(t, answer, 'You do not have permission to post in this channel.')
  expectRefusal(t, await send('member', 'town', 'x'), 'You do not have permission to post in this channel.')
})
