import t from 'tap'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import type { Fields } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { emailOf, startTestServer, type Person } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const administrator = server.as('administrator')
const member = server.as('member')
const member2 = server.as('member2')
const guest = server.as('guest')
const bot = server.as('bot')

const attempt = (person: Person, names: readonly string[], fields: Fields = {}) =>
  server.as(person).post('/users/me/subscriptions', {
    subscriptions: names.map((name) => ({ name })),
    ...fields,
  })
const types = (events: readonly { type: string; op?: string }[]) =>
  events.map(({ type, op }) => (op === undefined ? type : `${type}/${op}`))
async function channelOf(person: Person, name: string) {
  const { streams } = await server.as(person).must('GET', '/streams', { include_all: true })
  return streams.find((one: { name: string }) => one.name === name)
}

t.test(
  '[SUB1] subscribing to an absent channel creates it, with events to users who may see it',
  async (t) => {
    const events = await expectConsistent(server, async () => {
      t.same((await attempt('owner', ['design'], { principals: [1, 4] })).body, {
        result: 'success',
        msg: '',
        subscribed: { 1: ['design'], 4: ['design'] },
        already_subscribed: {},
        new_subscription_messages_sent: true,
      })
    })
    t.match(events.owner, [
      { type: 'stream', op: 'create', streams: [{ name: 'design', creator_id: 1 }] },
      { type: 'subscription', op: 'add', subscriptions: [{ name: 'design', subscribers: [1, 4] }] },
    ])
    t.match(events.member2, [
      { type: 'stream', op: 'create' },
      { type: 'subscription', op: 'peer_add', user_ids: [1, 4] },
    ])
    t.same(events.guest, [])
  },
)

t.test('[SUB2] guests cannot subscribe anyone', async (t) => {
  for (const fields of [{}, { principals: [member.userId] }]) {
    expectRefusal(t, await attempt('guest', ['design'], fields), 'Must be an organization member')
  }
})

t.test('[SUB3] a guest subscribed by others gets the channel, then the subscription', async (t) => {
  const events = await expectConsistent(server, () =>
    owner.subscribe(['design'], { principals: [guest.userId] }),
  )
  t.same(types(events.guest), ['stream/create', 'subscription/add'])
  t.same(types(events.member2), ['subscription/peer_add'])
})

t.test('[SUB4] names are trimmed, ignore case, and count once in a request', async (t) => {
  await owner.subscribe(['ΟΔΟΣ'])
  const body = await member2.subscribe(['  Design ', 'DESIGN', 'design', 'οδοσ', 'Οδοσ'])
  t.same(body.subscribed, { [member2.userId]: ['design', 'ΟΔΟΣ'] })
  const again = await member2.subscribe(['dEsIgN'])
  t.same(again.subscribed, {})
  t.same(again.already_subscribed, { [member2.userId]: ['design'] })
})

t.test(
  '[SUB5] a new channel gets its description on one line, rendered; an existing one keeps its own',
  async (t) => {
    const describe = (description: string) =>
      owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'described', description }] })
    await describe('  one *two*\n\nthree\r\nfour ')
    await describe('other')
    t.match(await channelOf('owner', 'described'), {
      description: 'one *two* three four',
      rendered_description: '<p>one <em>two</em> three four</p>',
      invite_only: false,
      history_public_to_subscribers: true,
      message_retention_days: null,
      creator_id: owner.userId,
      first_message_id: null,
      subscriber_count: 1,
    })
  },
)

t.test('[SUB6] a name has 1 to 60 code points, all of them visible', async (t) => {
  const longest = '😀'.repeat(60)
  t.same((await owner.subscribe([longest])).subscribed, { 1: [longest] })
  const tooLong = 'Channel name too long (limit: 60 characters).'
  expectRefusal(t, await attempt('owner', [`${longest}x`]), tooLong)
  expectRefusal(t, await attempt('owner', ['x'.repeat(61)]), tooLong)
  expectRefusal(t, await attempt('owner', ['']), "Channel name can't be empty.")
  expectRefusal(t, await attempt('owner', [' \t ']), "Channel name can't be empty.")
  const invalid = (position: number) => `Invalid character in channel name, at position ${position}.`
  expectRefusal(t, await attempt('owner', ['a\tb']), invalid(2))
  expectRefusal(t, await attempt('owner', ['😀\u0378']), invalid(2))
  expectRefusal(t, await attempt('owner', ['a\0b']), invalid(2))
  expectRefusal(t, await attempt('owner', ['\0']), invalid(1))
})

