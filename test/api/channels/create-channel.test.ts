import t, { type Test } from 'tap'
import { SYSTEM_GROUPS } from '../../../server/domain/groups/system-groups.ts'
import type { OrganizationChange } from '../../../server/domain/events/organization.ts'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import type { Answer, Fields } from '../../harness/client/client.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { startTestServer, type Person } from '../../harness/servers/start-server.ts'
import type { ReplyAt, WireEvent } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')

const create = (person: Person, name: string, fields: Fields = {}): Promise<Answer<{ id: number }>> =>
  server.as(person).post('/channels/create', { name, subscribers: [], ...fields })
/** The older way to create a channel, with the same settings. */
const subscribe = (
  person: Person,
  name: string,
  fields: Fields = {},
): Promise<Answer<ReplyAt<'POST', '/users/me/subscriptions'>>> =>
  server.as(person).post('/users/me/subscriptions', { subscriptions: [{ name }], ...fields })
type Make = (person: Person, name: string, fields?: Fields) => Promise<Answer<object>>
const WAYS: Readonly<Record<string, Make>> = { create, subscribe }
async function inBothWays(t: Test, check: (t: Test, way: string, make: Make) => Promise<void>) {
  for (const [way, make] of Object.entries(WAYS)) await t.test(way, (t) => check(t, way, make))
}
const set = (changes: OrganizationChange) => commitEvents(server, [{ type: 'realm/update_dict', changes }])
const types = (events: readonly WireEvent[]) =>
  events.map(({ type, op }: { type: string; op?: string }) => (op === undefined ? type : `${type}/${op}`))
async function channelOf(name: string, person: Person = 'owner') {
  const { streams } = await server.as(person).must('GET', '/streams', { include_all: true })
  return streams.find((one: { name: string }) => one.name === name)
}

t.test(
  '[NEWCH1] a channel is created with its subscribers, and users who may see it get events',
  async (t) => {
    const events = await expectConsistent(server, async () => {
      const { body } = await create('member', '  rivers ', {
        description: ' one *two*\r\nthree ',
        subscribers: [4, 6],
      })
      t.same(body, { result: 'success', msg: '', id: (await channelOf('rivers')).stream_id })
    })
    t.match(await channelOf('rivers'), {
      description: 'one *two* three',
      rendered_description: '<p>one <em>two</em> three</p>',
      creator_id: member.userId,
      subscriber_count: 2,
      topics_policy: 'inherit',
      folder_id: null,
      can_send_message_group: SYSTEM_GROUPS.everyone,
      can_remove_subscribers_group: SYSTEM_GROUPS.administrators,
      can_administer_channel_group: { direct_members: [member.userId], direct_subgroups: [] },
      can_create_topic_group: SYSTEM_GROUPS.everyone,
      can_add_subscribers_group: SYSTEM_GROUPS.nobody,
      can_subscribe_group: SYSTEM_GROUPS.nobody,
      can_delete_any_message_group: SYSTEM_GROUPS.nobody,
      can_delete_own_message_group: SYSTEM_GROUPS.nobody,
      can_move_messages_out_of_channel_group: SYSTEM_GROUPS.nobody,
      can_move_messages_within_channel_group: SYSTEM_GROUPS.nobody,
      can_resolve_topics_group: SYSTEM_GROUPS.nobody,
    })
    t.same(types(events.member), ['stream/create', 'subscription/add'])
    t.same(types(events.guest), ['stream/create', 'subscription/add'])
    t.same(types(events.owner), ['stream/create', 'subscription/peer_add'])
  },
)

t.test('[NEWCH2] a channel can be created without subscribers, even without its creator', async (t) => {
  const events = await expectConsistent(server, async () => {
    t.equal((await create('member', 'empty')).status, 200)
    t.equal((await create('member', 'empty and private', { invite_only: true })).status, 200)
  })
  t.same(types(events.member), ['stream/create', 'stream/create']) // Administrators of a channel see it.
  t.same(types(events.owner), ['stream/create', 'stream/create'])
  t.same(types(events.member2), ['stream/create'])
  t.same(events.guest, [])
})

