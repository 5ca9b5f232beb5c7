/** The objects that replies hold, as JSON Schema, for the reference and for the test that replies keep to them. */

import { REACTION_TYPES } from '../domain/entities.ts'
import { CHANNEL_PERMISSIONS, GROUP_PERMISSIONS } from '../domain/permissions.ts'
import { permissionName } from '../views/permission-view.ts'
import type { Schema } from './params.ts'

export const INTEGER: Schema = { type: 'integer' }
export const STRING: Schema = { type: 'string' }
export const NUMBER: Schema = { type: 'number' }
export const BOOLEAN: Schema = { type: 'boolean' }
export const OBJECT: Schema = { type: 'object' }

export function arrayOf(items: Schema): Schema {
  return { type: 'array', items }
}

export function orNull(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] }
}

export function record(properties: Record<string, Schema>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, required, additionalProperties: false }
}

const USER_FIELDS: Record<string, Schema> = {
  user_id: INTEGER,
  delivery_email: orNull(STRING),
  email: STRING,
  full_name: STRING,
  date_joined: STRING,
  is_active: BOOLEAN,
  is_owner: BOOLEAN,
  is_admin: BOOLEAN,
  is_guest: BOOLEAN,
  is_bot: BOOLEAN,
  bot_type: orNull(INTEGER),
  bot_owner_id: orNull(INTEGER),
  role: { type: 'integer', enum: [100, 200, 300, 400, 600] },
  timezone: STRING,
  avatar_url: orNull(STRING),
  avatar_version: INTEGER,
  is_imported_stub: BOOLEAN,
}

/** `viewUser`, with the profile where it was asked for; bots have none. */
export const USER = record({ ...USER_FIELDS, profile_data: OBJECT, is_system_bot: BOOLEAN }, [
  'profile_data',
  'is_system_bot',
])

/** `viewOwnBot`. */
export const OWN_BOT = record({
  user_id: INTEGER,
  username: STRING,
  full_name: STRING,
  api_key: STRING,
  avatar_url: STRING,
  default_sending_stream: orNull(STRING),
  default_events_register_stream: orNull(STRING),
  default_all_public_streams: BOOLEAN,
})

/** An entry of `viewCustomEmoji`. */
export const CUSTOM_EMOJI = record({
  id: STRING,
  name: STRING,
  source_url: STRING,
  still_url: orNull(STRING),
  deactivated: BOOLEAN,
  author_id: orNull(INTEGER),
})

/** `viewProfileField`. */
export const PROFILE_FIELD = record({
  id: INTEGER,
  type: INTEGER,
  order: INTEGER,
  name: STRING,
  hint: STRING,
  field_data: STRING,
  display_in_profile_summary: BOOLEAN,
  required: BOOLEAN,
  editable_by_user: BOOLEAN,
})

/** `viewLinkifier`. */
export const LINKIFIER = record({
  pattern: STRING,
  url_template: STRING,
  id: INTEGER,
  example_input: orNull(STRING),
  reverse_template: orNull(STRING),
  alternative_url_templates: arrayOf(STRING),
})

/** `viewEmailDomain`. */
export const EMAIL_DOMAIN = record({ domain: STRING, allow_subdomains: BOOLEAN })

/** A group setting. */
const GROUP_SETTING: Schema = {
  anyOf: [INTEGER, record({ direct_members: arrayOf(INTEGER), direct_subgroups: arrayOf(INTEGER) })],
}

function settingsOf(permissions: object): Record<string, Schema> {
  const names = Object.keys(permissions) as Parameters<typeof permissionName>[0][]
  return Object.fromEntries(names.map((name) => [permissionName(name), GROUP_SETTING]))
}

/** `viewGroup`. */
export const USER_GROUP = record({
  id: INTEGER,
  name: STRING,
  description: STRING,
  creator_id: orNull(INTEGER),
  date_created: orNull(INTEGER),
  members: arrayOf(INTEGER),
  direct_subgroup_ids: arrayOf(INTEGER),
  is_system_group: BOOLEAN,
  deactivated: BOOLEAN,
  ...settingsOf(GROUP_PERMISSIONS),
})

/** `viewFolder`. */
export const CHANNEL_FOLDER = record({
  id: INTEGER,
  name: STRING,
  description: STRING,
  rendered_description: STRING,
  date_created: INTEGER,
  creator_id: orNull(INTEGER),
  is_archived: BOOLEAN,
  order: INTEGER,
})

