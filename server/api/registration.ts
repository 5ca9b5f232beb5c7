/** What a registration tells of the organization, by the event type that later keeps it true. */

import { readDrafts } from '../../db/drafts.ts'
import { findNewestReceived } from '../../db/message-pages.ts'
import { readStarred } from '../../db/read-marks.ts'
import { readRecentConversations } from '../../db/conversations.ts'
import { loadSpans } from '../../db/subscriptions.ts'
import { readUnread } from '../../db/unread.ts'
import type { PresenceFilter } from '../actors/presence.ts'
import type { QueueOptions } from '../actors/session.ts'
import { nowSeconds } from '../domain/clock.ts'
import { ROLES, type User } from '../domain/entities.ts'
import type { GroupSetting } from '../domain/group-settings.ts'
import type { EventId } from '../domain/ids.ts'
import {
  CHANNEL_DESCRIPTION_LENGTH_MAX,
  CHANNEL_NAME_LENGTH_MAX,
  FOLDER_DESCRIPTION_LENGTH_MAX,
  FOLDER_NAME_LENGTH_MAX,
  MESSAGE_LENGTH_MAX,
  SUBSCRIPTION_NOTICES_MAX,
  TOPIC_LENGTH_MAX,
} from '../domain/limits.ts'
import { PRESENCE_OFFLINE_SECONDS, PRESENCE_PING_SECONDS } from '../domain/presence.ts'
import { EMPTY_TOPIC_DISPLAY_NAME, topicDisplayName } from '../domain/topics.ts'
import { canAdministerUser } from '../domain/user-access.ts'
import { viewBot } from '../views/bot-view.ts'
import { viewChannel, viewSubscriptionSettings } from '../views/channel-view.ts'
import { encodeChannel, encodeSubscription } from '../views/encode-subscriptions.ts'
import type { ChannelState } from '../state/organization-state.ts'
import { listMutedTopics } from '../views/muted-topics-view.ts'
import { viewDraft } from '../views/draft-view.ts'
import { viewFolder } from '../views/folder-view.ts'
import { viewGroup } from '../views/group-view.ts'
import { viewOrganizationChange } from '../views/organization-view.ts'
import { PERMISSION_RULES_VIEW } from '../views/permission-rules-view.ts'
import {
  EXTERNAL_ACCOUNTS_VIEW,
  PROFILE_FIELD_TYPES_VIEW,
  viewProfileField,
} from '../views/profile-field-view.ts'
import { viewLegacySettings, viewSettings } from '../views/settings-view.ts'
import { viewStatuses } from '../views/status-view.ts'
import { viewUnread } from '../views/unread-view.ts'
import { avatarUrl, viewUser } from '../views/user-view.ts'
import { EMOJI_DATA_PATH } from './emoji-data.ts'
import { readerOf } from './message-reader.ts'
import { openChannelIds } from './narrow-operands.ts'
import { COMPATIBLE_VERSION, FEATURE_LEVEL } from './names.ts'
import { EncodedField, type Services } from './operation.ts'

/** Whom a registration is for, and how they want things told. */
export interface RegistrationContext {
  readonly user: User
  readonly services: Services
  readonly options: QueueOptions
  /** Who is there, and in which form. */
  readonly presence: PresenceFilter
  /** The state is told as of this event. */
  readonly asOf: EventId
}

/** Conversations listed: those of a client's left column. */
const RECENT_CONVERSATIONS_MAX = 1_000

type Fields = Record<string, unknown>
type Fetch = (context: RegistrationContext) => Fields | Promise<Fields>