t.test('[NEWCH3] a taken name is refused in any case, even if the channel is invisible', async (t) => {
  await member.subscribe(['hidden'], { invite_only: true })
  const events = await expectConsistent(server, async () => {
    for (const [person, name] of [
      ['owner', 'RIVERS'],
      ['member2', 'Hidden'],
    ] as const) {
      expectRefusal(t, await create(person, ` ${name} `), `Channel '${name}' already exists`, {
        status: 409,
        code: 'CHANNEL_ALREADY_EXISTS',
      })
    }
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] })
})

t.test('[NEWCH4] name, description and subscribers must be valid', async (t) => {
  const missing = (name: string) => ({ code: 'REQUEST_VARIABLE_MISSING', var_name: name })
  const post = (fields: Fields) => owner.post('/channels/create', fields)
  expectRefusal(t, await post({ subscribers: [] }), "Missing 'name' argument", missing('name'))
  expectRefusal(t, await post({ name: 'x' }), "Missing 'subscribers' argument", missing('subscribers'))
  expectRefusal(t, await create('owner', ' '), "Channel name can't be empty.")
  expectRefusal(t, await create('owner', 'x'.repeat(61)), 'Channel name too long (limit: 60 characters).')
  expectRefusal(t, await create('owner', 'a\tb'), 'Invalid character in channel name, at position 2.')
  expectRefusal(
    t,
    await create('owner', 'long', { description: 'x'.repeat(1025) }),
    'description is too long (limit: 1024 characters)',
  )
  for (const [subscribers, message] of [
    ['x', 'subscribers is not valid JSON'],
    [1, 'subscribers is not a list'],
    [['owner@example.com'], 'subscribers[0] is not an integer'],
    [Array(10_001).fill(1), 'subscribers is too long (limit: 10000 items)'],
    [[1, 999], 'No such user'],
  ] as const) {
    expectRefusal(t, await create('owner', 'bad', { subscribers }), message)
  }
  const gone = await addUser(server, 'gone')
  await deactivate(server, gone.userId)
  expectRefusal(t, await create('owner', 'bad', { subscribers: [gone.userId] }), 'User is deactivated')
  t.equal((await create('owner', 'y'.repeat(60), { description: 'x'.repeat(1024) })).status, 200)
  t.equal(await channelOf('bad'), undefined)
})

t.test('[NEWCH5] a description that takes too long to render creates no channel', async (t) => {
  const slow = await startTestServer(t, { env: { RENDER_MS_MAX: '1' } })
  const description = '![['.repeat(341) // In milliseconds.
  const fields = { name: 'slow', description, subscribers: [] }
  expectRefusal(t, await slow.as('owner').post('/channels/create', fields), 'Unable to render message')
  t.equal(slow.node.services.state.channels.size, 0)
})

t.test('[NEWCH6] each kind of channel has its own permission to create it', (t) =>
  inBothWays(t, async (t, way, make) => {
    const kinds = [
      ['canCreatePublicChannel', {}],
      ['canCreatePrivateChannel', { invite_only: true }],
    ] as const
    for (const [permission, fields] of kinds) {
      await set({ permissions: { [permission]: SYSTEM_GROUPS.moderators } })
      for (const person of ['member', 'bot'] as const) {
        expectRefusal(t, await make(person, `${way} refused`, fields), 'Insufficient permission')
      }
      t.equal((await make('moderator', `${way} ${permission}`, fields)).status, 200)
      const other = kinds.find(([name]) => name !== permission) as (typeof kinds)[number]
      t.equal((await make('member', `${way} not ${permission}`, other[1])).status, 200)
      await set({ permissions: { [permission]: SYSTEM_GROUPS.members } })
    }
    expectRefusal(t, await make('guest', `${way} refused`), 'Must be an organization member')
    // Joining an existing channel creates none.
    await set({ permissions: { canCreatePublicChannel: SYSTEM_GROUPS.nobody } })
    t.equal((await subscribe('member', 'rivers')).status, 200)
    expectRefusal(t, await make('owner', `${way} refused`), 'Insufficient permission')
    await set({ permissions: { canCreatePublicChannel: SYSTEM_GROUPS.members } })
    t.equal(await channelOf(`${way} refused`), undefined)
  }),
)

