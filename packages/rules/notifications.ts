/** Decides for a message and a reader whether it notifies them, and how: the same on the server and in the client. */

import { isTopicMuted, TOPIC_VISIBILITIES } from './topics.ts'

/** The ways to notify: a push to devices, an email, a note on the desktop, and a sound with it. */
export const NOTIFICATION_WAYS = ['push', 'mail', 'desktop', 'sound'] as const
export type NotificationWay = (typeof NOTIFICATION_WAYS)[number]

/**
 * Why a message notifies. If several reasons hold, it is the first of these: a message that names its reader is more than
 * another one of a channel.
 */
export type NotificationTrigger =
  | 'direct_message'
  | 'mention'
  | 'group_mention'
  | 'topic_wildcard'
  | 'channel_wildcard'
  | 'alert_word'
  | 'followed_topic'
  | 'channel'

/** The trigger of each way; null for a way that does not notify. */
export type Notifications = Readonly<Record<NotificationWay, NotificationTrigger | null>>

type Switches = Readonly<Record<NotificationWay, boolean>>

/** A user's own settings. */
export interface NotificationSettings {
  /** For direct messages, mentions and alert words. */
  readonly personal: Switches
  /** For all messages in followed topics. */
  readonly followed: Switches
  /** For all messages in channels without a setting of their own. */
  readonly channels: Switches
  /** Whether mentions of everyone count as mentions. */
  readonly hasWildcards: boolean
  /** The same in followed topics. */
  readonly hasFollowedWildcards: boolean
}

/** Settings of a channel; null follows the user's settings. */
export interface ChannelNotifications extends Readonly<Record<NotificationWay, boolean | null>> {
  readonly isMuted: boolean
  readonly wildcards: boolean | null
}

/** A reader of a message, with the settings that matter for it. */
export interface NotifiedReader {
  /** False for bots and for deactivated users. */
  readonly isActivePerson: boolean
  readonly settings: NotificationSettings
  /** The subscription to the message's channel; undefined without one. */
  readonly channel: ChannelNotifications | undefined
  /** The user's choice for the topic. */
  readonly topicVisibility: number
  readonly hasMutedSender: boolean
  /** Whether the user wants silence now (`findSilence`): only emails notify then, and they wait. */
  readonly isUndisturbed?: boolean
}

/** A message for one of its readers. */
export interface NotifyingMessage {
  readonly isDirect: boolean
  /** Whether the reader sent it. */
  readonly isOwn: boolean
  readonly isRead: boolean
  /** Mentioned by name. */
  readonly isMentioned: boolean
  /** Mentioned through a group alone. */
  readonly isGroupMentioned: boolean
  readonly isForTopic: boolean
  readonly isForChannel: boolean
  readonly hasAlertWord: boolean
}

/** The answer for a message that does not notify. */
export const NO_NOTIFICATIONS: Notifications = { push: null, mail: null, desktop: null, sound: null }

/** Whether a message notifies a reader, and why, for each way. When it may is another question: `mayNotifyNow`. */
export function decideNotifications(message: NotifyingMessage, reader: NotifiedReader): Notifications {
  if (!reader.isActivePerson || message.isOwn || message.isRead || reader.hasMutedSender)
    return NO_NOTIFICATIONS
  if (!message.isDirect && !reader.channel) return NO_NOTIFICATIONS
  const isSilent = reader.isUndisturbed === true
  const personal = findPersonalTrigger(message, reader)
  const find = (way: NotificationWay): NotificationTrigger | null => {
    if (isSilent && way !== 'mail') return null
    if (personal !== null && reader.settings.personal[way]) return personal
    return message.isDirect ? null : findChannelTrigger(reader, way)
  }
  return { push: find('push'), mail: find('mail'), desktop: find('desktop'), sound: find('sound') }
}

/** Why a message is meant for its reader; null for another message of a channel. Mutes of topics do not matter for names. */
function findPersonalTrigger(message: NotifyingMessage, reader: NotifiedReader): NotificationTrigger | null {
  if (message.isDirect) return 'direct_message'
  if (message.isMentioned) return 'mention'
  if (message.isGroupMentioned) return 'group_mention'
  if ((message.isForTopic || message.isForChannel) && wantsWildcards(reader))
    return message.isForTopic ? 'topic_wildcard' : 'channel_wildcard'
  return message.hasAlertWord ? 'alert_word' : null
}

function wantsWildcards({ settings, channel, topicVisibility }: NotifiedReader): boolean {
  if (isTopicMuted(topicVisibility, channel?.isMuted ?? false)) return false
  if (topicVisibility === TOPIC_VISIBILITIES.followed && settings.hasFollowedWildcards) return true
  return channel?.wildcards ?? settings.hasWildcards
}

function findChannelTrigger(
  { settings, channel, topicVisibility }: NotifiedReader,
  way: NotificationWay,
): NotificationTrigger | null {
  if (isTopicMuted(topicVisibility, channel?.isMuted ?? false)) return null
  if (topicVisibility === TOPIC_VISIBILITIES.followed && settings.followed[way]) return 'followed_topic'
  return (channel?.[way] ?? settings.channels[way]) ? 'channel' : null
}

/** Seconds after the last activity until a user counts as away: two reports of a client, and a margin. */
export const AWAY_AFTER_SECONDS = 140

/** A reader at the time at which a notification is due. */
export interface DueReader {
  readonly now: number
  /** When they were last active. */
  readonly activeAt: number
  readonly wantsPushWhileActive: boolean
  /** When the silence that they want ends; earlier than now for none. */
  readonly silentUntil: number
}

/**
 * When a notification that is due may go out, as are all times in UNIX seconds; at the latest now. It waits until its reader is
 * away: somebody who is active reads in the client. An email waits until the silence is over. A push does not: it would come
 * late, in numbers, and be old, so `decideNotifications` drops it.
 */
export function findNotifyTime(
  way: 'push' | 'mail',
  { now, activeAt, wantsPushWhileActive, silentUntil }: DueReader,
): number {
  const awayAt = way === 'push' && wantsPushWhileActive ? now : activeAt + AWAY_AFTER_SECONDS
  return Math.max(now, awayAt, way === 'mail' ? silentUntil : now)
}