const CHANNEL_FIELDS: Record<string, Schema> = {
  stream_id: INTEGER,
  name: STRING,
  is_archived: BOOLEAN,
  description: STRING,
  rendered_description: STRING,
  date_created: INTEGER,
  creator_id: orNull(INTEGER),
  invite_only: BOOLEAN,
  is_web_public: BOOLEAN,
  stream_post_policy: INTEGER,
  is_announcement_only: BOOLEAN,
  message_retention_days: orNull(INTEGER),
  history_public_to_subscribers: BOOLEAN,
  topics_policy: STRING,
  first_message_id: orNull(INTEGER),
  folder_id: orNull(INTEGER),
  is_recently_active: BOOLEAN,
  stream_weekly_traffic: orNull(INTEGER),
  subscriber_count: INTEGER,
  ...settingsOf(CHANNEL_PERMISSIONS),
}

/** `viewChannel`. */
export const CHANNEL = record(CHANNEL_FIELDS)

/** `viewChannel`, with `is_default` where default channels were asked for. */
export const LISTED_CHANNEL = record({ ...CHANNEL_FIELDS, is_default: BOOLEAN }, ['is_default'])

/** `viewSubscription`. */
export const SUBSCRIPTION = record(
  {
    ...CHANNEL_FIELDS,
    subscribers: arrayOf(INTEGER),
    partial_subscribers: arrayOf(INTEGER),
    desktop_notifications: orNull(BOOLEAN),
    email_notifications: orNull(BOOLEAN),
    wildcard_mentions_notify: orNull(BOOLEAN),
    push_notifications: orNull(BOOLEAN),
    audible_notifications: orNull(BOOLEAN),
    pin_to_top: BOOLEAN,
    is_muted: BOOLEAN,
    in_home_view: BOOLEAN,
    color: STRING,
  },
  ['subscribers', 'partial_subscribers'],
)

/** A topic of a channel, with the id of its newest message. */
export const TOPIC = record({ name: STRING, max_id: INTEGER })

/** `viewDraft`. */
export const DRAFT = record({
  id: INTEGER,
  type: { type: 'string', enum: ['', 'stream', 'private'] },
  to: arrayOf(INTEGER),
  topic: STRING,
  content: STRING,
  timestamp: INTEGER,
})

/** `viewScheduledMessage`. */
export const SCHEDULED_MESSAGE = record(
  {
    scheduled_message_id: INTEGER,
    type: { type: 'string', enum: ['stream', 'private'] },
    to: { anyOf: [INTEGER, arrayOf(INTEGER)] },
    topic: STRING,
    content: STRING,
    rendered_content: STRING,
    scheduled_delivery_timestamp: INTEGER,
    failed: BOOLEAN,
  },
  ['topic'],
)

/** `viewReminder`. */
export const REMINDER = record({
  reminder_id: INTEGER,
  type: { type: 'string', enum: ['private'] },
  to: arrayOf(INTEGER),
  content: STRING,
  rendered_content: STRING,
  scheduled_delivery_timestamp: INTEGER,
  failed: BOOLEAN,
  reminder_target_message_id: INTEGER,
})

/** `viewAttachment`. */
export const ATTACHMENT = record({
  id: INTEGER,
  name: STRING,
  path_id: STRING,
  size: INTEGER,
  create_time: INTEGER,
  messages: arrayOf(record({ id: INTEGER, date_sent: INTEGER })),
  message_ids: arrayOf(INTEGER),
})

/** `viewSnippet`. */
export const SNIPPET = record({ id: INTEGER, title: STRING, content: STRING, date_created: INTEGER })

/** An invitation that people can join by. */
export const INVITATION = record(
  {
    id: INTEGER,
    invited_by_user_id: INTEGER,
    invited: INTEGER,
    expiry_date: orNull(INTEGER),
    invited_as: INTEGER,
    is_multiuse: BOOLEAN,
    link_url: STRING,
  },
  ['link_url'],
)

/** `viewNavigationView`. */
export const NAVIGATION_VIEW = record({ fragment: STRING, is_pinned: BOOLEAN, name: orNull(STRING) })

const PARTNER = record({ id: INTEGER, email: STRING, full_name: STRING, is_mirror_dummy: BOOLEAN })