t.test('[NEWCH7] web-public channels need the setting of the organization and the permission', (t) =>
  inBothWays(t, async (t, way, make) => {
    const fields = { is_web_public: true }
    const disabled = 'Web-public channels are not enabled.'
    expectRefusal(t, await make('owner', `${way} web`, fields), disabled)
    await set({ settings: { hasSpectatorAccess: true } })
    for (const person of ['administrator', 'member'] as const) {
      expectRefusal(t, await make(person, `${way} web`, fields), 'Insufficient permission')
    }
    for (const contradiction of [{ invite_only: true }, { history_public_to_subscribers: false }]) {
      const answer = await make('owner', `${way} web`, { ...fields, ...contradiction })
      expectRefusal(t, answer, 'Invalid parameters')
    }
    const events = await expectConsistent(server, () => make('owner', `${way} web`, fields))
    t.match(await channelOf(`${way} web`, 'guest'), { is_web_public: true, invite_only: false })
    t.equal(types(events.guest)[0], 'stream/create')
    await set({ settings: { hasSpectatorAccess: false } })
  }),
)

t.test('[NEWCH8] public channels have open history; private ones as requested', (t) =>
  inBothWays(t, async (t, way, make) => {
    const past = 'history_public_to_subscribers'
    expectRefusal(t, await make('member', `${way} p`, { [past]: false }), 'Invalid parameters')
    t.equal((await make('member', `${way} p`, { invite_only: true })).status, 200)
    t.equal((await channelOf(`${way} p`))[past], false)
    t.equal((await make('member', `${way} q`, { invite_only: true, [past]: true })).status, 200)
    t.equal((await channelOf(`${way} q`))[past], true)
  }),
)

t.test('[NEWCH9] in a channel with protected history everyone may start topics', (t) =>
  inBothWays(t, async (t, way, make) => {
    const parameters = 'history_public_to_subscribers, can_create_topic_group'
    const members = { can_create_topic_group: SYSTEM_GROUPS.members }
    expectRefusal(
      t,
      await make('member', `${way} r`, { invite_only: true, ...members }),
      `Unsupported parameter combination: ${parameters}`,
      { parameters },
    )
    const shared = { invite_only: true, history_public_to_subscribers: true }
    t.equal((await make('member', `${way} r`, { ...shared, ...members })).status, 200)
    t.equal((await make('member', `${way} s`, members)).status, 200)
    const everyone = { direct_members: [], direct_subgroups: [SYSTEM_GROUPS.everyone] }
    const explicit = { invite_only: true, can_create_topic_group: everyone }
    t.equal((await make('member', `${way} u`, explicit)).status, 200)
  }),
)

t.test('[NEWCH10] administrators create default channels, without events to guests', (t) =>
  inBothWays(t, async (t, way, make) => {
    const fields = { is_default_stream: true }
    for (const person of ['moderator', 'member'] as const) {
      expectRefusal(t, await make(person, `${way} d`, fields), 'Insufficient permission')
    }
    expectRefusal(
      t,
      await make('owner', `${way} d`, { ...fields, invite_only: true }),
      'A default channel cannot be private.',
    )
    const events = await expectConsistent(server, () => make('administrator', `${way} d`, fields))
    const { stream_id: id } = await channelOf(`${way} d`)
    const event = events.member2.find(({ type }) => type === 'default_streams')
    t.ok(event.default_streams.includes(id))
    t.same(events.guest, [])
    const { realm_default_streams: listed } = (await member.register()).state
    t.same(listed, event.default_streams)
  }),
)

t.test('[NEWCH11] the folder must exist and be active', (t) =>
  inBothWays(t, async (t, way, make) => {
    const unknown = 'Invalid channel folder ID'
    expectRefusal(t, await make('member', `${way} f`, { folder_id: 999 }), unknown)
    expectRefusal(t, await make('member', `${way} f`, { folder_id: -1 }), unknown)
    expectRefusal(t, await make('member', `${way} f`, { folder_id: 'x' }), 'folder_id is not valid JSON')
    const { nextFolderId: folderId } = server.node.services.state
    const texts = { name: `${way} folder`, description: '', renderedDescription: '' }
    const folder = { id: folderId, ...texts, createdAt: 1, creatorId: null, isArchived: false }
    await commitEvents(server, [{ type: 'channel_folder/add', folder }])
    t.equal((await make('member', `${way} f`, { folder_id: folderId })).status, 200)
    t.equal((await channelOf(`${way} f`)).folder_id, folderId)
    t.equal((await make('member', `${way} g`, { folder_id: null })).status, 200)
    await commitEvents(server, [{ type: 'channel_folder/update', folderId, changes: { isArchived: true } }])
    expectRefusal(t, await make('member', `${way} h`, { folder_id: folderId }), unknown)
  }),
)

