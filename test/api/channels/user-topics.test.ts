import t from 'tap'
import type { Fields } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'
import type { WireEvent } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town'], { principals: [1, 4, 6] })
await owner.subscribe(['secret'], { invite_only: true, principals: [1, 4] })
const [TOWN, SECRET] = [1, 2]

const say = (person: Person, topic: unknown, visibility_policy: unknown, fields: Fields = {}) =>
  server.as(person).post('/user_topics', { stream_id: TOWN, topic, visibility_policy, ...fields })
const mute = (person: Person, op: unknown, topic: unknown, fields: Fields = { stream_id: TOWN }) =>
  server.as(person).patch('/users/me/subscriptions/muted_topics', { op, topic, ...fields })
const known = (person: Person, capabilities = { empty_topic_name: true }) =>
  server.as(person).must('POST', '/register', {
    fetch_event_types: ['user_topic', 'muted_topics'],
    client_capabilities: capabilities,
  })
const policies = async (person: Person, capabilities?: { empty_topic_name: boolean }) =>
  (await known(person, capabilities)).user_topics.map((one) => [one.topic_name, one.visibility_policy])
const muted = async (person: Person) =>
  (await known(person)).muted_topics.map(([channel, topic]) => [channel, topic])
const types = (events: readonly Pick<WireEvent, 'type'>[] = []) => events.map(({ type }) => type)

t.test(
  '[UTOPIC1] a topic is muted, unmuted, followed and reset, and only the user gets the event',
  async (t) => {
    const received = await expectConsistent(server, async () => {
      for (const policy of [1, 2, 3, 0]) {
        const { status, body } = await say('member', 'news', policy)
        t.same([status, body], [200, { result: 'success', msg: '' }])
        t.same(await policies('member'), policy === 0 ? [] : [['news', policy]])
      }
    })
    const events = withoutIds(received.member)
    const userTopics = events.filter(({ type }) => type === 'user_topic')
    t.same(
      userTopics.map(({ visibility_policy }) => visibility_policy),
      [1, 2, 3, 0],
    )
    t.match(userTopics[0], { stream_id: TOWN, topic_name: 'news', last_updated: Number })
    // The older list changes when a topic is muted or unmuted.
    t.same(types(events), [
      'user_topic',
      'muted_topics',
      'user_topic',
      'muted_topics',
      'user_topic',
      'user_topic',
    ])
    t.match(events[1].muted_topics, [['town', 'news', Number]])
    t.same(events[3].muted_topics, [])
    t.same([received.owner, received.member2, received.guest], [[], [], []])
  },
)

t.test('[UTOPIC2] topics ignore case, and the last spelling is shown', async (t) => {
  await say('member', 'Straße', 1)
  await say('member', 'STRAßE', 3)
  t.same(await policies('member'), [['STRAßE', 3]])
  const events = await expectConsistent(server, async () => {
    t.equal((await say('member', 'straße', 3)).status, 200)
    t.equal((await say('member', 'never said', 0)).status, 200)
  })
  t.same(events.member, [])
  await say('member', 'straße', 0)
  t.same(await policies('member'), [])
})

t.test('[UTOPIC3] every name of the empty topic means it; older clients get its display name', async (t) => {
  for (const topic of ['', ' ', '(no topic)', 'general chat']) {
    await say('member', topic, 1)
    t.same(await policies('member'), [['', 1]])
    t.same(await policies('member', { empty_topic_name: false }), [['general chat', 1]])
    t.same(await muted('member'), [['town', 'general chat']])
    await say('member', '', 0)
  }
})

t.test('[UTOPIC4] a topic has at most 60 code points', async (t) => {
  const topic = '😀'.repeat(60)
  t.equal((await say('member', ` ${topic} `, 1)).status, 200)
  t.same(await policies('member'), [[topic, 1]])
  expectRefusal(t, await say('member', `${topic}x`, 1), 'topic is too long (limit: 60 characters)')
  expectRefusal(t, await mute('member', 'add', `${topic}x`), 'topic is too long (limit: 60 characters)')
  expectRefusal(t, await say('member', 'a\0b', 1), 'topic must not contain null characters')
  await say('member', topic, 0)
})

t.test('[UTOPIC5] parameters are required and checked', async (t) => {
  for (const name of ['stream_id', 'topic', 'visibility_policy']) {
    expectRefusal(t, await say('member', 'x', 1, { [name]: undefined }), `Missing '${name}' argument`, {
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: name,
    })
  }
  expectRefusal(t, await say('member', 'x', -1), 'Invalid visibility_policy')
  expectRefusal(t, await say('member', 'x', 4), 'Invalid visibility_policy')
  expectRefusal(t, await say('member', 'x', 1.5), 'visibility_policy is not an integer')
  expectRefusal(t, await say('member', 'x', 1, { stream_id: 'town' }), 'stream_id is not valid JSON')
})

t.test('[UTOPIC6] an unreadable channel looks absent', async (t) => {
  for (const [person, id] of [
    ['member2', SECRET],
    ['administrator', SECRET],
    ['member', 999],
  ] as const) {
    expectRefusal(t, await say(person, 'x', 1, { stream_id: id }), 'Invalid channel ID')
    expectRefusal(t, await mute(person, 'add', 'x', { stream_id: id }), 'Invalid channel ID')
  }
  for (const stream of ['secret', 'absent']) {
    expectRefusal(t, await mute('member2', 'add', 'x', { stream }), `Invalid channel name '${stream}'`)
  }
  // Read access suffices, without a subscription.
  t.equal((await say('member2', 'x', 3)).status, 200)
  await owner.subscribe(['square'])
  expectRefusal(t, await say('guest', 'x', 1, { stream_id: 3 }), 'Invalid channel ID')
  t.equal((await say('guest', 'x', 1)).status, 200)
})

