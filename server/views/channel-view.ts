/** Channels and subscriptions as clients see them. */

import { derivedWith } from '../domain/messages/derived.ts'
import type { Channel, SubscriptionSettings } from '../domain/entities.ts'
import type { ChannelChange, ShownChannelChange } from '../domain/events/channels.ts'
import type { ShownSubscriptionChange, SubscriptionChange } from '../domain/events/subscriptions.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import { postPolicyOf } from '../domain/channels/post-policy.ts'
import type { UserSet } from '../domain/users/user-set.ts'
import { estimateWeeklyTraffic } from '../domain/messages/weekly-traffic.ts'
import type { ChannelState } from '../state/channel-state.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import {
  GROUP_SETTING,
  permissionName,
  permissionSchemas,
  viewGroupSetting,
  viewPermissions,
} from './permission-view.ts'
import {
  anyOf,
  arrayOf,
  BOOLEAN,
  INTEGER,
  orNull,
  record,
  STRING,
  type ValueOf,
} from '../domain/json-schema.ts'
import { CHANNEL_PERMISSIONS } from '../domain/groups/permissions.ts'

const CHANNEL_SETTING_FIELDS = {
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
  parley_link_previews: BOOLEAN,
  folder_id: orNull(INTEGER),
  ...permissionSchemas(CHANNEL_PERMISSIONS),
}
const CHANNEL_ACTIVITY_FIELDS = {
  first_message_id: orNull(INTEGER),
  is_recently_active: BOOLEAN,
  stream_weekly_traffic: orNull(INTEGER),
  subscriber_count: INTEGER,
}
const CHANNEL_FIELDS = { ...CHANNEL_SETTING_FIELDS, ...CHANNEL_ACTIVITY_FIELDS }

/** Schema of `viewChannel`. */
export const CHANNEL = record(CHANNEL_FIELDS)

/** Schema of `viewChannel`, with `is_default` if default channels were requested. */
export const LISTED_CHANNEL = record(CHANNEL_FIELDS, { is_default: BOOLEAN })

const SUBSCRIPTION_SETTING_FIELDS = {
  desktop_notifications: orNull(BOOLEAN),
  email_notifications: orNull(BOOLEAN),
  wildcard_mentions_notify: orNull(BOOLEAN),
  push_notifications: orNull(BOOLEAN),
  audible_notifications: orNull(BOOLEAN),
  pin_to_top: BOOLEAN,
  is_muted: BOOLEAN,
  in_home_view: BOOLEAN,
  color: STRING,
}

const SUBSCRIBER_LISTS = { subscribers: arrayOf(INTEGER), partial_subscribers: arrayOf(INTEGER) }

/** Schema of `viewSubscription`. */
export const SUBSCRIPTION = record({ ...CHANNEL_FIELDS, ...SUBSCRIPTION_SETTING_FIELDS }, SUBSCRIBER_LISTS)

/** Schema of a channel with its subscribers, if they were requested. */
export const NEVER_SUBSCRIBED = record(CHANNEL_FIELDS, SUBSCRIBER_LISTS)

/** Schema of `viewChannelChange`. */
export const CHANNEL_CHANGE_FIELDS = {
  property: STRING,
  value: anyOf(orNull(INTEGER), STRING, BOOLEAN, GROUP_SETTING),
}
/** Fields that come with a changed description or a changed privacy. */
export const CHANNEL_CHANGE_OPTIONAL_FIELDS = {
  rendered_description: STRING,
  history_public_to_subscribers: BOOLEAN,
  is_web_public: BOOLEAN,
}
const CHANNEL_CHANGE = record(CHANNEL_CHANGE_FIELDS, CHANNEL_CHANGE_OPTIONAL_FIELDS)

/** Schema of `viewSubscriptionChange`. */
export const SUBSCRIPTION_CHANGE_FIELDS = { property: STRING, value: anyOf(orNull(BOOLEAN), STRING) }
const SUBSCRIPTION_CHANGE = record(SUBSCRIPTION_CHANGE_FIELDS)

/** A channel without a message for this long is not recently active. */
const RECENTLY_ACTIVE_SECONDS = 180 * 24 * 3600
/** With fewer subscribers, a partial list is the whole list. */
const PARTIAL_SUBSCRIBERS_MIN = 250
/** Easy to tell apart. A channel's color depends on its id alone, so it need not be stored. */
const COLORS = [
  '#76ce90', '#fae589', '#a6c7e5', '#e79ab5', '#bfd56f', '#f4ae55', '#b0a5fd', '#addfe5',
  '#f5ce6e', '#c2726a', '#94c849', '#bd86e5', '#ee7e4a', '#a6dcbf', '#95a5fd', '#53a063',
] // biome-ignore format: a palette reads best in rows

