import t from 'tap'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import type { Fields } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'
import type { Named } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t, { env: { GRAVATAR: 'on' } })
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town'], { principals: [1, 4] })
await owner.subscribe(['left'])
await owner.must('DELETE', '/users/me/subscriptions', { subscriptions: ['left'] })
await member.subscribe(['not mine'])
const first = await owner.send('town', '', 'hello')
const direct = await member.sendDirect([1], 'hello')
const group = await member.sendDirect([1, 5], 'hello')

const register = (fields: Fields = {}) => owner.must('POST', '/register', fields)
/** Server fields that every client gets, whatever it requests. */
const VERSION = [
  'service_feature_level',
  'service_merge_base',
  'service_version',
  'zulip_feature_level',
  'zulip_merge_base',
  'zulip_version',
]
const fieldsOf = async (fields: Fields) => {
  const always = ['result', 'msg', 'queue_id', 'last_event_id', 'idle_queue_timeout_secs', ...VERSION]
  const names = Object.keys(await register(fields)).filter((name) => !always.includes(name))
  return names.sort((a, b) => (a < b ? -1 : 1))
}

/** The request of the terminal client. */
const TERMINAL = {
  event_types: [
    'message', 'update_message', 'reaction', 'submessage', 'subscription', 'typing', 'update_message_flags',
    'user_settings', 'realm_emoji', 'realm_user',
  ],
  fetch_event_types: [
    'realm', 'presence', 'subscription', 'message', 'starred_messages', 'update_message_flags', 'muted_topics',
    'realm_user', 'realm_user_groups', 'user_settings', 'realm_emoji', 'custom_profile_fields', 'zulip_version',
  ],
  client_gravatar: true,
  apply_markdown: true,
  include_subscribers: true,
} // biome-ignore format: the lists read best in rows

/** Fields without which it fails, and those it reads of the first item of a list. */
const TERMINAL_NEEDS: readonly (readonly [field: string, inner: readonly string[]])[] = [
  ['queue_id', []],
  ['last_event_id', []],
  ['max_message_id', []],
  ['user_id', []],
  ['email', []],
  ['full_name', []],
  ['realm_name', []],
  ['zulip_version', []],
  ['presences', []],
  [
    'realm_users',
    ['user_id', 'full_name', 'email', 'is_bot', 'role', 'profile_data', 'timezone', 'date_joined'],
  ],
  ['cross_realm_bots', []],
  [
    'subscriptions',
    [
      'stream_id',
      'name',
      'color',
      'description',
      'pin_to_top',
      'is_muted',
      'desktop_notifications',
      'invite_only',
      'message_retention_days',
      'subscribers',
      'date_created',
      'rendered_description',
      'stream_weekly_traffic',
      'history_public_to_subscribers',
      'stream_post_policy',
    ],
  ],
  ['realm_message_retention_days', []],
  ['realm_allow_message_editing', []],
  ['realm_message_content_edit_limit_seconds', []],
  ['realm_allow_edit_history', []],
  ['muted_topics', []],
  ['realm_user_groups', []],
  ['unread_msgs', []],
  ['realm_emoji', []],
  ['user_settings', []],
  ['custom_profile_fields', []],
  ['starred_messages', []],
  ['zulip_feature_level', []],
  ['max_stream_name_length', []],
  ['max_topic_length', []],
  ['max_message_length', []],
  ['server_typing_started_expiry_period_milliseconds', []],
  ['server_typing_stopped_wait_period_milliseconds', []],
  ['server_typing_started_wait_period_milliseconds', []],
  ['server_presence_ping_interval_seconds', []],
  ['server_presence_offline_threshold_seconds', []],
  ['realm_edit_topic_policy', []],
]

t.test('[REGI1] the terminal client finds every field it reads', async (t) => {
  const state = await register(TERMINAL)
  for (const [field, inner] of TERMINAL_NEEDS) {
    const value = (state as Named)[field]
    t.ok(value !== undefined && value !== null, field)
    for (const name of inner) t.ok(name in (value as readonly [object])[0], `${field}[].${name}`)
  }
  t.match(state, {
    user_id: 1,
    email: emailOf('owner'),
    max_message_id: group,
    // The caller is among the users.
    realm_users: [{ user_id: 1 }],
    unread_msgs: {
      count: 3,
      mentions: [],
      old_unreads_missing: false,
      pms: [{ sender_id: 4, other_user_id: 4, unread_message_ids: [direct] }],
      streams: [{ stream_id: 1, topic: 'general chat', unread_message_ids: [first] }],
      huddles: [{ user_ids_string: '1,4,5', unread_message_ids: [group] }],
    },
  })
  for (const name of [
    'send_private_typing_notifications',
    'twenty_four_hour_time',
    'pm_content_in_desktop_notifications',
  ] as const) {
    t.type(state.user_settings[name], 'boolean')
  }
})

