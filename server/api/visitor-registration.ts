/** The initial state for visitors: what the organization shows to everyone on the web, and nothing of any account. */

import { nowSeconds } from '../domain/clock.ts'
import type { Channel } from '../domain/entities.ts'
import type { GroupSetting } from '../domain/groups/group-settings.ts'
import { SYSTEM_GROUPS } from '../domain/groups/system-groups.ts'
import { USER_SETTINGS_DEFAULTS } from '../domain/users/user-settings.ts'
import { UserSet } from '../domain/users/user-set.ts'
import { VISITOR } from '../domain/users/visitor.ts'
import type { ChannelState } from '../state/channel-state.ts'
import { subscriptionSettings, viewChannel, viewSubscriptionSettings } from '../views/channel-view.ts'
import { viewCustomEmoji } from '../views/custom-emoji-view.ts'
import { viewFolder } from '../views/folder-view.ts'
import { viewGroup } from '../views/group-view.ts'
import { shownSettings, viewOrganizationChange } from '../views/organization-view.ts'
import { PROFILE_FIELD_TYPES_VIEW } from '../views/profile-field-view.ts'
import { viewLegacySettings, viewSettings } from '../views/settings-view.ts'
import { UNKNOWN_AVATAR } from '../views/user-view.ts'
import type { ReplyOf } from './operation.ts'
import { STATE_FIELDS, STATE_PARTS, VERSION } from './registration.ts'
import type { RegistrationContext } from './registration/context.ts'
import { viewOwnPermissions } from './registration/own-permissions.ts'

type Types = keyof typeof STATE_PARTS
type Fields = Partial<ReplyOf<typeof STATE_FIELDS>>
/** `same`: as for a user. */
type VisitorPart = 'same' | ((context: RegistrationContext) => Fields | Promise<Fields>)

/** Each new part of the state needs a choice here. Most fields are there and empty: clients need no case of their own. */
const VISITOR_PARTS: { readonly [Type in Types]: VisitorPart } = {
  realm: viewOrganizationInPublic,
  realm_user_settings_defaults: () => ({}),
  realm_linkifiers: () => ({ realm_linkifiers: [] }),
  realm_filters: 'same',
  realm_playgrounds: () => ({ realm_playgrounds: [] }),
  realm_domains: () => ({ realm_domains: [] }),
  presence: ({ services: { clock } }) => ({
    presences: {},
    presence_last_update_id: -1,
    server_timestamp: clock.nowMs() / 1000,
  }),
  realm_user: viewNoUsers,
  realm_bot: () => ({ realm_bots: [] }),
  realm_user_groups: listSystemGroups,
  user_group: listSystemGroups,
  custom_profile_fields: () => ({
    custom_profile_fields: [],
    custom_profile_field_types: PROFILE_FIELD_TYPES_VIEW,
  }),
  user_settings: () => ({ user_settings: viewSettings(USER_SETTINGS_DEFAULTS, VISITOR) }),
  update_display_settings: ({ options }) =>
    options.hasSettingsObject
      ? {}
      : viewLegacySettings('update_display_settings', USER_SETTINGS_DEFAULTS, VISITOR),
  update_global_notifications: ({ options }) =>
    options.hasSettingsObject
      ? {}
      : viewLegacySettings('update_global_notifications', USER_SETTINGS_DEFAULTS, VISITOR),
  user_status: () => ({ user_status: {} }),
  subscription: listSubscriptions,
  stream: (context) => ({ streams: listChannels(context) }),
  default_streams: () => ({ realm_default_streams: [] }),
  channel_folders: listFolders,
  channel_folder: listFolders,
  muted_topics: () => ({ muted_topics: [] }),
  user_topic: () => ({ user_topics: [] }),
  message: () => ({ max_message_id: 0 }),
  update_message_flags: () => ({}),
  starred_messages: () => ({ starred_messages: [] }),
  recent_private_conversations: () => ({ recent_private_conversations: [] }),
  drafts: () => ({ drafts: [] }),
  saved_snippets: () => ({ saved_snippets: [] }),
  navigation_view: () => ({ navigation_views: [] }),
  navigation_views: () => ({ navigation_views: [] }),
  device: () => ({ devices: {} }),
  muted_users: () => ({ muted_users: [] }),
  alert_words: () => ({ alert_words: [] }),
  realm_emoji: ({ services: { state } }) => ({
    realm_emoji: Object.fromEntries(
      Object.entries(viewCustomEmoji(state.emoji)).map(([id, emoji]) => [id, { ...emoji, author_id: null }]),
    ),
  }),
  default_stream_groups: () => ({ realm_default_stream_groups: [] }),
  giphy: 'same',
  has_provider_token: () => ({ has_provider_token: false }),
  onboarding_steps: 'same',
  realm_billing: 'same',
  realm_embedded_bots: 'same',
  realm_incoming_webhook_bots: 'same',
  channel_pins: () => ({ channel_pins: [] }),
  scheduled_messages: () => ({ scheduled_messages: [] }),
  reminders: () => ({ reminders: [] }),
  stop_words: 'same',
}