/** The default settings of a subscriber, without the color. */
const COMMON_DEFAULTS: Omit<SubscriptionSettings, 'color'> = {
  isMuted: false,
  isPinned: false,
  desktopNotifications: null,
  audibleNotifications: null,
  pushNotifications: null,
  emailNotifications: null,
  wildcardMentionsNotify: null,
}

/** The default settings of a subscriber, one entry per color. */
export const DEFAULT_SETTINGS: readonly SubscriptionSettings[] = COLORS.map((color) => ({
  color,
  ...COMMON_DEFAULTS,
}))

/** A channel's default color. */
export function defaultColorOf(channelId: ChannelId): string {
  return COLORS[channelId % COLORS.length] as string
}

/** A subscriber's settings for a channel, completed with defaults. */
export function subscriptionSettings(channel: ChannelState, userId: UserId): SubscriptionSettings {
  return { color: defaultColorOf(channel.channel.id), ...COMMON_DEFAULTS, ...channel.settings.get(userId) }
}

/** The channel object of `GET /streams`. */
export function viewChannel(
  channel: ChannelState,
  state: OrganizationState,
  nowSeconds: number,
): ValueOf<typeof CHANNEL> {
  return {
    ...viewChannelSettings(channel.channel, state.rights.activeUsers),
    ...viewChannelActivity(channel, state, nowSeconds),
  }
}

/** The fields of a channel that change as users subscribe, unsubscribe and post. */
export function viewChannelActivity(
  { channel, subscribers, firstMessageId, lastMessageAt, dailyCounts }: ChannelState,
  { rights: { activeUsers } }: OrganizationState,
  nowSeconds: number,
): Pick<ValueOf<typeof CHANNEL>, keyof typeof CHANNEL_ACTIVITY_FIELDS> {
  return {
    first_message_id: firstMessageId,
    is_recently_active: nowSeconds - (lastMessageAt ?? channel.createdAt) < RECENTLY_ACTIVE_SECONDS,
    stream_weekly_traffic: estimateWeeklyTraffic(dailyCounts, channel.createdAt, nowSeconds),
    subscriber_count: countActive(subscribers, activeUsers),
  }
}

const countActive = derivedWith((subscribers: UserSet, activeUsers: UserSet) =>
  subscribers.countShared(activeUsers),
)

type SettingsView = Pick<ValueOf<typeof CHANNEL>, keyof typeof CHANNEL_SETTING_FIELDS>

/** The settings of a channel. All viewers share the object until the channel or a user account changes. */
export const viewChannelSettings = derivedWith((channel: Channel, activeUsers: UserSet): SettingsView => {
  const postPolicy = postPolicyOf(channel.permissions.canSendMessage)
  return {
    stream_id: channel.id,
    name: channel.name,
    is_archived: channel.isArchived,
    description: channel.description,
    rendered_description: channel.renderedDescription,
    date_created: channel.createdAt,
    creator_id: channel.creatorId,
    invite_only: channel.isPrivate,
    is_web_public: channel.isWebPublic,
    stream_post_policy: postPolicy,
    is_announcement_only: postPolicy === 2,
    message_retention_days: channel.retentionDays,
    history_public_to_subscribers: channel.isHistoryPublic,
    topics_policy: channel.topicsPolicy,
    parley_link_previews: channel.hasLinkPreviews,
    folder_id: channel.folderId,
    ...viewPermissions(channel.permissions, activeUsers),
  }
})

/** One change of a channel as the fields of its event. */
export function viewChannelChange(
  change: ChannelChange | ShownChannelChange,
  activeUsers: UserSet,
): ValueOf<typeof CHANNEL_CHANGE> {
  switch (change.kind) {
    case 'name':
      return { property: 'name', value: change.name }
    case 'description':
      return {
        property: 'description',
        value: change.description,
        rendered_description: change.renderedDescription,
      }
    case 'privacy':
      return {
        property: 'invite_only',
        value: change.isPrivate,
        history_public_to_subscribers: change.isHistoryPublic,
        is_web_public: change.isWebPublic,
      }
    case 'retention':
      return { property: 'message_retention_days', value: change.retentionDays }
    case 'topicsPolicy':
      return { property: 'topics_policy', value: change.topicsPolicy }
    case 'linkPreviews':
      return { property: 'parley_link_previews', value: change.hasLinkPreviews }
    case 'folder':
      return { property: 'folder_id', value: change.folderId }
    case 'archived':
      return { property: 'is_archived', value: change.isArchived }
    case 'permission':
      return {
        property: permissionName(change.permission),
        value: viewGroupSetting(change.setting, activeUsers),
      }
    case 'postPolicy':
      return { property: 'stream_post_policy', value: change.postPolicy }
    case 'announcementOnly':
      return { property: 'is_announcement_only', value: change.isAnnouncementOnly }
    case 'firstMessage':
      return { property: 'first_message_id', value: change.firstMessageId }
  }
}