/** By event type. What is read from the database is read as of the same event as the rest. */
const FETCHES: Readonly<Record<string, Fetch>> = {
  service_version: () => ({
    service_version: COMPATIBLE_VERSION,
    service_merge_base: COMPATIBLE_VERSION,
    service_feature_level: FEATURE_LEVEL,
  }),
  realm: fetchOrganization,
  realm_user: fetchUsers,
  subscription: fetchSubscriptions,
  stream: (context) => ({
    streams: visibleChannels(context).map((channel) =>
      viewChannel(channel, context.services.state, nowSeconds(context.services.clock)),
    ),
  }),
  message: async ({ user, services: { sql, state } }) => ({
    max_message_id: await findNewestReceived(sql, readerOf(user, state)),
  }),
  update_message_flags: fetchUnread,
  user_settings: ({ user, services: { state } }) => ({
    user_settings: viewSettings(state.settingsOf(user.id), user),
  }),
  update_display_settings: (context) => fetchLegacySettings('update_display_settings', context),
  update_global_notifications: (context) => fetchLegacySettings('update_global_notifications', context),
  presence: ({ services: { presences, clock }, presence }) => ({
    presences: new EncodedField(presences.encode(presence)),
    presence_last_update_id: presences.lastId,
    server_timestamp: clock.nowMs() / 1000,
  }),
  muted_topics: (context) => ({ muted_topics: listMutedTopics(context.user, context.services.state) }),
  user_topic: fetchUserTopics,
  realm_user_groups: fetchGroups,
  user_group: fetchGroups,
  default_streams: ({ user, services: { state } }) => ({
    realm_default_streams: user.role === ROLES.guest ? [] : state.defaultChannelIds,
  }),
  channel_folders: fetchFolders,
  channel_folder: fetchFolders,
  // What cannot be made on this server yet is told as what there is of it: nothing.
  default_stream_groups: () => ({ realm_default_stream_groups: [] }),
  starred_messages: async ({ user, services: { sql, state } }) => {
    const narrow = [{ operator: 'is', operand: 'starred', negated: false }]
    const reader = { ...readerOf(user, state), openChannelIds: openChannelIds(narrow, user, state) }
    return { starred_messages: await readStarred(sql, reader) }
  },
  muted_users: () => ({ muted_users: [] }),
  alert_words: () => ({ alert_words: [] }),
  realm_emoji: () => ({ realm_emoji: {} }),
  custom_profile_fields: ({ services: { state } }) => ({
    custom_profile_fields: state.profileFields.map(viewProfileField),
    custom_profile_field_types: PROFILE_FIELD_TYPES_VIEW,
  }),
  realm_linkifiers: () => ({ realm_linkifiers: [] }),
  realm_filters: () => ({ realm_filters: [] }),
  realm_playgrounds: () => ({ realm_playgrounds: [] }),
  realm_domains: () => ({ realm_domains: [] }),
  realm_bot: fetchBots,
  drafts: fetchDrafts,
  saved_snippets: () => ({ saved_snippets: [] }),
  scheduled_messages: () => ({ scheduled_messages: [] }),
  user_status: ({ services: { state } }) => ({ user_status: viewStatuses(state) }),
  recent_private_conversations: fetchRecentConversations,
  has_provider_token: () => ({ has_provider_token: false }),
}

/** The fields for these event types; null for all. Types that are not known add nothing. */
export async function fetchInitialState(
  context: RegistrationContext,
  types: readonly string[] | null,
): Promise<Fields> {
  const wanted = types === null ? Object.keys(FETCHES) : [...new Set(types)]
  // Every fetch starts in this turn, so that all of them see the state as of the same event.
  const parts = await Promise.all(
    wanted.map(async (type) => (Object.hasOwn(FETCHES, type) ? FETCHES[type]?.(context) : {})),
  )
  return Object.assign({}, ...parts) as Fields
}

