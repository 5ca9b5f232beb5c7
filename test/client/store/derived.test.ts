/** Values that the client derives from its state, compared with the answers of a real server. */

import t from 'tap'
import type { State } from '../../../client/store/apply.ts'
import { REGISTRATION } from '../../../client/store/registration.ts'
import { channelsById, channelSections } from '../../../client/store/derived/channels.ts'
import { directConversations } from '../../../client/store/derived/direct-conversations.ts'
import { mayCreateTopic, mayPost } from '../../../client/store/derived/message-permissions.ts'
import { mayAdministerChannel, mayJoin } from '../../../client/store/derived/membership-permissions.ts'
import { Typing, typingKeys } from '../../../client/store/derived/typing.ts'
import {
  conversationKey,
  isTopicMuted,
  unreadOf,
  visibilityOf,
} from '../../../client/store/derived/unread.ts'
import { nameOf, presenceOf, usersById } from '../../../client/store/derived/users.ts'
import type { Event } from '../../../packages/client/src/index.ts'
import { applyFrozen } from '../../harness/states/apply-frozen.ts'
import type { Client, Fields } from '../../harness/client/client.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'

const clock = new ManualClock()
const server = await startTestServer(t, { clock })
const [owner, member] = [server.as('owner'), server.as('member')]
const stateOf = async (client: Client) =>
  (await client.register(REGISTRATION as Fields)).state as unknown as State
const setTopic = (topic: string, visibility_policy: number) =>
  member.must('POST', '/user_topics', { stream_id: 1, topic, visibility_policy })

await owner.subscribe(['open'], { principals: [1, 4, 5] })
await owner.subscribe(['shared'], { principals: [1, 4, 6], invite_only: true })
await owner.subscribe(['announcements'], { principals: [1, 4, 6] })
await owner.must('PATCH', '/streams/3', { can_send_message_group: JSON.stringify({ new: 1 }) })
await owner.must('PATCH', '/streams/1', {
  can_administer_channel_group: JSON.stringify({ new: { direct_members: [5], direct_subgroups: [] } }),
})
await owner.subscribe(['archived'], { principals: [1, 4] })
await owner.must('DELETE', '/streams/4')

t.test(
  '[STORE40] unread messages are counted by channel, topic and conversation, without muted ones',
  async (t) => {
    for (const topic of ['plain', 'plain', 'muted', 'followed']) await owner.send('open', topic, 'text')
    await owner.send('shared', 'other', '@**The member|4**')
    await owner.send('shared', 'unmuted', 'text')
    await owner.sendDirect([4], 'direct')
    await owner.sendDirect([4, 5], 'three')
    await setTopic('muted', 1)
    await setTopic('followed', 3)
    await member.must('POST', '/user_topics', { stream_id: 2, topic: 'unmuted', visibility_policy: 2 })
    await member.must('POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: 2, property: 'is_muted', value: true }],
    })
    const state = await stateOf(member)
    const unread = unreadOf(state)
    t.match(unread.channels.get(1), { count: 3, mutedCount: 1, hasMention: false })
    t.same(
      unread.channels.get(1)?.topics.map(({ topic, isMuted, isFollowed }) => [topic, isMuted, isFollowed]),
      [
        ['followed', false, true],
        ['muted', true, false],
        ['plain', false, false],
      ],
    )
    t.match(unread.channels.get(2), { count: 1, mutedCount: 1, hasMention: true })
    t.equal(unread.direct.get(conversationKey([1])), 1)
    t.equal(unread.direct.get(conversationKey([5, 1])), 1)
    t.equal(unread.mentions, 1)
    t.equal(unread.total, 6)
    t.equal(visibilityOf(state, 1, 'FOLLOWED'), 'followed')
    t.equal(isTopicMuted(state, 2, 'anything'), true)
    t.same(
      directConversations(state).map(({ otherIds, names, unreadCount }) => ({
        otherIds,
        names,
        unreadCount,
      })),
      [
        { otherIds: [1, 5], names: ['The owner', 'The member2'], unreadCount: 1 },
        { otherIds: [1], names: ['The owner'], unreadCount: 1 },
      ],
    )
  },
)

