/** Channels and subscriptions as clients see them. */

import type { SubscriptionSettings } from '../domain/entities.ts'
import type { ChannelId } from '../domain/ids.ts'
import type { ChannelState, OrganizationState } from '../state/organization-state.ts'

/** A channel without a message for so long counts as not recently active. */
const RECENTLY_ACTIVE_SECONDS = 180 * 24 * 3600
/** Told apart at a glance; which one a channel gets depends on its id alone, so nothing need be stored. */
const COLORS = [
  '#76ce90', '#fae589', '#a6c7e5', '#e79ab5', '#bfd56f', '#f4ae55', '#b0a5fd', '#addfe5',
  '#f5ce6e', '#c2726a', '#94c849', '#bd86e5', '#ee7e4a', '#a6dcbf', '#95a5fd', '#53a063',
] // biome-ignore format: a palette reads best in rows

/** What a subscriber has set; nothing can be changed yet, so these hold for all. */
function subscriptionSettings(channelId: ChannelId): SubscriptionSettings {
  return {
    color: COLORS[channelId % COLORS.length] as string,
    isMuted: false,
    isPinned: false,
    desktopNotifications: null,
    audibleNotifications: null,
    pushNotifications: null,
    emailNotifications: null,
    wildcardMentionsNotify: null,
  }
}

/** The channel object of `GET /streams`, less the group settings. */
export function viewChannel(
  { channel, ...rest }: ChannelState,
  state: OrganizationState,
  nowSeconds: number,
) {
  return {
    stream_id: channel.id,
    name: channel.name,
    is_archived: false,
    description: channel.description,
    rendered_description: channel.renderedDescription,
    date_created: channel.createdAt,
    creator_id: channel.creatorId,
    invite_only: channel.isPrivate,
    is_web_public: false,
    stream_post_policy: 1,
    is_announcement_only: false,
    message_retention_days: channel.retentionDays,
    history_public_to_subscribers: channel.isHistoryPublic,
    topics_policy: 'inherit',
    first_message_id: rest.firstMessageId,
    folder_id: null,
    is_recently_active: nowSeconds - (rest.lastMessageAt ?? channel.createdAt) < RECENTLY_ACTIVE_SECONDS,
    stream_weekly_traffic: null,
    subscriber_count: rest.subscribers.intersection(state.activeUsers).size,
  }
}

/** How a client wants subscriptions told. */
export interface SubscriptionViewOptions {
  readonly includeSubscribers: boolean
  /** Whether null for "as the user's default" is understood; else the default itself is told. */
  readonly allowsNullSettings: boolean
}

/** The subscription object of `GET /users/me/subscriptions`, less the group settings. */
export function viewSubscription(
  channel: ChannelState,
  state: OrganizationState,
  nowSeconds: number,
  { includeSubscribers, allowsNullSettings }: SubscriptionViewOptions,
) {
  const settings = subscriptionSettings(channel.channel.id)
  const orDefault = (value: boolean | null, usual: boolean) => (allowsNullSettings ? value : (value ?? usual))
  return {
    ...viewChannel(channel, state, nowSeconds),
    ...(includeSubscribers ? { subscribers: viewSubscribers(channel, state) } : {}),
    desktop_notifications: orDefault(settings.desktopNotifications, false),
    email_notifications: orDefault(settings.emailNotifications, false),
    wildcard_mentions_notify: orDefault(settings.wildcardMentionsNotify, true),
    push_notifications: orDefault(settings.pushNotifications, false),
    audible_notifications: orDefault(settings.audibleNotifications, false),
    pin_to_top: settings.isPinned,
    is_muted: settings.isMuted,
    in_home_view: !settings.isMuted,
    color: settings.color,
  }
}

/** The active subscribers, by id. */
export function viewSubscribers({ subscribers }: ChannelState, state: OrganizationState): number[] {
  return subscribers.intersection(state.activeUsers).toArray()
}
