import t from 'tap'
import { refusedUpgrade } from '../../events/open-stream.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { Client, type Fields } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import type { WireEvent } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t)
const [owner, member, guest] = [server.as('owner'), server.as('member'), server.as('guest')]
const host = new URL(server.node.url).hostname
const URL_ = 'https://bot.example.com/hook?a=b'
const INSUFFICIENT = 'Insufficient permission'

const create = (fields: Fields, person: Person = 'member') => server.as(person).post('/bots', fields)
const outgoing = (name: string, fields: Fields = {}) => ({
  full_name: `The ${name}`,
  short_name: name,
  bot_type: 3,
  payload_url: URL_,
  ...fields,
})
const incoming = (name: string) => ({ full_name: `The ${name}`, short_name: name, bot_type: 2 })
const update = (id: number, fields: Fields, person: Person = 'member') =>
  server.as(person).patch(`/bots/${id}`, fields)
const ofBots = (events: readonly WireEvent[]) =>
  events.filter(({ type }: { type: string }) => type === 'realm_bot')
const botsOf = async (person: Person) => (await server.as(person).register()).state.realm_bots
const permit = (fields: Record<string, number>) =>
  owner.must(
    'PATCH',
    '/realm',
    Object.fromEntries(Object.entries(fields).map(([name, group]) => [name, { new: group }])),
  )
const [OWNERS, MEMBERS] = [2, 5]

await owner.subscribe(['public', 'hall'], { principals: [1, 4] })
await owner.subscribe(['secret'], { principals: [1], invite_only: true })

