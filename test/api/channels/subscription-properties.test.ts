import t from 'tap'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town', 'square'], { principals: [1, 4, 5, 6] })
await owner.subscribe(['elsewhere'])
const [TOWN, SQUARE, ELSEWHERE] = [1, 2, 3]

const change = (person: Person, ...data: unknown[]) =>
  server.as(person).post('/users/me/subscriptions/properties', { subscription_data: data })
const set = (property: unknown, value: unknown, stream_id: unknown = TOWN) => ({ stream_id, property, value })
async function settings(person: Person, channelId = TOWN) {
  const { subscriptions } = await server.as(person).must('GET', '/users/me/subscriptions')
  return subscriptions.find(({ stream_id }: { stream_id: number }) => stream_id === channelId)
}
const update = (property: string, value: unknown, stream_id = TOWN) => ({
  type: 'subscription',
  op: 'update',
  stream_id,
  property,
  value,
})

t.test('[PROP1] each property is set for the caller, and only the caller gets the event', async (t) => {
  const properties = [
    ['color', '#a1b2c3'],
    ['pin_to_top', true],
    ['desktop_notifications', true],
    ['audible_notifications', false],
    ['push_notifications', true],
    ['email_notifications', false],
    ['wildcard_mentions_notify', false],
  ] as const
  const events = await expectConsistent(server, async () => {
    const { status, body } = await change(
      'member',
      ...properties.map(([property, value]) => set(property, value)),
    )
    t.same([status, body], [200, { result: 'success', msg: '' }])
  })
  t.same(
    withoutIds(events.member),
    properties.map(([property, value]) => update(property, value)),
  )
  t.same([events.owner, events.member2, events.guest], [[], [], []])
  const own = await settings('member')
  for (const [property, value] of properties) t.equal(own[property], value, property)
  t.match(await settings('member2'), { color: /^#/, pin_to_top: false, desktop_notifications: null })
})

t.test('[PROP2] muting is sent under both of its names, and can be set by either', async (t) => {
  const events = await expectConsistent(server, async () => {
    await change('member', set('is_muted', true))
    await change('member2', set('in_home_view', false, SQUARE))
  })
  t.same(withoutIds(events.member), [update('is_muted', true), update('in_home_view', false)])
  t.same(withoutIds(events.member2), [
    update('is_muted', true, SQUARE),
    update('in_home_view', false, SQUARE),
  ])
  t.match(await settings('member'), { is_muted: true, in_home_view: false })
  t.match(await settings('member2', SQUARE), { is_muted: true, in_home_view: false })
  await change('member', set('in_home_view', true))
  t.match(await settings('member'), { is_muted: false, in_home_view: true })
})

t.test(
  '[PROP3] a property that does not change sends no event; the last change in a request wins',
  async (t) => {
    await change('member', set('color', '#abc'), set('is_muted', false))
    const events = await expectConsistent(server, async () => {
      t.equal((await change('member')).status, 200)
      await change('member', set('color', '#abc'), set('is_muted', false), set('in_home_view', true))
      await change('member', set('color', '#def'), set('color', '#def'), set('color', '#abc'))
    })
    t.same(withoutIds(events.member), [update('color', '#def'), update('color', '#abc')])
  },
)

t.test('[PROP4] a color has three or six hexadecimal digits after a number sign', async (t) => {
  for (const color of ['#fff', '#FFF', '#00ff7f', '#C0FFEE']) {
    t.equal((await change('member', set('color', color))).status, 200, color)
    t.equal((await settings('member')).color, color)
  }
  for (const color of [
    '',
    '#',
    'fff',
    '#ff',
    '#ffff',
    '#fffff',
    '#ggg',
    '#fffffff',
    '#fff ',
    '#fff\n',
    'red',
  ]) {
    expectRefusal(t, await change('member', set('color', color)), 'color is not a valid hex color code')
  }
  for (const color of [true, 7, null, ['#fff']]) {
    expectRefusal(t, await change('member', set('color', color)), 'color is not a string')
  }
})

t.test('[PROP5] every other property is a boolean', async (t) => {
  const names = ['is_muted', 'in_home_view', 'pin_to_top', 'desktop_notifications', 'audible_notifications']
  names.push('push_notifications', 'email_notifications', 'wildcard_mentions_notify')
  for (const name of names) {
    for (const value of ['true', 1, null, {}]) {
      expectRefusal(t, await change('member', set(name, value)), `${name} is not a boolean`)
    }
  }
})

t.test('[PROP6] an unknown property is refused by name', async (t) => {
  for (const name of ['', 'Color', 'isMuted', '__proto__', 'constructor', 'x'.repeat(100)]) {
    expectRefusal(t, await change('member', set(name, true)), `Unknown subscription property: ${name}`)
  }
  expectRefusal(
    t,
    await change('member', set('x'.repeat(101), true)),
    'subscription_data[0]["property"] is too long (limit: 100 characters)',
  )
})

t.test(
  '[PROP7] a user without a subscription can set nothing, and does not learn if the channel exists',
  async (t) => {
    await owner.subscribe(['secret'], { invite_only: true })
    for (const id of [ELSEWHERE, 4, 999, -1, 0, Number.MAX_SAFE_INTEGER]) {
      const refusal = await change('member', set('color', '#fff', id))
      expectRefusal(t, refusal, `Not subscribed to channel id ${id}`)
    }
    // An administrator sees a channel without a subscription.
    expectRefusal(t, await change('administrator', set('color', '#fff', 4)), 'Not subscribed to channel id 4')
    t.equal((await change('guest', set('color', '#fff'))).status, 200)
  },
)

t.test('[PROP8] one refusal undoes the whole request', async (t) => {
  await change('member', set('color', '#fff'))
  const events = await expectConsistent(server, async () => {
    const refused = [
      [set('color', '#abc'), set('color', '#abc', ELSEWHERE)],
      [set('color', '#abc'), set('color', 'red')],
      [set('color', '#abc'), set('nothing', true)],
    ]
    for (const data of refused) t.equal((await change('member', ...data)).status, 400)
  })
  t.same(events.member, [])
  t.equal((await settings('member')).color, '#fff')
})

t.test('[PROP9] the changes are required, as a list of at most 1000 objects', async (t) => {
  const post = (fields: Record<string, unknown>) => member.post('/users/me/subscriptions/properties', fields)
  expectRefusal(t, await post({}), "Missing 'subscription_data' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'subscription_data',
  })
  expectRefusal(t, await post({ subscription_data: 'x' }), 'subscription_data is not valid JSON')
  expectRefusal(t, await post({ subscription_data: {} }), 'subscription_data is not a list')
  expectRefusal(t, await change('member', 7), 'subscription_data[0] is not a dict')
  expectRefusal(
    t,
    await change('member', set('color', '#fff', 'town')),
    'subscription_data[0]["stream_id"] is not an integer',
  )
  expectRefusal(
    t,
    await change('member', set(true, '#fff')),
    'subscription_data[0]["property"] is not a string',
  )
  for (const field of ['stream_id', 'property', 'value']) {
    expectRefusal(
      t,
      await change('member', { ...set('color', '#fff'), [field]: undefined }),
      `subscription_data[0]["${field}"] field is missing: Field required`,
    )
  }
  const many = Array(1_000).fill(set('pin_to_top', true))
  t.equal((await change('member', ...many)).status, 200)
  expectRefusal(
    t,
    await change('member', ...many, set('pin_to_top', true)),
    'subscription_data is too long (limit: 1000 items)',
  )
})

t.test(
  '[PROP10] settings of an archived channel can be changed, with events to clients that know it',
  async (t) => {
    await setUpChannel(server, 'square', { kind: 'archived', isArchived: true })
    const older = await member.register({ event_types: ['subscription'] })
    const newer = await member.register({
      event_types: ['subscription'],
      client_capabilities: { archived_channels: true },
    })
    await change('member', set('pin_to_top', true, SQUARE))
    t.same(await member.events(older), [])
    t.same(withoutIds(await member.events(newer)), [update('pin_to_top', true, SQUARE)])
  },
)

t.test('[PROP11] a user who subscribes again gets their earlier settings', async (t) => {
  await change('member', set('color', '#123456'))
  await member.must('DELETE', '/users/me/subscriptions', { subscriptions: ['town'] })
  expectRefusal(t, await change('member', set('color', '#fff')), `Not subscribed to channel id ${TOWN}`)
  await expectConsistent(server, () => member.subscribe(['town']))
  t.equal((await settings('member')).color, '#123456')

  await change('member2', set('color', '#654321'))
  const people = ['member', 'member2'] as const
  const ids = people.map((person) => server.as(person).userId)
  await owner.must('DELETE', '/users/me/subscriptions', { subscriptions: ['town'], principals: ids })
  const queues = await Promise.all(
    people.map((person) => server.as(person).register({ event_types: ['subscription'] })),
  )
  await owner.subscribe(['town'], { principals: ids })
  const colors = await Promise.all(
    queues.map(async (queue, place) => {
      const events = await server.as(people[place] as Person).events(queue)
      return events.filter(({ op }) => op === 'add').map(({ subscriptions }) => subscriptions[0].color)
    }),
  )
  t.same(colors, [['#123456'], ['#654321']], 'each user gets their own color')
})
