/** The state that visitors get: the public part of the organization, and nothing of any account. */

import t from 'tap'
import { STATE_PARTS } from '../../../server/api/registration.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import type { Named } from '../../harness/client/wire-types.ts'

const server = await startTestServer(t, { env: { GRAVATAR: 'on' } })
const owner = server.as('owner')
const { anyone } = server
await owner.must('PATCH', '/realm', { enable_spectator_access: true })
await owner.subscribe(['commons'], { is_web_public: true })
await owner.subscribe(['town'])
await owner.subscribe(['secret'], { invite_only: true })
await owner.must('PATCH', '/settings', { email_address_visibility: 1 })
await owner.must('POST', '/users/me/status', { status_text: 'at the dentist' })
const { group_id: groupId } = await owner.must('POST', '/user_groups/create', {
  name: 'cabal',
  description: 'A group that few know',
  members: [1, 4],
})
await owner.must('PATCH', '/realm', {
  can_invite_users_group: { new: { direct_members: [4], direct_subgroups: [] } },
  moderation_request_channel_id: 3,
})
await owner.must('PATCH', '/streams/1', { can_send_message_group: { new: groupId } })

const register = (fields = {}) => anyone.must('POST', '/register', { slim_presence: true, ...fields })

t.test('[VISIT20] a visitor gets no queue', async (t) => {
  const state = await register()
  t.match(state, { queue_id: null, last_event_id: -1, idle_queue_timeout_secs: 0 })
  t.equal((await anyone.get('/events', { queue_id: 'x', last_event_id: -1 })).status, 401)
  t.equal((await anyone.post('/events/ticket')).status, 401)
})

t.test('[VISIT21] the channels are the web-public ones, as subscriptions', async (t) => {
  const state = await register()
  for (const list of [state.subscriptions, state.streams]) {
    t.same(
      list.map(({ name }: { name: string }) => name),
      ['commons'],
    )
    t.match(list[0], { stream_id: 1, creator_id: null, is_web_public: true })
    t.equal(list[0].can_send_message_group, 8, 'a group of the organization looks like nobody')
    t.equal((list[0] as Named)['subscribers'], undefined)
  }
  t.match(state.subscriptions[0], { is_muted: false, pin_to_top: false })
  t.same([state.unsubscribed, state.never_subscribed, state.channel_folders], [[], [], []])
})

t.test('[VISIT22] no account shows in the state', async (t) => {
  const state = await register({ include_subscribers: true, client_gravatar: true })
  t.notMatch(JSON.stringify(state), /example\.com|The owner|The member|dentist|cabal|secret|town/)
  t.same(
    [state.realm_users, state.realm_non_active_users, state.cross_realm_bots, state.realm_bots],
    [[], [], [], []],
  )
  t.match(state, { presences: {}, user_status: {}, custom_profile_fields: [], realm_domains: [] })
  t.match(state, { user_id: 0, email: '', delivery_email: '', is_guest: true, is_admin: false })
  t.match(state, { can_create_streams: false, can_invite_others_to_realm: false })
  for (const group of state.realm_user_groups) {
    t.equal(group.is_system_group, true)
    t.same(group.members, [])
  }
  t.equal(state.realm_can_invite_users_group, 8)
  t.equal(state.realm_moderation_request_channel_id, -1)
  t.match(state, { realm_name: 'Test Organization', realm_enable_spectator_access: true })
})

t.test('[VISIT23] a visitor gets the requested parts, in the form of a user', async (t) => {
  const own = await server.as('guest').register({ slim_presence: true })
  const whole = await register()
  const absent = new Set(['unread_msgs', 'realm_user_settings_defaults'])
  for (const name of Object.keys(own.state)) {
    t.equal(name in whole, !absent.has(name), name)
  }
  for (const type of Object.keys(STATE_PARTS)) {
    const part = await register({ fetch_event_types: [type] })
    for (const name of Object.keys(part)) t.ok(name in whole || name.startsWith('enable_'), name)
  }
  const some = await register({ event_types: ['realm_emoji', 'nonsense'] })
  t.same(some.realm_emoji, {})
  t.equal(some.subscriptions, undefined)
  const older = await register({ fetch_event_types: ['update_display_settings'] })
  t.equal(older.emojiset, 'google')
})

t.test('[VISIT24] avatars are drawn for visitors, where users get gravatars', async (t) => {
  await owner.send('commons', 'talk', 'hello')
  const fields = { anchor: 'newest', num_before: 1, narrow: [['channel', 'commons']] }
  const { messages } = await anyone.must('GET', '/messages', fields)
  t.match(messages[0].avatar_url, /^\/user_avatars\//)
  const picture = await fetch(server.node.url + messages[0].avatar_url)
  t.equal(picture.status, 200)
  await picture.body?.cancel()
  const own = await server.as('guest').must('GET', '/messages', { ...fields, client_gravatar: false })
  t.match(own.messages[0].avatar_url, /gravatar/)
})