t.test('[NEWCH12] a topics policy other than the default needs its permission', (t) =>
  inBothWays(t, async (t, way, make) => {
    await set({ permissions: { canSetTopicsPolicy: SYSTEM_GROUPS.moderators } })
    for (const policy of ['allow_empty_topic', 'disable_empty_topic', 'empty_topic_only']) {
      const fields = { topics_policy: policy }
      expectRefusal(t, await make('member', `${way} t`, fields), 'Insufficient permission')
      t.equal((await make('moderator', `${way} ${policy}`, fields)).status, 200)
      t.equal((await channelOf(`${way} ${policy}`)).topics_policy, policy)
    }
    t.equal((await make('member', `${way} t`, { topics_policy: 'inherit' })).status, 200)
    expectRefusal(t, await make('owner', `${way} x`, { topics_policy: 'any' }), 'Invalid topics_policy')
    await set({ permissions: { canSetTopicsPolicy: SYSTEM_GROUPS.members } })
  }),
)

t.test('[NEWCH20] a topics policy can be quoted JSON', (t) =>
  inBothWays(t, async (t, way, make) => {
    t.equal((await make('owner', `${way} quoted`, { topics_policy: '"empty_topic_only"' })).status, 200)
    t.equal((await channelOf(`${way} quoted`)).topics_policy, 'empty_topic_only')
    for (const topics_policy of ['"any"', 'null', '["inherit"]', ''])
      expectRefusal(t, await make('owner', `${way} no`, { topics_policy }), 'Invalid topics_policy')
  }),
)

t.test('[NEWCH13] each channel permission accepts a group or a set, if the kind is allowed', (t) =>
  inBothWays(t, async (t, way, make) => {
    const given = {
      can_add_subscribers_group: SYSTEM_GROUPS.moderators,
      can_remove_subscribers_group: SYSTEM_GROUPS.everyone,
      can_administer_channel_group: { direct_members: [5, 4], direct_subgroups: [] },
      can_delete_any_message_group: SYSTEM_GROUPS.moderators,
      can_delete_own_message_group: SYSTEM_GROUPS.everyone,
      can_send_message_group: SYSTEM_GROUPS.administrators,
      can_subscribe_group: { direct_members: [5], direct_subgroups: [SYSTEM_GROUPS.owners] },
      can_resolve_topics_group: SYSTEM_GROUPS.members,
      can_create_topic_group: SYSTEM_GROUPS.members,
      can_move_messages_out_of_channel_group: SYSTEM_GROUPS.members,
      can_move_messages_within_channel_group: SYSTEM_GROUPS.members,
    }
    t.equal((await make('moderator', `${way} groups`, given)).status, 200)
    t.match(await channelOf(`${way} groups`), {
      ...given,
      can_administer_channel_group: { direct_members: [4, 5], direct_subgroups: [] },
      stream_post_policy: 2,
    })
    for (const [name, setting, message] of [
      ['can_send_message_group', 999, 'Invalid user group ID: 999'],
      ['can_send_message_group', { direct_members: [999], direct_subgroups: [] }, 'Invalid user ID: 999'],
      ['can_send_message_group', 'everyone', 'can_send_message_group is not valid JSON'],
      ['can_send_message_group', { direct_members: [1] }, 'Invalid can_send_message_group'],
      [
        'can_subscribe_group',
        SYSTEM_GROUPS.everyone,
        "'can_subscribe_group' setting cannot be set to 'role:everyone' group.",
      ],
      [
        'can_create_topic_group',
        SYSTEM_GROUPS.internet,
        "'can_create_topic_group' setting cannot be set to 'role:internet' group.",
      ],
    ] as const) {
      expectRefusal(t, await make('owner', `${way} bad`, { [name]: setting }), message)
    }
    t.equal(await channelOf(`${way} bad`), undefined)
  }),
)

