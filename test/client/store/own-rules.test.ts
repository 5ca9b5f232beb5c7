/** Rules that the client works out for its user, compared with the answers of a real server. */

import t from 'tap'
import { apply, type State } from '../../../client/store/apply.ts'
import { isMarkedGuest, warnedGuests } from '../../../client/store/derived/guests.ts'
import { postRefusal } from '../../../client/store/derived/post-refusal.ts'
import { readsOnScreen } from '../../../client/store/derived/reads-on-screen.ts'
import { recentConversations } from '../../../client/store/derived/recent-conversations.ts'
import type { DraftPlace } from '../../../client/store/drafts/draft-entry.ts'
import { REGISTRATION } from '../../../client/store/registration.ts'
import { MENTIONS, ofChannel, ofDirect, ofTopic } from '../../../client/store/narrows/narrow.ts'
import type { Event, Message } from '../../../packages/client/src/wire-types.ts'
import type { Fields } from '../../harness/client/client.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const [owner, member] = [server.as('owner'), server.as('member')]
const stateOf = async (person: Person) =>
  (await server.as(person).register(REGISTRATION as Fields)).state as unknown as State

t.test('[STORE90] the client knows beforehand why the user may not write to a place', async (t) => {
  await owner.subscribe(['open', 'closed', 'archived', 'named'], { principals: [1, 4] })
  await owner.subscribe(['hidden'], { invite_only: true })
  const { group_id: groupId } = await owner.must('POST', '/user_groups/create', {
    name: 'constructor',
    description: 'A name that each object has, too',
    members: [1],
  })
  const noOne = { direct_members: [1], direct_subgroups: [] }
  await owner.must('PATCH', '/streams/2', { can_send_message_group: JSON.stringify({ new: noOne }) })
  await owner.must('PATCH', '/streams/4', { can_send_message_group: JSON.stringify({ new: groupId }) })
  await owner.must('DELETE', '/streams/3')
  const bot = await member.must('POST', '/bots', { full_name: 'Robot', short_name: 'robot' })
  const others = [[], [1], [5], [bot.user_id], [1, bot.user_id], [5, bot.user_id]]
  const places: readonly DraftPlace[] = [
    ...[1, 2, 3, 4, 5].map((channelId) => ({ type: 'channel' as const, channelId, topic: 'topic' })),
    ...others.map((userIds) => ({ type: 'direct' as const, userIds })),
  ]
  const owners = (await stateOf('owner')).realm_user_groups?.find(({ name }) => name === 'role:owners')?.id
  const compare = async (person: Person, when: string) => {
    const state = await stateOf(person)
    for (const place of places) {
      const to =
        place.type === 'channel'
          ? { type: 'channel', to: place.channelId, topic: 'topic' }
          : { type: 'direct', to: [...place.userIds, ...(place.userIds.length === 0 ? [state.user_id] : [])] }
      const { status } = await server.as(person).post('/messages', { ...to, content: 'text' })
      t.equal(
        postRefusal(state, place) === undefined,
        status === 200,
        `${person} to ${JSON.stringify(place)} ${when}`,
      )
    }
    return state
  }
  const state = await compare('member', 'at first')
  await compare('owner', 'at first')
  t.equal(postRefusal(state, { type: 'channel', channelId: 2, topic: 'a' }), 'Only The owner can post here.')
  t.equal(
    postRefusal(state, { type: 'channel', channelId: 4, topic: 'a' }),
    'Only the group constructor can post here.',
  )
  const nobody = state.realm_user_groups?.find(({ name }) => name === 'role:nobody')?.id
  await owner.must('PATCH', '/streams/4', { can_send_message_group: { new: nobody } })
  t.equal(
    postRefusal(await compare('member', 'where nobody may post'), {
      type: 'channel',
      channelId: 4,
      topic: 'a',
    }),
    'No one can post here.',
  )
  await owner.must('PATCH', '/realm', { direct_message_permission_group: { new: owners } })
  await compare('member', 'where only owners may write direct messages')
  await owner.must('DELETE', '/users/5')
  t.match(postRefusal(await stateOf('member'), { type: 'direct', userIds: [5] }), /^The member2 has left/)
})

