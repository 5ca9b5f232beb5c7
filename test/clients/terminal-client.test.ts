/** The start of the terminal client, request by request, with all fields that it reads. */

import t from 'tap'
import { storePasswordHash } from '../../db/accounts/users.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { findMisshapen, findMisshapenOf, type Shape } from './expect-shape.ts'
import { fillOrganization } from './fill-organization.ts'
import { PythonClient } from './python-client.ts'
import type { Recipients } from '../harness/client/wire-types.ts'

const EVENT_TYPES = [
  'message',
  'update_message',
  'reaction',
  'submessage',
  'subscription',
  'typing',
  'update_message_flags',
  'user_settings',
  'realm_emoji',
  'realm_user',
]
const FETCHED_TYPES = [
  'realm',
  'presence',
  'subscription',
  'message',
  'starred_messages',
  'update_message_flags',
  'muted_topics',
  'realm_user',
  'realm_user_groups',
  'user_settings',
  'realm_emoji',
  'custom_profile_fields',
  'zulip_version',
]

const REGISTRATION: Shape = {
  queue_id: 'string',
  last_event_id: 'integer',
  max_message_id: 'integer',
  user_id: 'integer',
  email: 'string',
  full_name: 'string',
  realm_name: 'string',
  zulip_version: 'string',
  zulip_feature_level: 'integer',
  presences: 'object',
  realm_users: 'list',
  cross_realm_bots: 'list',
  subscriptions: 'list',
  realm_message_retention_days: 'integer',
  realm_allow_message_editing: 'boolean',
  realm_message_content_edit_limit_seconds: 'integer?',
  realm_allow_edit_history: 'boolean',
  muted_topics: 'list',
  realm_user_groups: 'list',
  unread_msgs: { mentions: 'integer[]', pms: 'list', streams: 'list', huddles: 'list' },
  realm_emoji: 'object',
  user_settings: {
    send_private_typing_notifications: 'boolean',
    twenty_four_hour_time: 'boolean',
    pm_content_in_desktop_notifications: 'boolean',
  },
  custom_profile_fields: 'list',
  starred_messages: 'integer[]',
  // It has defaults for these.
  max_stream_name_length: 'integer',
  max_stream_description_length: 'integer',
  max_topic_length: 'integer',
  max_message_length: 'integer',
  server_typing_started_wait_period_milliseconds: 'integer',
  server_typing_stopped_wait_period_milliseconds: 'integer',
  server_typing_started_expiry_period_milliseconds: 'integer',
  server_presence_ping_interval_seconds: 'integer',
  server_presence_offline_threshold_seconds: 'integer',
  realm_edit_topic_policy: 'integer',
}
const USER: Shape = {
  user_id: 'integer',
  full_name: 'string',
  email: 'string',
  is_bot: 'boolean',
  role: 'integer',
  timezone: 'string',
  date_joined: 'string',
}
const SUBSCRIPTION: Shape = {
  stream_id: 'integer',
  name: 'string',
  color: 'string',
  description: 'string',
  pin_to_top: 'boolean',
  is_muted: 'boolean',
  desktop_notifications: 'boolean',
  invite_only: 'boolean',
  message_retention_days: 'integer?',
  subscribers: 'integer[]',
  date_created: 'integer',
  rendered_description: 'string',
  stream_weekly_traffic: 'integer?',
  history_public_to_subscribers: 'boolean',
  stream_post_policy: 'integer',
}
const MESSAGE: Shape = {
  id: 'integer',
  type: 'string',
  subject: 'string',
  sender_id: 'integer',
  sender_email: 'string',
  sender_full_name: 'string',
  timestamp: 'integer',
  content: 'string',
  flags: 'string[]',
  reactions: 'list',
  is_me_message: 'boolean',
}

const server = await startTestServer(t)
const [owner, member] = [server.as('owner'), server.as('member')]
const { sql, passwords } = server.node.services
await fillOrganization(server)

