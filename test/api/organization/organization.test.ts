import t from 'tap'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer, type TestServer } from '../../harness/servers/start-server.ts'
import type { WireEvent } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const SUCCESS = { result: 'success', msg: '' }
const MEMBERS = 5
const ADMINISTRATORS = 2
const OWNERS = 1

const set = (person: Person, fields: Record<string, unknown>, on: TestServer = server) =>
  on.as(person).patch('/realm', fields)
const realm = async () => (await owner.register({ fetch_event_types: ['realm'] })).state
const withoutEventIds = (events: readonly WireEvent[]) =>
  events.map((event: object) => ({ ...event, id: undefined }))
const update = (data: Record<string, unknown>) => [
  { type: 'realm', op: 'update_dict', property: 'default', data, id: undefined },
]
const NOTHING = { owner: [], member: [], member2: [], guest: [] }

t.test('[ORG1] a change of name or description is sent to everyone', async (t) => {
  const both = await expectConsistent(server, async () => {
    const { body } = await set('administrator', { name: '  Our Organization ', description: 'For **all**' })
    t.same(body, SUCCESS)
  })
  for (const events of Object.values(both)) {
    t.same(withoutEventIds(events), update({ name: 'Our Organization', description: 'For **all**' }))
  }
  const { body } = await server.anyone.get('/server_settings')
  t.match(body, { realm_name: 'Our Organization', realm_description: '<p>For <strong>all</strong></p>' })
  const one = await expectConsistent(server, () =>
    set('owner', { name: 'Our Organization', description: '' }),
  )
  t.same(withoutEventIds(one.guest), update({ description: '' }))
})

t.test('[ORG2] an update that changes nothing, or is empty, sends no event', async (t) => {
  const events = await expectConsistent(server, async () => {
    t.same((await set('owner', {})).body, SUCCESS)
    const same = {
      name: 'Our Organization',
      description: '',
      waiting_period_threshold: 0,
      topics_policy: 'allow_empty_topic',
      message_retention_days: 'unlimited',
      new_stream_announcements_stream_id: -1,
      can_add_subscribers_group: { new: MEMBERS },
    }
    t.same((await set('owner', same)).body, SUCCESS)
  })
  t.same(events, NOTHING)
})

t.test('[ORG3] a name has 1 to 40 code points, a description at most 1,000', async (t) => {
  expectRefusal(t, await set('owner', { name: '' }), 'name cannot be blank')
  expectRefusal(t, await set('owner', { name: ' \t' }), 'name cannot be blank')
  expectRefusal(t, await set('owner', { name: 'x'.repeat(41) }), 'name is too long (limit: 40 characters)')
  t.equal((await set('owner', { name: '😀'.repeat(40) })).status, 200)
  const tooLong = 'description is too long (limit: 1000 characters)'
  expectRefusal(t, await set('owner', { description: 'x'.repeat(1001) }), tooLong)
  t.equal((await set('owner', { description: '😀'.repeat(1000) })).status, 200)
})

t.test('[ORG4] only administrators change the organization', async (t) => {
  for (const person of ['moderator', 'member', 'guest', 'bot'] as const) {
    const message = 'Must be an organization administrator'
    expectRefusal(t, await set(person, { name: 'Mine' }), message)
    expectRefusal(t, await set(person, {}), message)
    expectRefusal(t, await set(person, { message_retention_days: 5 }), message)
  }
})

t.test('[ORG5] some settings need an owner', async (t) => {
  const fields = {
    waiting_period_threshold: 0,
    message_retention_days: 30,
    can_create_groups: { new: MEMBERS },
    can_invite_users_group: { new: MEMBERS },
    can_manage_all_groups: { new: OWNERS },
    can_manage_billing_group: { new: ADMINISTRATORS },
    create_multiuse_invite_group: { new: ADMINISTRATORS },
  }
  for (const [name, value] of Object.entries(fields)) {
    expectRefusal(t, await set('administrator', { [name]: value }), 'Must be an organization owner')
    t.equal((await set('owner', { [name]: value })).status, 200)
  }
})