t.test('[REGI2] parameters of the Python and JavaScript clients are accepted', async (t) => {
  const python = await register({
    event_types: ['message'],
    narrow: [],
    all_public_streams: false,
    dont_block: true,
  })
  t.match(python, { queue_id: /^[0-9a-f-]{36}$/, last_event_id: Number, max_message_id: group })
  t.same(python.ignored_parameters_unsupported, ['dont_block'])
  const javascript = await owner.request('POST', '/register', { event_types: 'null' })
  t.equal(javascript.status, 200)
  t.ok('realm_users' in javascript.body)
})

t.test('[REGI3] the state has the requested types, and unknown ones add nothing', async (t) => {
  const all = await fieldsOf({})
  t.same(await fieldsOf({ event_types: null }), all)
  t.same(await fieldsOf({ event_types: ['message'] }), ['max_message_id'])
  t.same(await fieldsOf({ event_types: ['message', 'no_such_type', 'constructor', '__proto__'] }), [
    'max_message_id',
  ])
  t.same(await fieldsOf({ event_types: [] }), [])
  t.same(await fieldsOf({ event_types: ['message'], fetch_event_types: ['muted_users'] }), ['muted_users'])
  t.same(await fieldsOf({ fetch_event_types: [] }), [])
  const least = await register({ event_types: ['message'], fetch_event_types: [] })
  t.same(
    VERSION.map((name) => (least as Named)[name]),
    [500, '12.1', '12.1', 500, '12.1', '12.1'],
    'fields that clients depend on are always sent',
  )
  const known = await fieldsOf({
    fetch_event_types: Array.from({ length: 200 }, (_, index) => `type ${index}`),
  })
  t.same(known, [])
})

t.test('[REGI4] event_types filters the events, and fetch_event_types the state', async (t) => {
  const queue = await owner.register({ event_types: ['realm_user'], fetch_event_types: ['message'] })
  await owner.send('town', 'topic', 'hello')
  await addUser(server, 'newcomer')
  t.same(
    (await owner.events(queue)).map(({ type }) => type),
    ['realm_user'],
  )
})

t.test('[REGI5] channels are listed as subscribed, unsubscribed or never subscribed', async (t) => {
  const names = (list: { name: string }[]) => list.map(({ name }) => name)
  const state = await register({ event_types: ['subscription'] })
  t.same(Object.keys(state).sort(), [
    'idle_queue_timeout_secs',
    'last_event_id',
    'msg',
    'never_subscribed',
    'queue_id',
    'result',
    ...VERSION.slice(0, 3),
    'subscriptions',
    'unsubscribed',
    ...VERSION.slice(3),
  ])
  t.same(names(state.subscriptions), ['town'])
  t.same(names(state.unsubscribed), ['left'])
  t.same(names(state.never_subscribed), ['not mine'])
  t.notOk('subscribers' in state.subscriptions[0])
  for (const include_subscribers of [true, 'partial']) {
    const { subscriptions, never_subscribed } = await register({ include_subscribers })
    t.same(subscriptions[0].subscribers, [1, 4])
    t.same(never_subscribed[0].subscribers, [4])
  }
  const guest = await server
    .as('guest')
    .must('POST', '/register', { event_types: ['subscription', 'stream'] })
  t.match(guest, { subscriptions: [], unsubscribed: [], never_subscribed: [], streams: [] })
})

t.test('[REGI6] an invisible private channel is in no list, count or unread messages', async (t) => {
  await member.subscribe(['hidden'], { invite_only: true, principals: [4, 5] })
  await member.send('hidden', 'topic', 'secret words')
  const outside = await server.as('bot').must('POST', '/register', { include_subscribers: true })
  t.notMatch(JSON.stringify(outside), /hidden|secret words/)
  t.equal(outside.unread_msgs.count, 0)
  t.equal(outside.max_message_id, 0)
  const inside = await server.as('member2').must('POST', '/register', {})
  t.match(JSON.stringify(inside), /"hidden"/)
  // An administrator can see the channel but read none of it.
  const above = await server.as('administrator').must('POST', '/register', {})
  t.match(JSON.stringify(above.never_subscribed), /"hidden"/)
  t.equal(above.unread_msgs.count, 0)
  // A user who left has none of it.
  await server.as('member2').must('DELETE', '/users/me/subscriptions', { subscriptions: ['hidden'] })
  const left = await server.as('member2').must('POST', '/register', {})
  t.notMatch(JSON.stringify(left), /"hidden"/)
  t.equal(left.unread_msgs.streams.length, 0)
})