t.test(
  '[SERVICE1] an outgoing webhook has a service, which is sent only to users who manage the bot',
  async (t) => {
    let id = 0
    const events = await expectConsistent(server, async () => {
      const { status, body } = await create(outgoing('out', { interface_type: 2 }))
      id = body.user_id
      t.match(
        { status, body },
        { status: 200, body: { api_key: /^[A-Za-z0-9]{32}$/, avatar_url: /^\/user_avatars\/1\/drawn\// } },
      )
    })
    const bot = {
      user_id: id,
      email: `out-bot@${host}`,
      bot_type: 3,
      api_key: '',
      services: [{ base_url: URL_, interface: 2, token: /^[A-Za-z0-9]{32}$/ }],
    }
    for (const person of ['owner', 'member'] as const)
      t.match(ofBots(events[person]), [{ op: 'add', bot }], person)
    for (const person of ['member2', 'guest'] as const) t.same(ofBots(events[person]), [], person)
    t.match(await botsOf('member'), [{ user_id: 7, services: [] }, bot])
    t.match((await guest.must('GET', `/users/${id}`)).user, { bot_type: 3, bot_owner_id: 4 })
  },
)

t.test('[SERVICE2] the address is an HTTP URL of at most 2,000 characters, quoted or not', async (t) => {
  const long = (length: number) => `http://x.example/${'y'.repeat(length - 17)}`
  for (const [index, payload_url] of [long(2_000), JSON.stringify(URL_), ` ${URL_} `].entries()) {
    t.equal((await create(outgoing(`at${index}`, { payload_url }))).status, 200)
  }
  expectRefusal(
    t,
    await create(outgoing('no', { payload_url: long(2_001) })),
    'payload_url is too long (limit: 2000 characters)',
  )
  for (const payload_url of ['', 'x', 'ftp://x.example', 'javascript:alert(1)', 'http://', 'http://a b/']) {
    expectRefusal(t, await create(outgoing('no', { payload_url })), 'payload_url is not a URL')
  }
  expectRefusal(t, await create(outgoing('no', { payload_url: '5' })), 'payload_url is not a string')
  expectRefusal(
    t,
    await create(outgoing('no', { payload_url: undefined })),
    "Missing 'payload_url' argument",
    { code: 'REQUEST_VARIABLE_MISSING', var_name: 'payload_url' },
  )
  for (const interface_type of [0, 3]) {
    expectRefusal(t, await create(outgoing('no', { interface_type })), 'Invalid interface type')
  }
  expectRefusal(t, await create(outgoing('no', { interface_type: 'x' })), 'interface_type is not valid JSON')
})

t.test('[SERVICE3] a change of address or interface keeps the token of a service', async (t) => {
  const { user_id: id } = (await create(outgoing('moving'))).body
  const { token } = (await botsOf('member')).find(({ user_id }) => user_id === id).services[0]
  const events = await expectConsistent(server, async () => {
    t.match((await update(id, { service_interface: 2 })).body, {
      service_interface: 2,
      service_payload_url: URL_,
    })
    t.match((await update(id, { service_payload_url: JSON.stringify('http://new.example') }, 'owner')).body, {
      service_interface: 2,
      service_payload_url: 'http://new.example',
    })
    t.equal((await update(id, { service_payload_url: 'http://new.example' })).status, 200)
  })
  const services = [{ base_url: 'http://new.example', interface: 2, token }]
  for (const person of ['owner', 'member'] as const) {
    t.match(ofBots(events[person]), [
      { op: 'update', bot: { user_id: id, services: [{ base_url: URL_, interface: 2, token }] } },
      { op: 'update', bot: { user_id: id, services } },
    ])
    t.equal(ofBots(events[person]).length, 2, 'unchanged values send no event')
  }
  t.same(ofBots(events.guest), [])
  expectRefusal(t, await update(id, { service_interface: 3 }), 'Invalid interface type')
  expectRefusal(t, await update(id, { service_payload_url: 'x' }), 'service_payload_url is not a URL')
  expectRefusal(
    t,
    await update(id, { config_data: {} }),
    'The configuration of a bot has only a webhook_secret.',
  )
  expectRefusal(t, await update(7, { service_payload_url: URL_ }), 'This bot is not an outgoing webhook.')
  expectRefusal(t, await update(7, { service_interface: 1 }), 'This bot is not an outgoing webhook.')
  t.match((await update(7, {})).body, { service_interface: null, service_payload_url: null })
})

t.test(
  '[SERVICE4] a permission allows users who cannot create other bots to create incoming webhooks',
  async (t) => {
    await permit({ can_create_bots_group: OWNERS })
    expectRefusal(t, await create(outgoing('denied')), INSUFFICIENT)
    expectRefusal(t, await create({ ...incoming('denied'), bot_type: 1 }), INSUFFICIENT)
    const { status, body } = await create(incoming('writer'))
    t.equal(status, 200)
    expectRefusal(t, await create(incoming('denied'), 'guest'), INSUFFICIENT)
    await permit({ can_create_write_only_bots_group: OWNERS })
    expectRefusal(t, await create(incoming('denied')), INSUFFICIENT)
    await member.must('DELETE', `/bots/${body.user_id}`)
    const restore = () => member.post(`/users/${body.user_id}/reactivate`)
    expectRefusal(t, await restore(), INSUFFICIENT)
    await permit({ can_create_write_only_bots_group: MEMBERS })
    t.equal((await restore()).status, 200)
    await permit({ can_create_bots_group: MEMBERS })
    t.equal((await create(outgoing('allowed'))).status, 200)
  },
)

t.test('[SERVICE5] an incoming webhook can send messages and nothing else', async (t) => {
  const { user_id: id, api_key } = (await create(incoming('only'))).body
  const bot = new Client(server.node.url, id, `only-bot@${host}`, api_key)
  await owner.subscribe(['public'], { principals: [id] })
  t.ok(await bot.send('public', 'alarms', 'Something happened'))
  const msg = 'This API is not available to incoming webhook bots.'
  const refused = async (method: string, path: string, fields?: Fields) =>
    expectRefusal(t, await bot.request(method, path, fields), msg, { status: 401, code: 'UNAUTHORIZED' })
  await refused('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  await refused('POST', '/register')
  await refused('GET', '/users/me')
  await refused('POST', '/users/me/api_key/regenerate')
  await refused('PATCH', '/settings', { full_name: 'Other' })
  await refused('POST', '/messages/render', { content: 'x' })
  const { status, body } = await refusedUpgrade(bot.url, 'queue_id=x', bot.authorization)
  t.same({ status, body }, { status: 401, body: { result: 'error', msg, code: 'UNAUTHORIZED' } })
  const wrong = new Client(server.node.url, id, bot.email, 'x'.repeat(32))
  expectRefusal(t, await wrong.post('/messages'), 'Invalid API key', { status: 401, code: 'UNAUTHORIZED' })
  t.equal((await server.anyone.get('/server_settings')).status, 200)
})

t.test('[SERVICE6] the default channels of a bot are shown to users who know these channels', async (t) => {
  const { user_id: id } = (await create({ full_name: 'Lister', short_name: 'lister' })).body
  const named = {
    default_sending_stream: 'public',
    default_events_register_stream: 'hall',
    default_all_public_streams: true,
  }
  const events = await expectConsistent(server, async () => {
    t.match((await update(id, named)).body, named)
    t.match((await update(id, { default_sending_stream: 'SECRET' }, 'owner')).body, {
      default_sending_stream: 'secret',
      default_events_register_stream: 'hall',
    })
  })
  t.match(ofBots(events.owner), [
    { op: 'update', bot: { user_id: id, ...named, services: [] } },
    { op: 'update', bot: { default_sending_stream: 'secret' } },
  ])
  t.match(ofBots(events.member), [{ bot: named }, { bot: { default_sending_stream: null } }])
  const ownBots = (await member.must('GET', '/bots')).bots
  t.match(
    ownBots.find(({ user_id }: { user_id: number }) => user_id === id),
    { default_sending_stream: null, default_events_register_stream: 'hall' },
  )
  expectRefusal(t, await update(id, { default_sending_stream: 'secret' }), "Invalid channel name 'secret'")
  expectRefusal(
    t,
    await update(id, { default_events_register_stream: 'nowhere' }),
    "Invalid channel name 'nowhere'",
  )
  expectRefusal(
    t,
    await update(id, { default_sending_stream: 'x'.repeat(61) }),
    'default_sending_stream is too long (limit: 60 characters)',
  )
  await expectConsistent(server, async () => {
    const { stream_id } = await owner.must('GET', '/get_stream_id', { stream: 'hall' })
    await owner.must('PATCH', `/streams/${stream_id}`, { new_name: 'lobby' })
    await update(id, { default_sending_stream: '' })
  })
  t.match((await botsOf('owner')).at(-1), {
    default_sending_stream: null,
    default_events_register_stream: 'lobby',
  })
  const made = await expectConsistent(server, () =>
    create({ full_name: 'Starter', short_name: 'starter', default_sending_stream: 'secret' }, 'owner'),
  )
  t.match(ofBots(made.owner), [{ op: 'add', bot: { default_sending_stream: 'secret' } }])
  t.match((await create({ full_name: 'Second', short_name: 'second', ...named })).body, {
    code: 'BAD_REQUEST',
    msg: "Invalid channel name 'hall'",
  })
})

t.test('[SERVICE12] the name of a channel shown for a moment stays with users who know it', async (t) => {
  const events = await expectConsistent(server, async () => {
    await update(7, { default_sending_stream: 'secret' }, 'owner')
    await update(7, { default_sending_stream: '' }, 'owner')
  })
  const names = (person: 'owner' | 'member') =>
    ofBots(events[person]).map(({ bot }: { bot: Record<string, unknown> }) => bot.default_sending_stream)
  t.same(names('owner'), ['secret', null])
  t.same(names('member'), [null, null])
})

t.test('[SERVICE7] users who manage a bot deactivate and reactivate it', async (t) => {
  const { user_id: id } = (await create(outgoing('going'))).body
  for (const person of ['moderator', 'member2', 'guest', 'bot'] as const)
    expectRefusal(t, await server.as(person).delete(`/bots/${id}`), INSUFFICIENT)
  for (const unknown of [4, 999]) expectRefusal(t, await owner.delete(`/bots/${unknown}`), 'No such bot')
  const events = await expectConsistent(server, async () => {
    t.same((await member.delete(`/bots/${id}`)).body, { result: 'success', msg: '' })
    expectRefusal(t, await member.delete(`/bots/${id}`), 'No such bot')
    t.equal((await member.post(`/users/${id}/reactivate`)).status, 200)
    t.equal((await server.as('administrator').delete(`/bots/${id}`)).status, 200)
  })
  for (const person of ['owner', 'member'] as const) {
    t.match(ofBots(events[person]), [
      { op: 'update', bot: { user_id: id, is_active: false } },
      { op: 'update', bot: { user_id: id, is_active: true } },
      { op: 'update', bot: { user_id: id, is_active: false } },
    ])
  }
  t.match(events.guest?.[0], { type: 'realm_user', person: { user_id: id, is_active: false } })
  expectRefusal(t, await server.as('member2').post(`/users/${id}/reactivate`), INSUFFICIENT)
  t.equal((await create(outgoing('successor', { full_name: 'The going' }))).status, 200)
  expectRefusal(
    t,
    await owner.post(`/users/${id}/reactivate`),
    'There is already an active bot named "The going" in this organization.',
  )
})

t.test('[SERVICE8] two active bots cannot have the same name', async (t) => {
  expectRefusal(t, await update(7, { full_name: 'The going' }), 'Name is already in use!')
  t.equal((await update(7, { full_name: 'The bot' })).status, 200)
})

t.test(
  '[SERVICE9] administrators change the roles of bots; owner and administrator roles need an owner',
  async (t) => {
    t.equal((await update(7, { bot_owner_id: 1 }, 'owner')).status, 200, 'no bot is above its owner')
    const events = await expectConsistent(server, () => update(7, { role: 300 }, 'administrator'))
    t.match(events.guest?.[0], { type: 'realm_user', op: 'update', person: { user_id: 7, role: 300 } })
    expectRefusal(t, await update(7, { role: 400 }), INSUFFICIENT)
    t.equal(
      (await update(7, { role: 300 }, 'administrator')).status,
      200,
      'an unchanged value needs no permission',
    )
    expectRefusal(t, await update(7, { role: 500 }, 'owner'), 'Invalid role')
    const ownerRequired = 'Must be an organization owner'
    expectRefusal(t, await update(7, { role: 100 }, 'administrator'), ownerRequired)
    t.equal((await update(7, { role: 100 }, 'owner')).status, 200)
    const administrator = server.as('administrator')
    expectRefusal(t, await update(7, { role: 400 }, 'administrator'), ownerRequired)
    expectRefusal(t, await update(7, { bot_owner_id: 2 }, 'administrator'), ownerRequired)
    expectRefusal(t, await administrator.delete('/bots/7'), ownerRequired)
    expectRefusal(t, await administrator.post('/bots/7/api_key/regenerate'), ownerRequired)
    expectRefusal(t, await administrator.get('/bots/7/api_key'), ownerRequired)
    expectRefusal(t, await administrator.get('/bots/7/signing_secret'), ownerRequired)
    expectRefusal(t, await administrator.post('/bots/7/signing_secret/regenerate'), ownerRequired)
    t.equal((await owner.get('/bots/7/api_key')).status, 200)
    t.equal((await update(7, { role: 400, bot_owner_id: member.userId }, 'owner')).status, 200)
  },
)

t.test('[SERVICE10] a bot that changes owners keeps its service', async (t) => {
  const { user_id: id } = (await create(outgoing('handed'))).body
  const events = await expectConsistent(server, () =>
    update(id, { bot_owner_id: 5, service_payload_url: 'http://handed.example', full_name: 'Handed over' }),
  )
  t.match(ofBots(events.member).at(-1), { op: 'delete', bot: { user_id: id } })
  const services = [{ base_url: 'http://handed.example' }]
  t.match(ofBots(events.member2), [{ op: 'add', bot: { user_id: id, full_name: 'Handed over', services } }])
  expectRefusal(t, await update(id, { full_name: 'Mine again' }), INSUFFICIENT)
})

t.test('[SERVICE11] a user with 100 bots cannot be given another', async (t) => {
  const { users } = server.node.services.state
  const bot = users.get(7 as never)
  const first = users.size + 1
  const events = Array.from({ length: 100 }, (_, index) => ({
    type: 'realm_user/add' as const,
    user: {
      ...(bot as NonNullable<typeof bot>),
      id: (first + index) as never,
      email: `many${index}@example.com`,
      fullName: `Many ${index}`,
      botOwnerId: 3 as never,
    },
  }))
  await commitEvents(server, events)
  expectRefusal(t, await update(7, { bot_owner_id: 3 }), 'Too many bots (maximum 100).')
})