t.test('[ORG6] all settings of one request are sent by name in one event', async (t) => {
  const events = await expectConsistent(server, () =>
    set('owner', {
      topics_policy: 'disable_empty_topic',
      message_retention_days: 90,
      send_channel_events_messages: true,
      can_create_public_channel_group: { new: ADMINISTRATORS },
    }),
  )
  for (const one of Object.values(events)) {
    t.same(
      withoutEventIds(one),
      update({
        topics_policy: 'disable_empty_topic',
        mandatory_topics: true,
        message_retention_days: 90,
        send_channel_events_messages: true,
        can_create_public_channel_group: ADMINISTRATORS,
        create_public_stream_policy: 2,
      }),
    )
  }
  const back = { message_retention_days: 'unlimited', send_channel_events_messages: false }
  const later = await expectConsistent(server, () => set('owner', back))
  t.match(
    withoutEventIds(later.member),
    update({ message_retention_days: -1, send_channel_events_messages: false }),
  )
})

t.test('[ORG7] older clients get mandatory topics as a boolean; the policy has precedence', async (t) => {
  await set('administrator', { mandatory_topics: false })
  t.match(await realm(), { realm_topics_policy: 'allow_empty_topic', realm_mandatory_topics: false })
  await set('administrator', { mandatory_topics: true })
  t.match(await realm(), { realm_topics_policy: 'disable_empty_topic', realm_mandatory_topics: true })
  await set('administrator', { mandatory_topics: true, topics_policy: 'allow_empty_topic' })
  t.match(await realm(), { realm_topics_policy: 'allow_empty_topic', realm_mandatory_topics: false })
})

t.test('[ORG8] values have limits', async (t) => {
  for (const [name, values] of Object.entries({
    waiting_period_threshold: [-1, 36_601],
    message_retention_days: [0, -1, 36_601, 'forever', 1.5],
    topics_policy: ['inherit', 'empty_topic_only', ''],
  })) {
    for (const value of values) expectRefusal(t, await set('owner', { [name]: value }), `Invalid ${name}`)
  }
  for (const value of [1, 36_600]) {
    t.equal(
      (await set('owner', { message_retention_days: value, waiting_period_threshold: value })).status,
      200,
    )
  }
  await set('owner', { message_retention_days: 'unlimited', waiting_period_threshold: 0 })
  expectRefusal(t, await set('owner', { mandatory_topics: 1 }), 'mandatory_topics is not a boolean')
})

t.test('[ORG9] spectators are allowed only on a server with web-public channels', async (t) => {
  const closed = await startTestServer(t, { env: { WEB_PUBLIC_STREAMS_ENABLED: 'false' } })
  const letIn = { enable_spectator_access: true }
  expectRefusal(t, await set('owner', letIn, closed), 'Web-public channels are not enabled.')
  t.equal((await set('owner', { enable_spectator_access: false }, closed)).status, 200)
  const events = await expectConsistent(server, () => set('administrator', letIn))
  t.same(withoutEventIds(events.guest), update({ enable_spectator_access: true }))
})

t.test('[ORG10] the announcement channel must be visible to the caller', async (t) => {
  await owner.subscribe(['news', 'old news'])
  await owner.subscribe(['staff'], { invite_only: true })
  await owner.must('DELETE', '/streams/2')
  const events = await expectConsistent(server, () =>
    set('administrator', { new_stream_announcements_stream_id: 1 }),
  )
  t.same(withoutEventIds(events.member), update({ new_stream_announcements_stream_id: 1 }))
  t.equal((await set('owner', { new_stream_announcements_stream_id: 3 })).status, 200)
  for (const id of [0, 2, 999]) {
    expectRefusal(t, await set('owner', { new_stream_announcements_stream_id: id }), 'Invalid channel ID')
  }
  t.equal((await set('owner', { new_stream_announcements_stream_id: -1 })).status, 200)
  t.match(await realm(), { realm_new_stream_announcements_stream_id: -1 })
})