t.test('[REGI7] older forms are sent unless the client has the newer capabilities', async (t) => {
  const old = await register({ event_types: ['subscription', 'update_message_flags'] })
  t.match(old.subscriptions[0], {
    desktop_notifications: false,
    email_notifications: false,
    push_notifications: false,
    audible_notifications: false,
    wildcard_mentions_notify: true,
  })
  t.equal(old.unread_msgs.streams[0].topic, 'general chat')
  const capable = await register({
    event_types: ['subscription', 'update_message_flags'],
    client_capabilities: { notification_settings_null: true, empty_topic_name: true, not_known_yet: true },
  })
  t.match(capable.subscriptions[0], {
    desktop_notifications: null,
    email_notifications: null,
    push_notifications: null,
    audible_notifications: null,
    wildcard_mentions_notify: null,
  })
  t.equal(capable.unread_msgs.streams[0].topic, '')
  expectRefusal(
    t,
    await owner.post('/register', { client_capabilities: [] }),
    'client_capabilities is not a dict',
  )
  expectRefusal(
    t,
    await owner.post('/register', { client_capabilities: { empty_topic_name: 1 } }),
    'client_capabilities["empty_topic_name"] is not a boolean',
  )
})

t.test('[REGI8] avatar URLs are left to clients that compute gravatars', async (t) => {
  const avatars = async (client_gravatar?: boolean) => {
    const { realm_users } = await register({ event_types: ['realm_user'], client_gravatar })
    return new Set(realm_users.map(({ avatar_url }: { avatar_url: unknown }) => typeof avatar_url))
  }
  t.same(await avatars(false), new Set(['string']))
  t.same(await avatars(true), new Set(['object']))
  t.same(await avatars(), new Set(['object']))
})

t.test(
  '[REGI9] active and deactivated users are listed separately, each with a profile, except for bots',
  async (t) => {
    const gone = await addUser(server, 'gone')
    await deactivate(server, gone.userId)
    const state = await register({ event_types: ['realm_user'] })
    t.same(
      state.realm_non_active_users.map((one) => one.user_id),
      [gone.userId],
    )
    t.notOk(state.realm_users.some((one) => one.user_id === gone.userId))
    for (const one of state.realm_users) t.equal('profile_data' in one, !one.is_bot)
    t.match(state, {
      is_owner: true,
      is_admin: true,
      is_moderator: true,
      is_guest: false,
      can_create_streams: true,
    })
    const guest = await server.as('guest').must('POST', '/register', { event_types: ['realm_user'] })
    t.match(guest, { is_owner: false, is_moderator: false, is_guest: true, can_create_streams: false })
  },
)

t.test('[REGI10] conversations are listed, the most recent first', async (t) => {
  const { recent_private_conversations: recent } = await register({
    event_types: ['recent_private_conversations'],
  })
  t.same(recent, [
    { user_ids: [4, 5], max_message_id: group },
    { user_ids: [4], max_message_id: direct },
  ])
})

t.test('[REGI11] the narrow of a registration accepts few operators', async (t) => {
  for (const operator of ['channel', 'stream', 'topic', 'sender']) {
    t.equal((await owner.post('/register', { narrow: [[operator, 'x']] })).status, 200)
  }
  for (const operand of ['dm', 'private', 'starred', 'unread', 'alerted', 'mentioned', 'resolved', 'muted']) {
    t.equal((await owner.post('/register', { narrow: [['is', operand]] })).status, 200)
  }
  expectRefusal(
    t,
    await owner.post('/register', { narrow: [['search', 'x']] }),
    'Operator search not supported.',
  )
  t.equal((await owner.post('/register', { narrow: [['is', 'odd']] })).status, 200)
  const followed = await owner.post('/register', { narrow: [['is', 'followed']] })
  expectRefusal(t, followed, 'Operand followed not supported.')
  expectRefusal(t, await owner.post('/register', { narrow: ['is:dm'] }), 'narrow[0] is not a list')
  expectRefusal(t, await owner.post('/register', { narrow: [['is']] }), 'narrow[0] is not a string')
  expectRefusal(
    t,
    await owner.post('/register', { narrow: Array(21).fill(['is', 'dm']) }),
    'narrow is too long (limit: 20 items)',
  )
})

