/** The start of the mobile app: strict about types, so that one wrong field makes it fail. */

import t from 'tap'
import { startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'
import { findMisshapen, findMisshapenOf, type Shape } from './expect-shape.ts'
import { fillOrganization } from './fill-organization.ts'

const server = await startTestServer(t)
const [owner, member] = [server.as('owner'), server.as('member')]
await fillOrganization(server)

/** Its registration: everything, in the present forms. */
const REGISTRATION = {
  apply_markdown: true,
  client_gravatar: false,
  include_subscribers: true,
  slim_presence: true,
  presence_history_limit_days: 14,
  idle_queue_timeout: 'mobile',
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: false,
    stream_typing_notifications: true,
    user_settings_object: true,
    include_deactivated_groups: true,
    empty_topic_name: true,
    archived_channels: true,
  },
}

const SETTINGS: Shape = {
  twenty_four_hour_time: 'boolean',
  display_emoji_reaction_users: 'boolean',
  emojiset: 'string',
  presence_enabled: 'boolean',
}
const STATE: Shape = {
  queue_id: 'string',
  last_event_id: 'integer',
  idle_queue_timeout_secs: 'integer',
  event_queue_longpoll_timeout_seconds: 'integer',
  zulip_version: 'string',
  zulip_merge_base: 'string',
  zulip_feature_level: 'integer',
  alert_words: 'string[]',
  custom_profile_fields: 'list',
  max_message_id: 'integer',
  max_stream_name_length: 'integer',
  max_topic_length: 'integer',
  server_presence_ping_interval_seconds: 'integer',
  server_presence_offline_threshold_seconds: 'integer',
  server_typing_started_expiry_period_milliseconds: 'integer',
  server_typing_stopped_wait_period_milliseconds: 'integer',
  server_typing_started_wait_period_milliseconds: 'integer',
  muted_users: 'list',
  presences: 'object',
  realm_emoji: 'object',
  realm_user_groups: 'list',
  recent_private_conversations: 'list',
  saved_snippets: 'list',
  subscriptions: 'list',
  unread_msgs: {
    count: 'integer',
    pms: 'list',
    streams: 'list',
    huddles: 'list',
    mentions: 'integer[]',
    old_unreads_missing: 'boolean',
  },
  streams: 'list',
  user_status: 'object',
  user_settings: SETTINGS,
  user_topics: 'list',
  realm_wildcard_mention_policy: 'integer',
  realm_mandatory_topics: 'boolean',
  realm_waiting_period_threshold: 'integer',
  realm_message_content_edit_limit_seconds: 'integer?',
  realm_allow_message_editing: 'boolean',
  realm_enable_read_receipts: 'boolean',
  realm_icon_url: 'string',
  realm_name: 'string',
  realm_presence_disabled: 'boolean',
  realm_default_external_accounts: 'object',
  max_file_upload_size_mib: 'integer',
  server_emoji_data_url: 'string',
  realm_empty_topic_display_name: 'string',
  realm_users: 'list',
  realm_non_active_users: 'list',
  cross_realm_bots: 'list',
  user_id: 'integer',
  email: 'string',
  full_name: 'string',
}
const USER: Shape = {
  user_id: 'integer',
  email: 'string',
  delivery_email: 'string?',
  full_name: 'string',
  date_joined: 'string',
  is_active: 'boolean',
  is_bot: 'boolean',
  bot_type: 'integer?',
  bot_owner_id: 'integer?',
  role: 'integer',
  timezone: 'string',
  avatar_url: 'string?',
  avatar_version: 'integer',
}
const CHANNEL: Shape = {
  stream_id: 'integer',
  name: 'string',
  description: 'string',
  rendered_description: 'string',
  date_created: 'integer',
  first_message_id: 'integer?',
  invite_only: 'boolean',
  is_web_public: 'boolean',
  is_archived: 'boolean',
  history_public_to_subscribers: 'boolean',
  message_retention_days: 'integer?',
  stream_post_policy: 'integer',
  stream_weekly_traffic: 'integer?',
}
const SUBSCRIPTION: Shape = {
  ...CHANNEL,
  desktop_notifications: 'boolean?',
  email_notifications: 'boolean?',
  wildcard_mentions_notify: 'boolean?',
  push_notifications: 'boolean?',
  audible_notifications: 'boolean?',
  pin_to_top: 'boolean',
  is_muted: 'boolean',
  color: 'string',
  subscribers: 'integer[]',
}
const MESSAGE: Shape = {
  id: 'integer',
  client: 'string',
  content: 'string',
  content_type: 'string',
  is_me_message: 'boolean',
  reactions: 'list',
  recipient_id: 'integer',
  sender_email: 'string',
  sender_full_name: 'string',
  sender_id: 'integer',
  sender_realm_str: 'string',
  subject: 'string',
  timestamp: 'integer',
  type: 'string',
}
const TIMES: Shape = { active_timestamp: 'integer', idle_timestamp: 'integer' }