t.test('[ORG11] the channel for message reports must be private', async (t) => {
  const report = (id: unknown) => set('administrator', { moderation_request_channel_id: id })
  expectRefusal(t, await report(1), 'Moderation request channel must be private.')
  expectRefusal(t, await report(999), 'Invalid channel ID')
  const events = await expectConsistent(server, () => report(3))
  t.same(withoutEventIds(events.owner), update({ moderation_request_channel_id: 3 }))
  t.equal((await report(-1)).status, 200)
  t.match(await realm(), { realm_moderation_request_channel_id: -1 })
})

t.test('[ORG12] a change of a permission checks the expected old value', async (t) => {
  const someone = { direct_members: [4, 1, 4], direct_subgroups: [ADMINISTRATORS] }
  const events = await expectConsistent(server, () =>
    set('administrator', { can_add_custom_emoji_group: { new: someone, old: MEMBERS } }),
  )
  const stored = { direct_members: [1, 4], direct_subgroups: [ADMINISTRATORS] }
  t.same(withoutEventIds(events.guest), update({ can_add_custom_emoji_group: stored }))
  expectRefusal(
    t,
    await set('administrator', { can_add_custom_emoji_group: { new: MEMBERS, old: MEMBERS } }),
    "'old' value does not match the expected value.",
    { code: 'EXPECTATION_MISMATCH' },
  )
  const back = { can_add_custom_emoji_group: { new: MEMBERS, old: stored } }
  t.equal((await set('administrator', back)).status, 200)
})

t.test('[ORG13] each permission has rules for who may hold it', async (t) => {
  const can = (name: string, value: unknown) => set('owner', { [name]: { new: value } })
  expectRefusal(
    t,
    await can('can_add_custom_emoji_group', 6),
    "'can_add_custom_emoji_group' setting cannot be set to 'role:everyone' group.",
  )
  expectRefusal(
    t,
    await can('can_manage_all_groups', 8),
    "'can_manage_all_groups' setting cannot be set to 'role:nobody' group.",
  )
  const alone = { direct_members: [4], direct_subgroups: [] }
  expectRefusal(
    t,
    await can('can_access_all_users_group', alone),
    "'can_access_all_users_group' must be a system user group.",
    { code: 'SYSTEM_GROUP_REQUIRED', setting_name: 'can_access_all_users_group' },
  )
  expectRefusal(t, await can('can_add_custom_emoji_group', 999), 'Invalid user group ID: 999')
  const nobody = { direct_members: [999], direct_subgroups: [] }
  expectRefusal(t, await can('can_add_custom_emoji_group', nobody), 'Invalid user ID: 999')
  const gone = await addUser(server, 'gone')
  await deactivate(server, gone.userId)
  const deactivated = { direct_members: [gone.userId], direct_subgroups: [] }
  expectRefusal(t, await can('can_add_custom_emoji_group', deactivated), `Invalid user ID: ${gone.userId}`)
})

t.test(
  '[ORG19] an error names the system group that may not hold a permission, and an empty set is the group of nobody',
  async (t) => {
    const can = (name: string, value: unknown) => set('owner', { [name]: { new: value } })
    for (const [name, id, group] of [
      ['can_create_web_public_channel_group', MEMBERS, 'role:members'],
      ['can_access_all_users_group', ADMINISTRATORS, 'role:administrators'],
      ['can_manage_all_groups', { direct_members: [], direct_subgroups: [] }, 'role:nobody'],
      ['can_manage_billing_group', { direct_members: [], direct_subgroups: [] }, 'role:nobody'],
    ] as const) {
      expectRefusal(t, await can(name, id), `'${name}' setting cannot be set to '${group}' group.`)
    }
    const nobody = { direct_members: [], direct_subgroups: [] }
    t.equal(
      (await can('can_add_custom_emoji_group', nobody)).status,
      200,
      'others may be the group of nobody',
    )
    t.equal((await can('can_add_custom_emoji_group', MEMBERS)).status, 200)
  },
)