t.test('[NEWCH14] setting who may delete needs the permission to set it', (t) =>
  inBothWays(t, async (t, way, make) => {
    await set({ permissions: { canSetDeleteMessagePolicy: SYSTEM_GROUPS.moderators } })
    for (const name of ['can_delete_any_message_group', 'can_delete_own_message_group']) {
      const members = { [name]: SYSTEM_GROUPS.members }
      expectRefusal(t, await make('member', `${way} m`, members), 'Insufficient permission')
      t.equal((await make('member', `${way} ${name}`, { [name]: SYSTEM_GROUPS.nobody })).status, 200)
      t.equal((await make('moderator', `${way} ${name} set`, members)).status, 200)
    }
    await set({ permissions: { canSetDeleteMessagePolicy: SYSTEM_GROUPS.nobody } })
    const fields = { can_delete_own_message_group: SYSTEM_GROUPS.members }
    expectRefusal(t, await make('moderator', `${way} m`, fields), 'Insufficient permission')
    t.equal((await make('administrator', `${way} m`, fields)).status, 200)
    await set({ permissions: { canSetDeleteMessagePolicy: SYSTEM_GROUPS.moderators } })
  }),
)

t.test('[NEWCH15] only owners set the retention of messages', (t) =>
  inBothWays(t, async (t, way, make) => {
    const retention = (days: unknown) => ({ message_retention_days: days })
    expectRefusal(t, await make('administrator', `${way} k`, retention(5)), 'Must be an organization owner')
    t.equal((await make('owner', `${way} k`, retention(5))).status, 200)
    t.equal((await channelOf(`${way} k`)).message_retention_days, 5)
  }),
)

t.test('[NEWCH16] subscribing others to a new channel needs that permission, too', (t) =>
  inBothWays(t, async (t, way, make) => {
    const others = way === 'create' ? { subscribers: [4, 5] } : { principals: [4, 5] }
    const self = way === 'create' ? { subscribers: [4] } : {}
    await set({ permissions: { canAddSubscribers: SYSTEM_GROUPS.moderators } })
    for (const privacy of [{}, { invite_only: true }]) {
      expectRefusal(t, await make('member', `${way} o`, { ...others, ...privacy }), 'Insufficient permission')
    }
    t.equal((await make('member', `${way} alone`, { ...self, invite_only: true })).status, 200)
    t.equal((await make('moderator', `${way} o`, others)).status, 200)
    const own = { can_add_subscribers_group: { direct_members: [4], direct_subgroups: [] } }
    t.equal((await make('member', `${way} own`, { ...others, ...own, invite_only: true })).status, 200)
    await set({ permissions: { canAddSubscribers: SYSTEM_GROUPS.members } })
  }),
)

t.test(
  '[NEWCH17] users who may join or administer a new private channel get its creation event',
  async (t) => {
    const events = await expectConsistent(server, () =>
      create('moderator', 'by group', {
        invite_only: true,
        subscribers: [3],
        can_subscribe_group: { direct_members: [5], direct_subgroups: [] },
      }),
    )
    t.same(types(events.member2), ['stream/create', 'subscription/peer_add'])
    t.same(types(events.owner), ['stream/create', 'subscription/peer_add'])
    t.same(events.member, [])
    t.same(events.guest, [])
  },
)

t.test('[NEWCH18] settings and their permissions are ignored if all channels exist already', async (t) => {
  const before = await channelOf('rivers')
  const answer = await subscribe('member2', 'rivers', {
    is_web_public: true,
    invite_only: true,
    is_default_stream: true,
    history_public_to_subscribers: false,
    message_retention_days: 5,
    topics_policy: 'empty_topic_only',
    folder_id: 999,
    can_send_message_group: 999,
    can_create_topic_group: SYSTEM_GROUPS.internet,
  })
  t.same(answer.body.subscribed, { 5: ['rivers'] })
  t.same({ ...(await channelOf('rivers')), subscriber_count: 0 }, { ...before, subscriber_count: 0 })
})

t.test('[NEWCH19] a server can disable web-public channels', async (t) => {
  const closed = await startTestServer(t, { env: { WEB_PUBLIC_STREAMS_ENABLED: 'false' } })
  const changes = { settings: { hasSpectatorAccess: true } }
  await commitEvents(closed, [{ type: 'realm/update_dict', changes }])
  const fields = { name: 'web', subscribers: [], is_web_public: true }
  expectRefusal(
    t,
    await closed.as('owner').post('/channels/create', fields),
    'Web-public channels are not enabled.',
  )
})