t.test('[SUB7] a description has at most 1,024 code points', async (t) => {
  const describe = (description: string) =>
    owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'long', description }] })
  t.equal((await describe('😀'.repeat(1024))).status, 200)
  expectRefusal(
    t,
    await describe('😀'.repeat(1025)),
    'subscriptions[0]["description"] is too long (limit: 1024 characters)',
  )
})

t.test('[SUB8] subscriptions are required, as a list of objects with names', async (t) => {
  const post = (subscriptions?: unknown) => owner.post('/users/me/subscriptions', { subscriptions })
  expectRefusal(t, await post(), "Missing 'subscriptions' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'subscriptions',
  })
  expectRefusal(t, await post('nothing'), 'subscriptions is not valid JSON')
  expectRefusal(t, await post({}), 'subscriptions is not a list')
  expectRefusal(t, await post(['x']), 'subscriptions[0] is not a dict')
  expectRefusal(t, await post([{}]), 'subscriptions[0]["name"] field is missing: Field required')
  expectRefusal(t, await post([{ name: 1 }]), 'subscriptions[0]["name"] is not a string')
})

t.test('[SUB9] principals are ids, or email addresses in any case; by default the caller', async (t) => {
  const { userId } = await addUser(server, 'Mixed', { email: 'Mixed.Case@Example.com' })
  const body = await owner.subscribe(['principals'], {
    principals: ['mIxEd.case@EXAMPLE.com', emailOf('member')],
  })
  t.same(body.subscribed, { [userId]: ['principals'], [member.userId]: ['principals'] })
  t.same((await owner.subscribe(['principals'], { principals: [userId, 5, 5] })).subscribed, {
    5: ['principals'],
  })
  t.same((await owner.subscribe(['principals'], { principals: [] })).subscribed, { 1: ['principals'] })
  t.same((await bot.subscribe(['principals'])).subscribed, { [bot.userId]: ['principals'] })
  expectRefusal(
    t,
    await attempt('owner', ['principals'], { principals: [1, 'x@example.com'] }),
    'Invalid principals',
  )
  expectRefusal(t, await attempt('owner', ['principals'], { principals: 1 }), 'Invalid principals')
})

t.test('[SUB10] an unknown or deactivated principal refuses the whole request', async (t) => {
  const gone = await addUser(server, 'gone')
  await deactivate(server, gone.userId)
  const events = await expectConsistent(server, async () => {
    for (const nobody of [
      [4, 999],
      [4, -1],
      ['member@example.com', 'nobody@example.com'],
    ]) {
      expectRefusal(t, await attempt('owner', ['never'], { principals: nobody }), 'No such user')
    }
    for (const deactivated of [[4, gone.userId], ['gone@example.com']]) {
      expectRefusal(t, await attempt('owner', ['never'], { principals: deactivated }), 'User is deactivated')
    }
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] })
  t.equal(await channelOf('owner', 'never'), undefined)
})

t.test('[SUB11] a private channel is sent only to its subscribers and to administrators', async (t) => {
  const events = await expectConsistent(server, () =>
    member.subscribe(['Secret'], { invite_only: true, principals: [member.userId, guest.userId] }),
  )
  t.same(types(events.owner), ['stream/create', 'subscription/peer_add'])
  t.same(types(events.member), ['stream/create', 'subscription/add'])
  t.same(types(events.guest), ['stream/create', 'subscription/add'])
  t.same(events.member2, [])
  t.match(await channelOf('owner', 'Secret'), { invite_only: true, history_public_to_subscribers: false })
  t.equal(await channelOf('member2', 'Secret'), undefined)
})

t.test(
  '[SUB12] nobody can join a private channel without an invitation, administrators included',
  async (t) => {
    for (const person of ['member2', 'administrator', 'owner', 'bot'] as const) {
      // The reply has the name from the request, not the spelling of the channel.
      expectRefusal(t, await attempt(person, ['SECRET']), 'Unable to access channel (SECRET).')
    }
    expectRefusal(
      t,
      await attempt('administrator', ['secret', 'new one'], { principals: [administrator.userId] }),
      'Unable to access channel (secret).',
    )
    t.equal(await channelOf('owner', 'new one'), undefined)
  },
)