/** The fields for these event types, and the server's version; null means all. Unknown types add nothing. */
export async function fetchVisitorState(
  context: RegistrationContext,
  types: readonly string[] | null,
): Promise<ReplyOf<typeof STATE_FIELDS>> {
  const wanted = (Object.keys(VISITOR_PARTS) as Types[]).filter((type) => types?.includes(type) ?? true)
  const fetched = await Promise.all(
    wanted.map(async (type) => {
      const part = VISITOR_PARTS[type]
      return part === 'same' ? STATE_PARTS[type].fetch(context) : part(context)
    }),
  )
  return Object.assign({ ...VERSION }, ...fetched) as ReplyOf<typeof STATE_FIELDS>
}

/** Settings that name people or groups of them look like nobody's. */
function inPublic(setting: GroupSetting): GroupSetting {
  const isSystem = typeof setting === 'number' && Object.values(SYSTEM_GROUPS).includes(setting)
  return isSystem ? setting : SYSTEM_GROUPS.nobody
}

function permissionsInPublic<Given extends Readonly<Record<string, GroupSetting>>>(
  permissions: Given,
): Given {
  return Object.fromEntries(
    Object.entries(permissions).map(([name, setting]) => [name, inPublic(setting)]),
  ) as Given
}

async function viewOrganizationInPublic(context: RegistrationContext): Promise<Fields> {
  const { state } = context.services
  const { permissions, rights } = state
  const shown = {
    // Private channels, and a text for new users only.
    settings: {
      ...shownSettings(state),
      announcementsChannelId: null,
      moderationChannelId: null,
      welcomeMessageCustomText: '',
    },
    permissions: permissionsInPublic(permissions),
  }
  return {
    ...(await STATE_PARTS.realm.fetch(context)),
    ...viewOrganizationChange(shown, rights.activeUsers, 'realm_'),
  }
}

function viewNoUsers({ services }: RegistrationContext): Fields {
  return {
    realm_users: [],
    realm_non_active_users: [],
    cross_realm_bots: [],
    user_id: VISITOR.id,
    email: VISITOR.email,
    delivery_email: VISITOR.email,
    full_name: VISITOR.fullName,
    ...UNKNOWN_AVATAR,
    is_owner: false,
    is_admin: false,
    is_moderator: false,
    is_guest: true,
    ...viewOwnPermissions(VISITOR, services),
  }
}

function listSystemGroups({ services: { state } }: RegistrationContext): Fields {
  const system = [...state.groups.groups.values()].filter(({ group }) => group.isSystem)
  return {
    realm_user_groups: system.map((group) =>
      viewGroup({ ...group, directMembers: UserSet.empty }, state.rights.activeUsers),
    ),
  }
}

function visibleChannels({ services: { state } }: RegistrationContext): ChannelState[] {
  return state.visibleChannels(VISITOR)
}

function listChannels(context: RegistrationContext) {
  const { state, clock } = context.services
  return visibleChannels(context).map((one) => {
    const { channel } = one
    const shown: Channel = {
      ...channel,
      creatorId: null,
      permissions: permissionsInPublic(channel.permissions),
    }
    return viewChannel({ ...one, channel: shown }, state, nowSeconds(clock))
  })
}

/** Visitors read all web-public channels, as if they were subscribed to them. */
function listSubscriptions(context: RegistrationContext): Fields {
  const visible = visibleChannels(context)
  const settings = visible.map((one) =>
    viewSubscriptionSettings(subscriptionSettings(one, VISITOR.id), context.options.allowsNullSettings),
  )
  return {
    subscriptions: listChannels(context).map((view, index) => ({
      ...view,
      ...(settings[index] as (typeof settings)[number]),
    })),
    unsubscribed: [],
    never_subscribed: [],
  }
}

/** The folders of web-public channels. */
function listFolders(context: RegistrationContext): Fields {
  const { folders } = context.services.state
  const used = new Set(visibleChannels(context).map(({ channel }) => channel.folderId))
  return {
    channel_folders: folders
      .map((folder, order) => viewFolder({ ...folder, creatorId: null }, order))
      .filter(({ id }) => [...used].some((one) => one === id)),
  }
}