function fetchOrganization({ services }: RegistrationContext): Fields {
  const { state, publicUrl, pollHoldSeconds } = services
  return {
    ...viewOrganizationChange(state.organization ?? {}, state.rights.activeUsers, 'realm_'),
    realm_date_created: state.organization?.createdAt ?? 0,
    realm_url: publicUrl,
    realm_uri: publicUrl,
    realm_icon_url: '',
    realm_icon_source: 'G',
    realm_bot_domain: new URL(publicUrl).hostname,
    realm_email_auth_enabled: true,
    realm_password_auth_enabled: true,
    realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
    realm_signup_announcements_stream_id: -1,
    realm_service_update_announcements_stream_id: -1,
    realm_presence_disabled: false,
    realm_push_notifications_enabled: false,
    realm_default_external_accounts: EXTERNAL_ACCOUNTS_VIEW,
    realm_is_zephyr_mirror_realm: false,
    max_stream_name_length: CHANNEL_NAME_LENGTH_MAX,
    max_stream_description_length: CHANNEL_DESCRIPTION_LENGTH_MAX,
    max_channel_folder_name_length: FOLDER_NAME_LENGTH_MAX,
    max_channel_folder_description_length: FOLDER_DESCRIPTION_LENGTH_MAX,
    max_bulk_new_subscription_messages: SUBSCRIPTION_NOTICES_MAX,
    max_topic_length: TOPIC_LENGTH_MAX,
    max_message_length: MESSAGE_LENGTH_MAX,
    max_file_upload_size_mib: 0,
    server_web_public_streams_enabled: services.hasWebPublicChannels,
    server_presence_ping_interval_seconds: PRESENCE_PING_SECONDS,
    server_presence_offline_threshold_seconds: PRESENCE_OFFLINE_SECONDS,
    server_emoji_data_url: publicUrl + EMOJI_DATA_PATH,
    server_typing_started_expiry_period_milliseconds: 45_000,
    server_typing_stopped_wait_period_milliseconds: 12_000,
    server_typing_started_wait_period_milliseconds: 30_000,
    server_supported_permission_settings: PERMISSION_RULES_VIEW,
    event_queue_longpoll_timeout_seconds: Math.max(90, pollHoldSeconds * 2),
  }
}

function fetchUsers({ user, services, options }: RegistrationContext): Fields {
  const { state } = services
  const users = [...state.users.values()].filter(({ isSystem }) => !isSystem)
  const view = (one: User) => viewUser(one, user, state, { ...options, hasProfile: true })
  const avatar = avatarUrl(user, state)
  return {
    realm_users: users.filter(({ isActive }) => isActive).map(view),
    realm_non_active_users: users.filter(({ isActive }) => !isActive).map(view),
    cross_realm_bots: [...state.users.values()].filter(({ isSystem }) => isSystem).map(view),
    user_id: user.id,
    email: state.apiEmailOf(user),
    delivery_email: user.email,
    full_name: user.fullName,
    avatar_url: avatar,
    avatar_url_medium: avatar,
    avatar_source: 'G',
    is_owner: user.role === ROLES.owner,
    is_admin: user.role <= ROLES.administrator,
    is_moderator: user.role === ROLES.moderator,
    is_guest: user.role === ROLES.guest,
    ...viewOwnPermissions(user, services),
    can_invite_others_to_realm: false,
  }
}

/** The bots that the user manages. */
function fetchBots({ user, services: { state } }: RegistrationContext): Fields {
  const bots = state.bots.toArray().map((id) => state.getUser(id))
  const managed = bots.filter((bot) => !bot.isSystem && canAdministerUser(user, bot))
  return { realm_bots: managed.map((bot) => viewBot(bot, state)) }
}

/** What the user may do, by the organization's permissions. */
function viewOwnPermissions(user: User, { state, hasWebPublicChannels }: Services): Fields {
  const { permissions, settings, rights } = state
  const holds = (setting: GroupSetting) => user.role !== ROLES.guest && rights.holds(user, setting)
  const canCreatePublic = holds(permissions.canCreatePublicChannel)
  const canCreatePrivate = holds(permissions.canCreatePrivateChannel)
  return {
    can_create_streams: canCreatePublic || canCreatePrivate,
    can_create_public_streams: canCreatePublic,
    can_create_private_streams: canCreatePrivate,
    can_create_web_public_streams:
      hasWebPublicChannels && settings.hasSpectatorAccess && holds(permissions.canCreateWebPublicChannel),
    can_subscribe_other_users: holds(permissions.canAddSubscribers),
  }
}