t.test(
  '[SUB13] if errors are not fatal, inaccessible channels are listed and the others joined',
  async (t) => {
    const { body } = await attempt('member2', ['secret', 'side'], { authorization_errors_fatal: false })
    t.same(body, {
      result: 'success',
      msg: '',
      subscribed: { [member2.userId]: ['side'] },
      already_subscribed: {},
      unauthorized: ['secret'],
      new_subscription_messages_sent: true,
    })
    t.same((await member2.subscribe(['side'], { authorization_errors_fatal: false })).unauthorized, [])
  },
)

t.test('[SUB38] if errors are not fatal, channels that the caller may not create are listed', async (t) => {
  const unfatal = { authorization_errors_fatal: false }
  const names = ['side', 'brand new', 'secret', 'new too']
  const permit = (group: number, permission = 'can_create_public_channel_group') =>
    owner.must('PATCH', '/realm', { [permission]: { new: group } })
  await permit(2)
  const events = await expectConsistent(server, async () => {
    t.match((await attempt('member2', names, unfatal)).body, {
      subscribed: {},
      already_subscribed: { [member2.userId]: ['side'] },
      unauthorized: ['secret', 'brand new', 'new too'],
    })
    expectRefusal(t, await attempt('member2', names), 'Insufficient permission')
    expectRefusal(t, await attempt('member2', ['brand new']), 'Insufficient permission')
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] })
  await permit(5)
  // Each permission that creation needs.
  for (const fields of [
    { message_retention_days: 3 },
    { is_default_stream: true },
    { can_delete_any_message_group: 3 },
  ]) {
    const { body } = await attempt('member2', ['brand new'], { ...unfatal, ...fields })
    t.same(body.unauthorized, ['brand new'], JSON.stringify(fields))
  }
  await permit(2, 'can_add_subscribers_group')
  const closed = { ...unfatal, can_add_subscribers_group: 2, principals: [4] }
  t.same((await attempt('member2', ['brand new'], closed)).body.unauthorized, ['brand new'])
  await permit(5, 'can_add_subscribers_group')
  t.equal(await channelOf('owner', 'brand new'), undefined)
  // A value that nobody may set is refused before permissions.
  const web = { ...unfatal, is_web_public: true }
  expectRefusal(t, await attempt('member2', ['web'], web), 'Web-public channels are not enabled.')
  expectRefusal(
    t,
    await attempt('member2', ['x'], { ...unfatal, folder_id: 99 }),
    'Invalid channel folder ID',
  )
  expectRefusal(t, await attempt('guest', ['x'], unfatal), 'Must be an organization member')
  t.same((await attempt('member2', ['brand new'], unfatal)).body.unauthorized, [])
})

t.test('[SUB14] subscribers of a private channel add others, who then see it', async (t) => {
  const events = await expectConsistent(server, () =>
    member.subscribe(['secret'], { principals: [member2.userId] }),
  )
  t.same(types(events.member2), ['stream/create', 'subscription/add'])
  t.same(types(events.guest), ['subscription/peer_add'])
  t.same(types(events.owner), ['subscription/peer_add'])
})

t.test('[SUB15] only a private channel can have protected history', async (t) => {
  const withHistory = (name: string, fields: Fields) => attempt('member', [name], fields)
  expectRefusal(t, await withHistory('open', { history_public_to_subscribers: false }), 'Invalid parameters')
  await member.subscribe(['open'], { history_public_to_subscribers: true })
  await member.subscribe(['shared'], { invite_only: true, history_public_to_subscribers: true })
  await member.subscribe(['guarded'], { invite_only: true, history_public_to_subscribers: false })
  t.equal((await channelOf('member', 'open')).history_public_to_subscribers, true)
  t.equal((await channelOf('member', 'shared')).history_public_to_subscribers, true)
  t.equal((await channelOf('member', 'guarded')).history_public_to_subscribers, false)
  // Settings of new channels are ignored if none is created.
  t.equal((await withHistory('open', { history_public_to_subscribers: false })).status, 200)
})