/** `viewStatus`. */
export const USER_STATUS = record(
  {
    away: BOOLEAN,
    status_text: STRING,
    emoji_name: STRING,
    emoji_code: STRING,
    reaction_type: { type: 'string', enum: REACTION_TYPES },
  },
  ['away', 'status_text', 'emoji_name', 'emoji_code', 'reaction_type'],
)

const LAST_SEEN: Schema = record({
  status: { type: 'string', enum: ['active', 'idle', 'offline'] },
  timestamp: INTEGER,
})

/** `viewPresence`, and of `viewLegacyPresence` what there is of each client. */
export const USER_PRESENCE = record({
  active_timestamp: INTEGER,
  idle_timestamp: INTEGER,
  aggregated: LAST_SEEN,
  website: LAST_SEEN,
})

const PRESENCE_FIELDS: Record<string, Schema> = {
  client: STRING,
  status: { type: 'string', enum: ['active', 'idle'] },
  timestamp: INTEGER,
}

/** `viewLegacyPresence`, by email address. */
export const PRESENCES: Schema = {
  type: 'object',
  additionalProperties: record({
    website: record({ ...PRESENCE_FIELDS, pushable: BOOLEAN }),
    aggregated: record(PRESENCE_FIELDS),
  }),
}

/** Its user only where the server answers in the spellings of existing clients, too. */
const REACTION = record(
  {
    emoji_name: STRING,
    emoji_code: STRING,
    reaction_type: { type: 'string', enum: REACTION_TYPES },
    user_id: INTEGER,
    user: record({ id: INTEGER, email: STRING, full_name: STRING, is_mirror_dummy: BOOLEAN }),
  },
  ['user'],
)

const SUBMESSAGE = record({
  id: INTEGER,
  message_id: INTEGER,
  sender_id: INTEGER,
  msg_type: STRING,
  content: STRING,
})

/** An edit of a message, or its move; only what was changed is there. */
const MESSAGE_EDIT = record(
  {
    user_id: orNull(INTEGER),
    timestamp: INTEGER,
    prev_content: STRING,
    prev_rendered_content: STRING,
    prev_topic: STRING,
    topic: STRING,
    prev_stream: INTEGER,
    stream: INTEGER,
  },
  ['prev_content', 'prev_rendered_content', 'prev_topic', 'topic', 'prev_stream', 'stream'],
)

/** `encodeMessage` with its flags. */
export const MESSAGE = record(
  {
    id: INTEGER,
    sender_id: INTEGER,
    content: STRING,
    content_type: STRING,
    type: { type: 'string', enum: ['stream', 'private'] },
    stream_id: INTEGER,
    display_recipient: { anyOf: [STRING, arrayOf(PARTNER)] },
    recipient_id: INTEGER,
    subject: STRING,
    timestamp: INTEGER,
    client: STRING,
    topic_links: arrayOf(record({ text: STRING, url: STRING })),
    is_me_message: BOOLEAN,
    reactions: arrayOf(REACTION),
    submessages: arrayOf(SUBMESSAGE),
    sender_full_name: STRING,
    sender_email: STRING,
    sender_realm_str: STRING,
    avatar_url: orNull(STRING),
    flags: arrayOf(STRING),
    last_edit_timestamp: INTEGER,
    last_moved_timestamp: INTEGER,
    edit_history: arrayOf(MESSAGE_EDIT),
    match_content: STRING,
    match_subject: STRING,
  },
  [
    'stream_id',
    'last_edit_timestamp',
    'last_moved_timestamp',
    'edit_history',
    'match_content',
    'match_subject',
  ],
)

/** `viewVersion`. */
export const HISTORY_SNAPSHOT = record(
  {
    topic: STRING,
    prev_topic: STRING,
    stream: INTEGER,
    prev_stream: INTEGER,
    content: STRING,
    rendered_content: STRING,
    prev_content: STRING,
    prev_rendered_content: STRING,
    content_html_diff: STRING,
    user_id: orNull(INTEGER),
    timestamp: INTEGER,
  },
  ['prev_topic', 'stream', 'prev_stream', 'prev_content', 'prev_rendered_content', 'content_html_diff'],
)

/** `describeMatch`, by message. */
export const MATCHES: Schema = {
  type: 'object',
  additionalProperties: record({ match_content: STRING, match_subject: STRING }),
}
