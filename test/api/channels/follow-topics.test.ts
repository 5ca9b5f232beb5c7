/** Topics that are followed or unmuted automatically. */

import t from 'tap'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const NOW = 1_790_000_000
const server = await startTestServer(t, { clock: new ManualClock(NOW * 1_000) })
const [owner, member] = [server.as('owner'), server.as('member')]
await owner.subscribe(['town', 'loud'], { principals: [1, 4, 5, 6] })
const [town, loud] = [channelIdOf(server, 'town'), channelIdOf(server, 'loud')]
await member.must('POST', '/users/me/subscriptions/properties', {
  subscription_data: [{ stream_id: loud, property: 'is_muted', value: true }],
})

const TAKES_PART = 1
const SENDS = 2
const STARTS = 3
const NEVER = 4
const FOLLOWED = 3
const UNMUTED = 2

const ask = (follow: number, unmute = NEVER, whereMentioned = false, person: Person = 'member') =>
  server.as(person).must('PATCH', '/settings', {
    automatically_follow_topics_policy: follow,
    automatically_unmute_topics_in_muted_streams_policy: unmute,
    automatically_follow_topics_where_mentioned: whereMentioned,
  })
/** The reply of a send besides its id. */
const send = async (topic: string, channel = 'town', person: Person = 'member', content = 'x') => {
  const {
    result: _,
    msg: __,
    id: ___,
    ...more
  } = await server
    .as(person)
    .must('POST', '/messages', { type: 'channel', to: JSON.stringify(channel), topic, content })
  return more
}
const FOLLOWS = { automatic_new_visibility_policy: FOLLOWED }
const UNMUTES = { automatic_new_visibility_policy: UNMUTED }
const topicsOf = async (person: Person = 'member') =>
  (await server.as(person).must('POST', '/register', { fetch_event_types: ['user_topic'] })).user_topics.map(
    (one: Record<string, unknown>) => [one.stream_id, one.topic_name, one.visibility_policy],
  )
const said = async (topic: string) => (await topicsOf()).find(([, name]) => name === topic)?.[2] ?? 0
const say = (topic: string, visibility_policy: number, stream_id: number = town) =>
  member.must('POST', '/user_topics', { stream_id, topic, visibility_policy })

t.test('[AUTOFOLLOW1] topics are not followed automatically unless the user chooses it', async (t) => {
  t.same(await send('plain'), {})
  t.same(await send('plain', 'loud'), {})
  await member.must('POST', `/messages/${await owner.send('town', 'plain', 'x')}/reactions`, {
    emoji_name: 'smile',
  })
  t.same(await topicsOf(), [])
})

t.test(
  '[AUTOFOLLOW2] sending to a topic follows it, and the sender gets that event after the message',
  async (t) => {
    await ask(SENDS)
    const events = await expectConsistent(server, async () => {
      t.same(await send('a'), FOLLOWS)
      t.same(await send('A'), {}, 'followed')
    })
    const [message, userTopic, again, ...rest] = withoutIds(events.member)
    t.same([message.type, again.type, rest], ['message', 'message', []])
    t.same(userTopic, {
      type: 'user_topic',
      stream_id: town,
      topic_name: 'a',
      last_updated: NOW,
      visibility_policy: FOLLOWED,
    })
    t.same(
      events.owner?.map(({ type }) => type),
      ['message', 'message'],
    )
    t.equal(
      (await member.must('POST', '/messages', { type: 'direct', to: [1], content: 'x' })).result,
      'success',
    )
  },
)

t.test('[AUTOFOLLOW3] with the policy for started topics, only those are followed', async (t) => {
  await ask(STARTS)
  await owner.send('town', 'theirs', 'x')
  t.same(await send('theirs'), {})
  t.same(await send('mine'), FOLLOWS)
  await say('mine', 0)
  t.same(await send('mine'), {})
})

t.test(
  '[AUTOFOLLOW4] with the policy for participation, reactions and polls follow a topic, too',
  async (t) => {
    const poll = await owner.send('town', 'poll', '/poll Tea?\nyes')
    const vote = () =>
      member.must('POST', '/submessage', {
        message_id: poll,
        msg_type: 'widget',
        content: JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 }),
      })
    const react = async (id: number) =>
      member.must('POST', `/messages/${id}/reactions`, { emoji_name: 'smile' })
    await ask(SENDS)
    await vote()
    await react(poll)
    t.equal(await said('poll'), 0)
    await ask(TAKES_PART)
    await vote()
    t.equal(await said('poll'), FOLLOWED)
    await say('poll', 1)
    const other = await owner.send('town', 'poll', 'x')
    await react(other)
    t.equal(await said('poll'), FOLLOWED, 'the muted topic is followed')
    t.same(await send('by sending'), FOLLOWS)
    const direct = await owner.sendDirect([4], 'x')
    await react(direct)
  },
)

t.test('[AUTOFOLLOW5] topics of muted channels are unmuted, and a visibility is never lowered', async (t) => {
  await ask(NEVER, SENDS)
  t.same(await send('b', 'town'), {}, 'the channel is not muted')
  t.same(await send('b', 'loud'), UNMUTES)
  t.same(await send('b', 'loud'), {})
  await say('c', FOLLOWED, loud)
  t.same(await send('c', 'loud'), {})
  await ask(SENDS, SENDS)
  t.same(await send('b', 'loud'), FOLLOWS)
  await ask(NEVER, STARTS)
  t.same(await send('d', 'loud'), UNMUTES)
  await owner.send('loud', 'e', 'x')
  t.same(await send('e', 'loud'), {})
})

t.test('[AUTOFOLLOW6] a mention by name follows the topic for users with that setting', async (t) => {
  await ask(NEVER, NEVER, true)
  await ask(NEVER, NEVER, true, 'guest')
  const events = await expectConsistent(server, async () => {
    t.same(await send('f', 'town', 'owner', '@**The member** @**The member2** and @_**The guest**'), {})
    t.same(await send('g', 'town', 'owner', '@**all**'), {})
    t.same(await send('h', 'town', 'member', '@**The member**'), FOLLOWS)
  })
  const followed = (person: Person) =>
    events[person]?.flatMap(({ type, topic_name }) => (type === 'user_topic' ? [topic_name] : []))
  t.same(followed('member'), ['f', 'h'])
  for (const person of ['owner', 'member2', 'guest'] as const) t.same(followed(person), [])
})

t.test('[AUTOFOLLOW7] a retry of a send changes no visibility', async (t) => {
  await ask(SENDS)
  const fields = { type: 'channel', to: '"town"', topic: 'i', content: 'x', queue_id: 'q', local_id: '1' }
  const first = await member.must('POST', '/messages', fields)
  t.equal(first.automatic_new_visibility_policy, FOLLOWED)
  const again = await member.must('POST', '/messages', fields)
  t.same([again.id, again.automatic_new_visibility_policy], [first.id, undefined])
})

t.test('[AUTOFOLLOW8] a user at the limit of topic visibilities can still send', async (t) => {
  const { state } = server.node.services
  const userId = member.userId as never
  for (let made = state.userTopics.get(userId)?.size ?? 0; made < 10_000; made++)
    state.placeUserTopic(userId, { channelId: town, topic: `t${made}`, visibility: 1, updatedAt: 0 })
  t.same(await send('no room'), {})
  t.same(await send('t9999'), FOLLOWS, 'an existing visibility can change')
})