await t.test(
  '[APP1] the app finds the server, registers, and every field has the type it reads',
  async (t) => {
    const facts = (await server.anyone.get('/server_settings')).body
    const known: Shape = {
      authentication_methods: 'object',
      zulip_version: 'string',
      zulip_merge_base: 'string',
      zulip_feature_level: 'integer',
      push_notifications_enabled: 'boolean',
      is_incompatible: 'boolean',
      email_auth_enabled: 'boolean',
      require_email_format_usernames: 'boolean',
      realm_url: 'string',
      realm_name: 'string',
      realm_icon: 'string',
      realm_description: 'string',
      realm_web_public_access_enabled: 'boolean',
      external_authentication_methods: 'list',
    }
    t.same(findMisshapen(facts, known), [])

    const { state } = await member.register(REGISTRATION)
    t.same(findMisshapen(state, STATE), [])
    t.equal(state.idle_queue_timeout_secs, 7 * 24 * 3600)
    const each: readonly [string, Iterable<unknown>, Shape][] = [
      ['realm_users', state.realm_users, USER],
      ['cross_realm_bots', state.cross_realm_bots, USER],
      ['streams', state.streams, CHANNEL],
      ['subscriptions', state.subscriptions, SUBSCRIPTION],
      ['presences', Object.values(state.presences), TIMES],
      ['user_status', Object.values(state.user_status), { status_text: 'string', emoji_name: 'string' }],
      [
        'recent_private_conversations',
        state.recent_private_conversations,
        { max_message_id: 'integer', user_ids: 'integer[]' },
      ],
      ['realm_user_groups', state.realm_user_groups, { id: 'integer', members: 'integer[]', name: 'string' }],
      [
        'user_topics',
        state.user_topics,
        { stream_id: 'integer', topic_name: 'string', last_updated: 'integer', visibility_policy: 'integer' },
      ],
      ['pms', state.unread_msgs.pms, { other_user_id: 'integer', unread_message_ids: 'integer[]' }],
      [
        'streams',
        state.unread_msgs.streams,
        { topic: 'string', stream_id: 'integer', unread_message_ids: 'integer[]' },
      ],
      ['huddles', state.unread_msgs.huddles, { user_ids_string: 'string', unread_message_ids: 'integer[]' }],
      [
        'external accounts',
        Object.values(state.realm_default_external_accounts),
        { name: 'string', text: 'string', hint: 'string', url_pattern: 'string' },
      ],
    ]
    for (const [place, values, shape] of each) t.same(findMisshapenOf(values, shape, place), [], place)
    t.same(Object.keys(state.presences), [String(owner.userId)], 'by id')
    const emoji = await fetch(state.server_emoji_data_url)
    t.equal(emoji.status, 200)
    t.same(findMisshapen(await emoji.json(), { code_to_names: 'object' }), [])
  },
)

await t.test(
  '[APP2] the app reads the newest messages, polls, reports presence and reads events',
  async (t) => {
    const queue = await member.register(REGISTRATION)
    const page = await member.must('GET', '/messages', {
      narrow: [],
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
      client_gravatar: false,
      apply_markdown: true,
      allow_empty_topic_name: true,
    })
    const reply: Shape = {
      anchor: 'integer',
      found_newest: 'boolean',
      found_oldest: 'boolean',
      found_anchor: 'boolean',
      history_limited: 'boolean',
    }
    t.same(findMisshapen(page, reply), [])
    t.same(findMisshapenOf(page.messages, { ...MESSAGE, flags: 'string[]' }, 'messages'), [])
    const polling = member.get('/events', { queue_id: queue.queueId, last_event_id: queue.lastEventId })
    const presence = await member.must('POST', '/users/me/presence', {
      last_update_id: -1,
      status: 'active',
      ping_only: false,
      new_user_input: true,
    })
    t.same(findMisshapen(presence, { presence_last_update_id: 'integer', presences: 'object' }), [])
    t.same(findMisshapenOf(Object.values(presence.presences), TIMES, 'presences'), [])
    const { events } = (await polling).body
    t.ok(events.length > 0)
    await owner.send('town', '', 'to nobody in particular')
    await pollUntil('found', async () => {
      const [message] = (await member.events(queue)).filter(({ type }) => type === 'message')
      if (!message) return false
      t.same(findMisshapen(message, { flags: 'string[]', message: MESSAGE }), [])
      t.equal(message.message.subject, '')
      return true
    })
  },
)