t.test('[ORG14] one invalid value refuses the whole request', async (t) => {
  const events = await expectConsistent(server, async () => {
    t.equal((await set('owner', { name: 'Half', can_add_custom_emoji_group: { new: 999 } })).status, 400)
    t.equal((await set('owner', { name: 'Half', moderation_request_channel_id: 1 })).status, 400)
    t.equal((await set('administrator', { name: 'Half', waiting_period_threshold: 1 })).status, 400)
  })
  t.same(events, NOTHING)
})

t.test('[ORG15] a permission takes effect at once', async (t) => {
  const make = (name: string) =>
    server.as('member').post('/users/me/subscriptions', { subscriptions: [{ name }] })
  await set('owner', { can_create_public_channel_group: { new: ADMINISTRATORS } })
  expectRefusal(t, await make('refused'), 'Insufficient permission')
  await set('owner', { can_create_public_channel_group: { new: MEMBERS } })
  t.equal((await make('made')).status, 200)
})

t.test('[ORG16] older clients get the permission to create channels as a number', async (t) => {
  for (const [group, number] of [
    [ADMINISTRATORS, 2],
    [OWNERS, 2],
    [8, 2],
    [4, 3],
    [3, 4],
    [MEMBERS, 1],
    [{ direct_members: [4], direct_subgroups: [] }, 1],
  ]) {
    await set('owner', {
      can_create_private_channel_group: { new: group },
      can_create_public_channel_group: { new: group },
    })
    t.match(await realm(), {
      realm_create_private_stream_policy: number,
      realm_create_public_stream_policy: number,
    })
  }
  for (const [group, number] of [
    [ADMINISTRATORS, 2],
    [3, 4],
    [8, 6],
    [OWNERS, 7],
  ] as const) {
    await set('owner', { can_create_web_public_channel_group: { new: group } })
    t.match(await realm(), { realm_create_web_public_stream_policy: number })
  }
  const members = { new: MEMBERS }
  await set('owner', { can_create_private_channel_group: members, can_create_public_channel_group: members })
})

t.test('[ORG17] a description that takes too long to render changes nothing', async (t) => {
  const server = await startTestServer(t, { env: { RENDER_MS_MAX: '1' } })
  const description = '![['.repeat(330) // In milliseconds.
  expectRefusal(t, await set('owner', { name: 'Slow', description }, server), 'Unable to render message')
  const { body } = await server.anyone.get('/server_settings')
  t.equal(body.realm_name, 'Test Organization')
})

t.test('[ORG18] unknown settings are named in the reply', async (t) => {
  const { body } = await set('owner', { plan_type: 2 })
  t.same(body.ignored_parameters_unsupported, ['plan_type'])
})

t.test('[ORG20] administrators send themselves a preview of the welcome message', async (t) => {
  const send = (person: Person, fields: Record<string, unknown>) =>
    server.as(person).post('/realm/test_welcome_bot_custom_message', fields)
  const text = (welcome_message_custom_text: string) => ({ welcome_message_custom_text })
  await send('owner', text('Welcome.'))
  let id = 0
  const events = await expectConsistent(server, async () => {
    const { body } = await send('owner', text('Welcome **all**'))
    id = body.message_id
    t.same(body, { ...SUCCESS, message_id: id })
  })
  t.match(events.owner, [
    {
      type: 'message',
      flags: [],
      message: { id, type: 'private', content: '<p>Welcome <strong>all</strong></p>' },
    },
  ])
  t.same([events.member, events.member2, events.guest], [[], [], []])
  t.equal((await send('administrator', text('x'))).status, 200)
  for (const person of ['moderator', 'member', 'guest', 'bot'] as const) {
    expectRefusal(t, await send(person, text('x')), 'Must be an organization administrator')
  }
  for (const empty of ['', ' \n'])
    expectRefusal(t, await send('owner', text(empty)), 'Message must not be empty')
  const long = 'welcome_message_custom_text is too long (limit: 8000 characters)'
  expectRefusal(t, await send('owner', text('x'.repeat(8_001))), long)
  t.equal((await send('owner', text('x'.repeat(8_000)))).status, 200)
  expectRefusal(t, await send('owner', {}), "Missing 'welcome_message_custom_text' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'welcome_message_custom_text',
  })
})