t.test('[STORE91] messages are read on the screen always, in single conversations, or never', async (t) => {
  const narrows = [ofTopic(1, 'a'), ofDirect([1]), ofChannel(1), MENTIONS, []]
  const expected = { 1: [true, true, true, true, true], 2: [true, true, false, false, false], 3: [] }
  for (const [policy, read] of Object.entries(expected)) {
    await member.must('PATCH', '/settings', { web_mark_read_on_scroll_policy: Number(policy) })
    const state = await stateOf('member')
    t.same(
      narrows.map((narrow) => readsOnScreen(state, narrow)),
      narrows.map((_, index) => read[index] ?? false),
      `policy ${policy}`,
    )
  }
})

t.test('[STORE92] guests are marked, and warned of, as the organization wants', async (t) => {
  for (const isOn of [true, false]) {
    await owner.must('PATCH', '/realm', {
      enable_guest_user_indicator: isOn,
      enable_guest_user_dm_warning: isOn,
    })
    const state = await stateOf('member')
    t.equal(isMarkedGuest(state, 6), isOn)
    t.equal(isMarkedGuest(state, 1), false)
    t.same(warnedGuests(state, [1, 6]), isOn ? [6] : [])
    t.same(warnedGuests(await stateOf('guest'), [6]), [], 'guests need no warning')
  }
})

t.test(
  '[STORE93] a recent conversation has its newest message, its senders and its unread count',
  async (t) => {
    await member.must('POST', '/mark_all_as_read')
    await owner.send('open', 'lunch', 'Noodles?')
    await member.send('open', 'Lunch', 'Soup')
    const newest = await owner.send('open', 'lunch', 'Both')
    const other = await owner.send('open', 'quiet', 'Hush')
    await member.must('POST', '/user_topics', { stream_id: 1, topic: 'quiet', visibility_policy: 1 })
    const { messages } = await member.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 4,
      num_after: 0,
      narrow: [{ operator: 'channel', operand: 1 }],
    })
    const found = recentConversations(await stateOf('member'), messages as unknown as Message[])
    t.match(found, [
      { newest: { id: other }, isMuted: true, hasOwn: false, senderIds: [1] },
      { newest: { id: newest }, isMuted: false, hasOwn: true, senderIds: [1, 4], unreadCount: 3 },
    ])
  },
)

t.test(
  '[STORE112] an unread mention stays one in its new place, and is lost where the user is not',
  async (t) => {
    await owner.subscribe(['moored', 'at sea'], { principals: [1, 4] })
    await owner.subscribe(['ashore'], { principals: [1] })
    const idOf = async (name: string) =>
      (await owner.must('GET', '/get_stream_id', { stream: name })).stream_id
    const steps = [
      { topic: 'renamed' },
      { stream_id: await idOf('at sea') },
      { stream_id: await idOf('ashore') },
    ]
    const ids = [
      await owner.send('moored', 'topic', '@**The member|4**'),
      await owner.send('moored', 'topic', 'text'),
    ]
    const queue = await member.register(REGISTRATION as Fields)
    let state = queue.state as unknown as State
    const mentions: unknown[] = []
    for (const step of steps) {
      await owner.must('PATCH', `/messages/${ids[0]}`, {
        ...step,
        propagate_mode: 'change_all',
        send_notification_to_new_thread: false,
        send_notification_to_old_thread: false,
      })
      for (const event of await member.events(queue)) state = apply(state, event as Event)
      t.same(state.unread_msgs, (await stateOf('member')).unread_msgs, JSON.stringify(step))
      mentions.push(state.unread_msgs?.mentions.filter((id) => ids.includes(id)))
    }
    t.same(mentions, [[ids[0]], [ids[0]], []])
  },
)