/** The channels that the user may know of, as far as the client knows of such. */
function visibleChannels({ user, services: { state }, options }: RegistrationContext): ChannelState[] {
  const visible = state.visibleChannels(user)
  return options.hasArchivedChannels ? visible : visible.filter(({ channel }) => !channel.isArchived)
}

function fetchGroups({ services: { state }, options }: RegistrationContext): Fields {
  const groups = [...state.groups.groups.values()]
  const known = options.hasDeactivatedGroups ? groups : groups.filter(({ group }) => !group.isDeactivated)
  return { realm_user_groups: known.map((group) => viewGroup(group, state)) }
}

function fetchFolders({ services: { state } }: RegistrationContext): Fields {
  return { channel_folders: state.folders.map(viewFolder) }
}

function fetchUserTopics({ user, services: { state }, options }: RegistrationContext): Fields {
  const topics = [...(state.userTopics.get(user.id)?.values() ?? [])]
  return {
    user_topics: topics.map(({ channelId, topic, updatedAt, visibility }) => ({
      stream_id: channelId,
      topic_name: options.allowEmptyTopic ? topic : topicDisplayName(topic),
      last_updated: updatedAt,
      visibility_policy: visibility,
    })),
  }
}

async function fetchSubscriptions(context: RegistrationContext): Promise<Fields> {
  const { user, services, options, asOf } = context
  const { state, clock, sql } = services
  const now = nowSeconds(clock)
  const visible = visibleChannels(context)
  const isSubscribed = new Set(visible.filter(({ subscribers }) => subscribers.has(user.id)))
  const encode = (channel: ChannelState) => ({
    channelId: channel.channel.id,
    text: encodeChannel(channel, state, now, options.includeSubscribers),
    settings: viewSubscriptionSettings(channel, user.id, options.allowsNullSettings),
  })
  const subscribed = [...isSubscribed].map(encode)
  // Encoded before the wait below, as of the same event as the rest.
  const others = visible.filter((channel) => !isSubscribed.has(channel)).map(encode)
  const spans = others.length === 0 ? [] : await loadSpans(sql, user.id, -1 as EventId)
  const before = new Set(spans.filter(({ fromId }) => fromId <= asOf).map(({ channelId }) => channelId))
  const left = others.filter(({ channelId }) => before.has(channelId))
  const never = others.filter(({ channelId }) => !before.has(channelId))
  return {
    subscriptions: EncodedField.list(
      subscribed.map(({ text, settings }) => encodeSubscription(text, settings)),
    ),
    unsubscribed: EncodedField.list(left.map(({ text, settings }) => encodeSubscription(text, settings))),
    never_subscribed: EncodedField.list(never.map(({ text }) => text)),
  }
}

async function fetchUnread({ user, services, options, asOf }: RegistrationContext): Promise<Fields> {
  const unread = await readUnread(services.sql, user.id, asOf)
  return { unread_msgs: viewUnread(unread, user.id, options.allowEmptyTopic) }
}

async function fetchRecentConversations({ user, services, asOf }: RegistrationContext): Promise<Fields> {
  const recent = await readRecentConversations(services.sql, user.id, asOf, RECENT_CONVERSATIONS_MAX)
  return {
    recent_private_conversations: recent.map(({ userIds, newestId }) => ({
      user_ids: userIds.filter((id) => id !== user.id),
      max_message_id: newestId,
    })),
  }
}

function fetchLegacySettings(
  type: Parameters<typeof viewLegacySettings>[0],
  { user, services: { state }, options }: RegistrationContext,
): Fields {
  return options.hasSettingsObject ? {} : viewLegacySettings(type, state.settingsOf(user.id), user)
}

async function fetchDrafts({ user, services: { sql, state }, asOf }: RegistrationContext): Promise<Fields> {
  if (!state.settingsOf(user.id).enableDraftsSynchronization) return { drafts: [] }
  return { drafts: (await readDrafts(sql, user.id, asOf)).map(viewDraft) }
}