t.test('[SUB16] only owners set the retention of messages in a new channel', async (t) => {
  const keep = (person: Person, name: string, message_retention_days: unknown) =>
    attempt(person, [name], { message_retention_days })
  for (const [name, days, stored] of [
    ['kept', 'unlimited', -1],
    ['default', 'realm_default', null],
    ['short', 30, 30],
    ['one day', 1, 1],
  ] as const) {
    t.equal((await keep('owner', name, days)).status, 200)
    t.equal((await channelOf('owner', name)).message_retention_days, stored)
  }
  for (const bad of [0, -1, 36_601, 'forever', '"x"', 1.5]) {
    expectRefusal(t, await keep('owner', 'bad', bad), 'Invalid message_retention_days')
  }
  for (const person of ['administrator', 'member', 'bot'] as const) {
    expectRefusal(t, await keep(person, 'refused', 30), 'Must be an organization owner')
    expectRefusal(t, await keep(person, 'refused', 'unlimited'), 'Must be an organization owner')
    t.equal((await keep(person, `default of ${person}`, 'realm_default')).status, 200)
    t.equal((await keep(person, 'short', 30)).status, 200)
  }
})

t.test('[SUB17] one invalid name refuses the whole request', async (t) => {
  const events = await expectConsistent(server, async () => {
    t.equal((await attempt('owner', ['whole', 'x'.repeat(61)])).status, 400)
    t.equal((await attempt('member', ['whole', 'default'], { message_retention_days: 5 })).status, 400)
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] })
  t.equal(await channelOf('owner', 'whole'), undefined)
})

t.test('[SUB18] the reply says whether direct messages were sent, if they were requested', async (t) => {
  const ask = async (asked?: boolean) =>
    (await attempt('owner', ['quiet'], { send_new_subscription_messages: asked })).body
  t.notOk('new_subscription_messages_sent' in (await ask(false)))
  t.equal((await ask(true)).new_subscription_messages_sent, true)
  t.equal((await ask()).new_subscription_messages_sent, true)
})

t.test('[SUB19] unknown parameters are named in the reply', async (t) => {
  const body = await owner.subscribe(['odd'], { stream_post_policy: 2, is_announcement_only: true })
  t.same(body.ignored_parameters_unsupported, ['stream_post_policy', 'is_announcement_only'])
})

t.test('[SUB20] one request joins at most 1,000 channels and creates at most 250', async (t) => {
  const server = await startTestServer(t)
  const owner = server.as('owner')
  const names = (count: number, first = 0) =>
    Array.from({ length: count }, (_, index) => ({ name: `channel ${first + index}` }))
  const attempt = (count: number, principals?: unknown, first?: number) =>
    owner.post('/users/me/subscriptions', { subscriptions: names(count, first), principals })
  expectRefusal(t, await attempt(1_001), 'subscriptions is too long (limit: 1000 items)')
  // Unknown ids are found only if their number is within the limit.
  expectRefusal(t, await attempt(1, Array(10_001).fill(1)), 'Invalid principals')
  const tooMany = 'Too many new channels in one request (maximum 250).'
  expectRefusal(t, await attempt(251), tooMany)
  expectRefusal(t, await owner.patch('/users/me/subscriptions', { add: names(251) }), tooMany)
  for (const first of [0, 250, 500, 750]) t.equal((await attempt(250, [4], first)).status, 200)
  t.equal((await attempt(1_000)).body.subscribed[1]?.length, 1_000, 'those that are there')
  t.equal(server.node.services.state.channels.size, 1_000)
})

t.test('[SUB21] one request makes at most 10,000 subscriptions', async (t) => {
  const server = await startTestServer(t)
  const owner = server.as('owner')
  const others = await Promise.all(
    Array.from({ length: 101 - 7 }, (_, index) => addUser(server, `user${index}`)),
  )
  const everyone = [1, 2, 3, 4, 5, 6, 7, ...others.map(({ userId }) => userId)]
  t.equal(everyone.length, 101)
  const attempt = (count: number) =>
    owner.post('/users/me/subscriptions', {
      subscriptions: Array.from({ length: count }, (_, index) => ({ name: `c${index}` })),
      principals: everyone,
    })
  expectRefusal(t, await attempt(100), 'Too many subscriptions in one request (maximum 10000).')
  t.equal((await attempt(99)).status, 200)
})

t.test('[SUB22] a description that takes too long to render creates no channel', async (t) => {
  const server = await startTestServer(t, { env: { RENDER_MS_MAX: '1' } })
  const slow = '![['.repeat(341) // In milliseconds.
  const subscriptions = [{ name: 'fine' }, { name: 'slow', description: slow }]
  const answer = await server.as('owner').post('/users/me/subscriptions', { subscriptions })
  expectRefusal(t, answer, 'Unable to render message')
  t.equal(server.node.services.state.channels.size, 0)
})