t.test('[STORE41] channels are in sections: pinned ones, folders in their order, the others', async (t) => {
  const { channel_folder_id: last } = await owner.must('POST', '/channel_folders/create', { name: 'Last' })
  const { channel_folder_id: first } = await owner.must('POST', '/channel_folders/create', { name: 'First' })
  await owner.must('PATCH', '/channel_folders', { order: [first, last] })
  await owner.must('PATCH', '/streams/1', { folder_id: last })
  await member.must('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: 3, property: 'pin_to_top', value: true }],
  })
  const sections = channelSections(await stateOf(member))
  t.same(
    sections.map(({ kind, folder, channels }) => [kind, folder?.name, channels.map(({ name }) => name)]),
    [
      ['pinned', undefined, ['announcements']],
      ['folder', 'Last', ['open']],
      ['other', undefined, ['shared']],
    ],
  )
})

t.test('[STORE42] the client knows beforehand who may post, administer and join', async (t) => {
  for (const person of ['owner', 'member', 'member2', 'guest'] as readonly Person[]) {
    const client = server.as(person)
    const state = await stateOf(client)
    for (const id of [1, 2, 3, 4]) {
      const topic = `by ${person}`
      const sent = await client.post('/messages', { type: 'channel', to: id, topic, content: 'text' })
      t.equal(
        mayPost(state, id) && mayCreateTopic(state, id),
        sent.status === 200,
        `${person} posts to ${id}`,
      )
      if (id === 4) continue
      const changed = await client.patch(`/streams/${id}`, { description: `changed by ${person}` })
      t.equal(mayAdministerChannel(state, id), changed.status === 200, `${person} administers ${id}`)
      const { channel, subscription } = channelsById(state).get(id) ?? {}
      if (!channel || subscription) continue
      const joined = await client.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] })
      t.equal(mayJoin(state, id), joined.status === 200, `${person} joins ${id}`)
    }
  }
})

t.test('[STORE43] a derived value is the same object until a part that it reads changes', async (t) => {
  const queue = await member.register(REGISTRATION as Fields)
  const before = queue.state as unknown as State
  const [users, sections, unread] = [usersById(before), channelSections(before), unreadOf(before)]
  await owner.sendDirect([4], 'another')
  const after = applyFrozen(before, await member.events(queue)) as unknown as State
  t.equal(usersById(after), users)
  t.equal(channelSections(after), sections)
  t.not(unreadOf(after), unread)
  t.equal(nameOf(after, 1), 'The owner')
  t.equal(nameOf(after, 99), 'Unknown user')
})

t.test('[STORE44] presence follows the last reports', async (t) => {
  await owner.must('POST', '/users/me/presence', { status: 'active' })
  await server.as('member2').must('POST', '/users/me/presence', { status: 'idle' })
  const state = await stateOf(member)
  const now = Math.floor(clock.nowMs() / 1_000)
  t.equal(presenceOf(state, 1, now), 'active')
  t.equal(presenceOf(state, 5, now), 'idle')
  t.equal(presenceOf(state, 1, now + 1_000), 'offline')
  t.equal(presenceOf(state, 6, now), 'offline')
})

t.test('[STORE45] typing ends with a message, by itself, or after a while', async (t) => {
  const queue = await member.register(REGISTRATION as Fields)
  const typing = new Typing(() => clock.nowMs())
  const follow = async () => {
    for (const event of (await member.events(queue)) as unknown as Event[]) typing.apply(event, 15_000)
  }
  const [topic, direct] = [typingKeys.topic(1, 'Topic'), typingKeys.direct([4, 1])]
  const startDirect = () => owner.must('POST', '/typing', { op: 'start', to: [4] })
  await server
    .as('member2')
    .must('POST', '/typing', { type: 'stream', op: 'start', stream_id: 1, topic: 'topic' })
  await startDirect()
  await follow()
  t.same(typing.at(topic), [5])
  t.same(typing.at(direct), [1])
  await owner.sendDirect([4], 'done')
  await follow()
  t.same(typing.at(direct), [])
  await startDirect()
  await follow()
  await owner.must('POST', '/typing', { op: 'stop', to: [4] })
  await follow()
  t.same(typing.at(direct), [])
  const untilMs = typing.expire() as number
  clock.advance(15_000)
  t.ok(untilMs <= clock.nowMs())
  t.same(typing.at(topic), [])
  t.equal(typing.expire(), undefined)
  t.same(typing.typists.value, [])
})