t.test('[REGI18] an unknown operand of `is` matches no message', async (t) => {
  const queueOf = (...operands: string[]) =>
    owner.register({ event_types: ['message'], narrow: operands.map((operand) => ['is', operand]) })
  const [odd, both, resolved] = [
    await queueOf('odd'),
    await queueOf('resolved', 'odd'),
    await queueOf('resolved'),
  ]
  await owner.subscribe(['plaza'])
  const id = await owner.send('plaza', '✔ done', 'x')
  t.match(await owner.events(resolved), [{ message: { id } }])
  t.same(await owner.events(odd), [])
  t.same(await owner.events(both), [])
})

t.test('[REGI12] a queue lives as long as requested, up to a week', async (t) => {
  const seconds = async (fields: Fields) =>
    (await register({ event_types: [], ...fields })).idle_queue_timeout_secs
  const week = 7 * 24 * 3600
  t.equal(await seconds({}), 600)
  t.equal(await seconds({ idle_queue_timeout: 1 }), 1)
  t.equal(await seconds({ idle_queue_timeout: week }), week)
  t.equal(await seconds({ idle_queue_timeout: '"mobile"' }), week)
  t.equal(await seconds({ queue_lifespan_secs: 1_000 }), 1_000)
  t.equal(await seconds({ queue_lifespan_secs: 0 }), 600)
  t.equal(await seconds({ queue_lifespan_secs: week + 1 }), week)
  for (const bad of [-1, 'long', 1.5]) {
    const answer = await owner.post('/register', { idle_queue_timeout: bad })
    t.equal(answer.status, 400)
    t.match(answer.body.msg, /idle_queue_timeout/)
  }
})

t.test('[REGI13] each parameter must have its type', async (t) => {
  for (const [fields, msg] of [
    [{ event_types: 'message' }, 'event_types is not valid JSON'],
    [{ event_types: [1] }, 'event_types[0] is not a string'],
    [{ event_types: Array(201).fill('x') }, 'event_types is too long (limit: 200 items)'],
    [{ fetch_event_types: {} }, 'fetch_event_types is not a list'],
    [{ apply_markdown: 1 }, 'apply_markdown is not a boolean'],
    [{ include_subscribers: 'some' }, 'Invalid include_subscribers'],
    [{ slim_presence: '' }, 'slim_presence is not valid JSON'],
  ] as const) {
    expectRefusal(t, await owner.post('/register', fields), msg)
  }
})

t.test('[REGI17] the limits are in the registration, and unset channels have id -1', async (t) => {
  const state = await register({ fetch_event_types: ['realm', 'default_stream_groups'] })
  const limits = {
    max_stream_name_length: 60,
    max_stream_description_length: 1024,
    max_channel_folder_name_length: 60,
    max_channel_folder_description_length: 1024,
    max_bulk_new_subscription_messages: 100,
    realm_new_stream_announcements_stream_id: -1,
    realm_moderation_request_channel_id: -1,
    realm_signup_announcements_stream_id: -1,
    realm_service_update_announcements_stream_id: -1,
    realm_zulip_update_announcements_stream_id: -1,
    realm_default_stream_groups: [],
  }
  t.match(state, limits)
  t.same(await fieldsOf({ fetch_event_types: ['default_stream_groups'] }), ['realm_default_stream_groups'])
})

t.test('[REGI14] the events continue where the state ends', async (t) => {
  const queue = await owner.register()
  t.equal(queue.lastEventId, server.node.services.state.appliedId)
  const id = await owner.send('town', 'topic', 'next')
  t.match(await owner.events(queue), [{ id: queue.lastEventId, type: 'message', message: { id } }])
})

t.test('[REGI15] without aliases only neutral names are sent', async (t) => {
  const server = await startTestServer(t, { env: { CLIENT_ALIASES: 'off' } })
  const state = await server.as('owner').must('POST', '/register', {})
  t.notMatch(Object.keys(state).join(), /zulip|zoom/)
  t.equal(state.service_feature_level, 500)
  // Requests may use either name.
  const asked = await server.as('owner').must('POST', '/register', { event_types: ['has_zoom_token'] })
  t.equal(asked.has_provider_token, false)
})

t.test('[REGI16] with aliases a type requested by its old name is sent under both names', async (t) => {
  const server = await startTestServer(t)
  const state = await server.as('owner').must('POST', '/register', { event_types: ['has_zoom_token'] })
  t.match(state, { has_provider_token: false, has_zoom_token: false })
})