t.test('[UTOPIC7] the older request mutes and unmutes, by the id or the name of the channel', async (t) => {
  const events = await expectConsistent(server, async () => {
    t.same((await mute('member', 'add', 'old')).body, { result: 'success', msg: '' })
    t.equal((await mute('member', 'add', 'older', { stream: ' TOWN ' })).status, 200)
    t.same(await muted('member'), [
      ['town', 'old'],
      ['town', 'older'],
    ])
    t.equal((await mute('member', 'remove', 'OLD', { stream: 'town' })).status, 200)
    t.equal((await mute('member', 'remove', 'older')).status, 200)
  })
  t.same(types(events.member), Array(4).fill(['user_topic', 'muted_topics']).flat())
  t.same(await policies('member'), [])
})

t.test('[UTOPIC8] the older request is refused if it changes nothing', async (t) => {
  expectRefusal(t, await mute('member', 'remove', 'tea'), 'Topic is not muted')
  await mute('member', 'add', 'tea')
  expectRefusal(t, await mute('member', 'add', 'TEA'), 'Topic already muted')
  await say('member', 'tea', 3)
  expectRefusal(t, await mute('member', 'remove', 'tea'), 'Topic is not muted')
  t.same(await policies('member'), [['tea', 3]])
  t.equal((await mute('member', 'add', 'tea')).status, 200)
  t.same(await policies('member'), [['tea', 1]])
  await mute('member', 'remove', 'tea')
  for (const fields of [{ stream_id: 999 }, { stream: 'absent' }, { stream: 'secret' }]) {
    expectRefusal(t, await mute('member', 'remove', 'tea', fields), 'Topic is not muted')
  }
})

t.test('[UTOPIC9] the older request takes either the id or the name', async (t) => {
  expectRefusal(t, await mute('member', 'add', 'x', {}), "Missing 'stream_id' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'stream_id',
  })
  expectRefusal(
    t,
    await mute('member', 'add', 'x', { stream: 'town', stream_id: TOWN }),
    'Unsupported parameter combination: stream_id, stream',
    { parameters: 'stream_id, stream' },
  )
  expectRefusal(t, await mute('member', 'toggle', 'x'), 'Invalid op')
  for (const name of ['op', 'topic']) {
    const fields = { stream_id: TOWN, op: 'add', topic: 'x', [name]: undefined }
    expectRefusal(
      t,
      await member.patch('/users/me/subscriptions/muted_topics', fields),
      `Missing '${name}' argument`,
      { code: 'REQUEST_VARIABLE_MISSING', var_name: name },
    )
  }
})

t.test('[UTOPIC10] the list of muted topics omits channels that the user no longer sees', async (t) => {
  await mute('member', 'add', 'plans', { stream_id: SECRET })
  await mute('member', 'add', 'fairs')
  t.same(await muted('member'), [
    ['secret', 'plans'],
    ['town', 'fairs'],
  ])
  await member.must('DELETE', '/users/me/subscriptions', { subscriptions: ['secret'] })
  t.same(await muted('member'), [['town', 'fairs']])
  const queue = await member.register({ event_types: ['muted_topics'] })
  await mute('member', 'add', 'feasts')
  const [event] = await member.events(queue)
  t.match(event.muted_topics, [
    ['town', 'fairs'],
    ['town', 'feasts'],
  ])
  expectRefusal(t, await mute('member', 'add', 'more', { stream_id: SECRET }), 'Invalid channel ID')
  // Users can remove their own settings.
  t.equal((await mute('member', 'remove', 'plans', { stream_id: SECRET })).status, 200)
  await mute('member', 'remove', 'fairs')
  await mute('member', 'remove', 'feasts')
})

t.test(
  '[UTOPIC11] a user has at most 10000 topic visibilities; the older list has the 500 muted last',
  async (t) => {
    const { sql } = server.node.services
    await sql`insert into user_topics (user_id, channel_id, topic, visibility, updated_at)
    select 4, ${TOWN}, 'topic ' || n, 1, n from generate_series(1, 9999) n`
    const another = await server.startAnotherNode()
    const member = another.as('member')
    const post = (topic: string, visibility_policy: number) =>
      member.post('/user_topics', { stream_id: TOWN, topic, visibility_policy })
    t.equal((await post('the last', 1)).status, 200)
    const { user_topics, muted_topics } = await member.must('POST', '/register')
    t.equal(user_topics.length, 10_000)
    t.equal(muted_topics.length, 500)
    t.match(muted_topics[0], ['town', 'topic 9501'])
    t.match(muted_topics[499], ['town', 'the last'])
    expectRefusal(t, await post('one more', 1), 'Too many topics with a visibility policy (maximum 10000).')
    expectRefusal(
      t,
      await member.patch('/users/me/subscriptions/muted_topics', {
        stream_id: TOWN,
        op: 'add',
        topic: 'one more',
      }),
      'Too many topics with a visibility policy (maximum 10000).',
    )
    t.equal((await post('topic 1', 3)).status, 200)
    t.equal((await post('topic 2', 0)).status, 200)
    t.equal((await post('one more', 1)).status, 200)
  },
)