await t.test('[TC1] the client gets a key, starts, and finds every field it reads', async (t) => {
  await storePasswordHash(sql, member.userId as UserId, await passwords.hash('a good password'))
  const facts = (await server.anyone.get('/server_settings')).body
  const known = {
    realm_uri: 'string',
    require_email_format_usernames: 'boolean',
    email_auth_enabled: 'boolean',
  }
  t.same(findMisshapen(facts, known as Shape), [])
  const login = await server.anyone.post('/fetch_api_key', {
    username: member.email,
    password: 'a good password',
  })
  t.equal(login.status, 200)
  t.match(login.body.api_key, /^[A-Za-z0-9]{32}$/)

  const client = await PythonClient.connect(server.node.url, member.email, login.body.api_key)
  const page = await client.call('GET', 'messages', {
    anchor: 0,
    use_first_unread_anchor: true,
    num_before: 30,
    num_after: 10,
    narrow: '[]',
    apply_markdown: true,
    client_gravatar: true,
  })
  t.equal(page.result, 'success')
  t.ok(Number.isInteger(page.anchor))
  t.same(findMisshapenOf(page.messages, MESSAGE, 'messages'), [])
  const ofChannels = page.messages.filter(({ type }) => type === 'stream')
  t.same(findMisshapenOf(ofChannels, { stream_id: 'integer', display_recipient: 'string' }, 'stream'), [])
  const direct = page.messages.filter(({ type }) => type === 'private')
  const partners = direct.flatMap((one) => one.display_recipient as Recipients)
  t.same(findMisshapenOf(partners, { id: 'integer', email: 'string', full_name: 'string' }, 'partners'), [])
  const reactions = page.messages.flatMap((one) => one.reactions)
  const reaction: Shape = { emoji_name: 'string', emoji_code: 'string', user_id: 'integer' }
  t.same(findMisshapenOf(reactions, reaction, 'reactions'), [])

  const state = await client.call('POST', 'register', {
    event_types: EVENT_TYPES,
    fetch_event_types: FETCHED_TYPES,
    client_gravatar: true,
    apply_markdown: true,
    include_subscribers: true,
  })
  t.equal(state.result, 'success')
  t.same(findMisshapen(state, REGISTRATION), [])
  t.same(findMisshapenOf(state.realm_users, USER, 'realm_users'), [])
  t.ok(
    state.realm_users.some((one) => one.user_id === state.user_id),
    'the bot is among the users',
  )
  const bot: Shape = { user_id: 'integer', email: 'string', full_name: 'string' }
  t.same(findMisshapenOf(state.cross_realm_bots, bot, 'cross_realm_bots'), [])
  t.same(findMisshapenOf(state.subscriptions, SUBSCRIPTION, 'subscriptions'), [])
  const times: Shape = { aggregated: { status: 'string', timestamp: 'integer' }, website: 'object' }
  t.same(findMisshapenOf(Object.values(state.presences), times, 'presences'), [])
  t.same(Object.keys(state.presences), [owner.email])
  t.same(findMisshapenOf(state.realm_user_groups, { id: 'integer', name: 'string' }, 'groups'), [])
  t.same([...new Set(state.muted_topics.map((row: unknown[]) => row.length))], [3], 'rows of one length')
  t.match(state.muted_topics, [['town', 'food', Number]])
  const { pms, streams, huddles } = state.unread_msgs
  const ids: Shape = 'integer[]'
  t.same(findMisshapenOf(pms, { sender_id: 'integer', unread_message_ids: ids }, 'pms'), [])
  t.same(
    findMisshapenOf(streams, { stream_id: 'integer', topic: 'string', unread_message_ids: ids }, 'streams'),
    [],
  )
  t.same(findMisshapenOf(huddles, { user_ids_string: 'string', unread_message_ids: ids }, 'huddles'), [])
  const [profile] = state.realm_users.filter((one) => one.user_id === owner.userId)
  t.match(Object.values(profile.profile_data), [{ value: 'a *life*', rendered_value: String }])

  // Its two threads, until it is closed.
  const presence = await client.call('POST', 'users/me/presence', { status: 'active', new_user_input: true })
  t.same(findMisshapenOf(Object.values(presence.presences), times, 'presences'), [])
  await owner.send('town', 'weather', 'snow')
  const { queue_id, last_event_id } = state
  const { events } = await client.call('GET', 'events', { queue_id, last_event_id })
  t.match(events, [{ type: 'message', flags: [], message: { content: '<p>snow</p>', subject: 'weather' } }])
  t.same(findMisshapen({ ...events[0].message, flags: [] }, MESSAGE), [])
  t.match(await client.call('DELETE', 'events', { queue_id }), { result: 'success' })
})

await t.test('[TC2] the narrows of the client are accepted, as pairs and as objects', async (t) => {
  const client = await PythonClient.connect(server.node.url, member.email, member.key)
  const streamId = (await member.must('GET', '/get_stream_id', { stream: 'town' })).stream_id
  const subjectsOf = async (narrow: unknown) => {
    const page = await client.call('GET', 'messages', {
      anchor: 10_000_000_000,
      num_before: 30,
      num_after: 0,
      narrow,
    })
    t.equal(page.result, 'success', JSON.stringify(narrow))
    return page.messages.map((one) => one.subject)
  }
  t.same(await subjectsOf([['stream', 'town']]), ['weather', 'weather', 'food', 'weather'])
  t.same(
    await subjectsOf([
      ['stream', 'town'],
      ['topic', 'food'],
    ]),
    ['food'],
  )
  t.same(await subjectsOf([['pm-with', owner.email]]), [''])
  t.equal((await subjectsOf([['is', 'private']])).length, 3)
  t.same(await subjectsOf([['is', 'starred']]), ['weather'])
  t.same(await subjectsOf([['is', 'mentioned']]), ['weather'])
  t.same(
    await subjectsOf([
      { operator: 'stream', operand: streamId },
      { operator: 'topic', operand: 'food' },
    ]),
    ['food'],
  )
})