/** The settings of a subscriber, by wire name; null inherits the user's default named here. */
export const SUBSCRIPTION_PROPERTIES = {
  color: { name: 'color', fallback: null },
  isMuted: { name: 'is_muted', fallback: null },
  inHomeView: { name: 'in_home_view', fallback: null },
  isPinned: { name: 'pin_to_top', fallback: null },
  desktopNotifications: { name: 'desktop_notifications', fallback: false },
  audibleNotifications: { name: 'audible_notifications', fallback: false },
  pushNotifications: { name: 'push_notifications', fallback: false },
  emailNotifications: { name: 'email_notifications', fallback: false },
  wildcardMentionsNotify: { name: 'wildcard_mentions_notify', fallback: true },
} as const satisfies Readonly<
  Record<
    (SubscriptionChange | ShownSubscriptionChange)['property'],
    { readonly name: string; readonly fallback: boolean | null }
  >
>

/** One change of a subscription as the fields of its event. */
export function viewSubscriptionChange(
  { property, value }: SubscriptionChange | ShownSubscriptionChange,
  allowsNullSettings: boolean,
): ValueOf<typeof SUBSCRIPTION_CHANGE> {
  const { name, fallback } = SUBSCRIPTION_PROPERTIES[property]
  return { property: name, value: value === null && !allowsNullSettings ? fallback : value }
}

/** The form in which a client wants subscriptions. */
export interface SubscriptionViewOptions {
  /** `partial` omits users from long lists who were not seen for two weeks. */
  readonly includeSubscribers: boolean | 'partial'
  /** Whether the client understands null as "the user's default"; other clients get the default itself. */
  readonly allowsNullSettings: boolean
}

type NotificationProperty =
  | 'desktopNotifications'
  | 'emailNotifications'
  | 'wildcardMentionsNotify'
  | 'pushNotifications'
  | 'audibleNotifications'

/** The viewer of a subscription, and the time. */
export interface SubscriptionContext {
  readonly state: OrganizationState
  readonly nowSeconds: number
  readonly recipient: { readonly userId: UserId }
  readonly options: SubscriptionViewOptions
}

/** The subscription object of `GET /users/me/subscriptions`. */
export function viewSubscription(
  channel: ChannelState,
  { state, nowSeconds, recipient: { userId }, options }: SubscriptionContext,
): ValueOf<typeof SUBSCRIPTION> {
  return {
    ...viewChannel(channel, state, nowSeconds),
    ...viewSubscriberList(chooseSubscribers(channel, state, nowSeconds, options.includeSubscribers)),
    ...viewSubscriptionSettings(subscriptionSettings(channel, userId), options.allowsNullSettings),
  }
}

/** The subscriber's own fields of a subscription object. */
export function viewSubscriptionSettings(
  settings: SubscriptionSettings,
  allowsNullSettings: boolean,
): Pick<ValueOf<typeof SUBSCRIPTION>, keyof typeof SUBSCRIPTION_SETTING_FIELDS> {
  const notifies = (property: NotificationProperty) =>
    settings[property] ?? (allowsNullSettings ? null : SUBSCRIPTION_PROPERTIES[property].fallback)
  return {
    desktop_notifications: notifies('desktopNotifications'),
    email_notifications: notifies('emailNotifications'),
    wildcard_mentions_notify: notifies('wildcardMentionsNotify'),
    push_notifications: notifies('pushNotifications'),
    audible_notifications: notifies('audibleNotifications'),
    pin_to_top: settings.isPinned,
    is_muted: settings.isMuted,
    in_home_view: !settings.isMuted,
    color: settings.color,
  }
}

/** The field that lists a channel's subscribers, and the set of users that it may list. */
export interface ChosenSubscribers {
  readonly field: 'subscribers' | 'partial_subscribers'
  readonly subscribers: UserSet
  readonly among: UserSet
}

/** The subscribers to list: all active ones, only those of interest in a long list, or none. */
export function chooseSubscribers(
  { subscribers }: ChannelState,
  state: OrganizationState,
  nowSeconds: number,
  includeSubscribers: boolean | 'partial',
): ChosenSubscribers | undefined {
  if (includeSubscribers === false) return undefined
  const { activeUsers } = state.rights
  return includeSubscribers === true || countActive(subscribers, activeUsers) < PARTIAL_SUBSCRIBERS_MIN
    ? { field: 'subscribers', subscribers, among: activeUsers }
    : { field: 'partial_subscribers', subscribers, among: state.usersOfInterest(nowSeconds) }
}

function viewSubscriberList(
  chosen: ChosenSubscribers | undefined,
): Partial<Record<ChosenSubscribers['field'], number[]>> {
  return chosen ? { [chosen.field]: chosen.subscribers.intersection(chosen.among).toArray() } : {}
}

/** The active subscribers, in the order of their ids. */
export function viewSubscribers({ subscribers }: ChannelState, state: OrganizationState): number[] {
  return subscribers.intersection(state.rights.activeUsers).toArray()
}
