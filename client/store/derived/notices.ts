/** Which messages notify, by the user's own settings. */

import {
  type ChannelNotifications,
  decideNotifications,
  NO_NOTIFICATIONS,
  type Notifications,
  type NotificationSettings,
} from '../../../packages/rules/notifications.ts'
import { findSilence } from '../../../packages/rules/silence.ts'
import { TOPIC_VISIBILITIES } from '../../../packages/rules/topics.ts'
import type { Message, OwnSettings, Subscription } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../apply.ts'
import { channelsById } from './channels.ts'
import { mutedPeople } from './muted-people.ts'
import { visibilityOf } from './unread.ts'

/** The fields that decide. */
export type NoticedMessage = Pick<Message, 'sender_id' | 'type' | 'stream_id' | 'subject'>

/** Why a message notifies on the desktop and by a sound. */
export function noticeOf(
  state: State,
  message: NoticedMessage,
  flags: readonly string[],
): Pick<Notifications, 'desktop' | 'sound'> {
  const { user_settings: settings } = state
  if (!settings) return NO_NOTIFICATIONS
  const { stream_id: channelId, subject: topic } = message
  const subscription = channelId === undefined ? undefined : channelsById(state).get(channelId)?.subscription
  return decideNotifications(
    {
      isDirect: channelId === undefined,
      isOwn: message.sender_id === state.user_id,
      isRead: flags.includes('read'),
      isMentioned: flags.includes('mentioned'),
      isGroupMentioned: false, // Clients do not get the group.
      isForTopic: flags.includes('topic_wildcard_mentioned'),
      isForChannel: flags.includes('stream_wildcard_mentioned') || flags.includes('wildcard_mentioned'),
      hasAlertWord: flags.includes('has_alert_word'),
    },
    {
      isActivePerson: true,
      settings: settingsOf(settings),
      channel: subscription && ofChannel(subscription),
      topicVisibility:
        channelId === undefined ? 0 : TOPIC_VISIBILITIES[visibilityOf(state, channelId, topic)],
      hasMutedSender: mutedPeople(state).has(message.sender_id),
      isUndisturbed: findSilence(
        { pausedUntil: settings.parley_notifications_paused_until, quietHours: settings.parley_quiet_hours },
        Math.floor(Date.now() / 1_000),
      ).isSilent,
    },
  )
}

function settingsOf(own: OwnSettings): NotificationSettings {
  return {
    personal: {
      push: own.enable_offline_push_notifications,
      mail: own.enable_offline_email_notifications,
      desktop: own.enable_desktop_notifications,
      sound: own.enable_sounds,
    },
    followed: {
      push: own.enable_followed_topic_push_notifications,
      mail: own.enable_followed_topic_email_notifications,
      desktop: own.enable_followed_topic_desktop_notifications,
      sound: own.enable_followed_topic_audible_notifications,
    },
    channels: {
      push: own.enable_stream_push_notifications,
      mail: own.enable_stream_email_notifications,
      desktop: own.enable_stream_desktop_notifications,
      sound: own.enable_stream_audible_notifications,
    },
    hasWildcards: own.wildcard_mentions_notify,
    hasFollowedWildcards: own.enable_followed_topic_wildcard_mentions_notify,
  }
}

function ofChannel(subscription: Subscription): ChannelNotifications {
  return {
    isMuted: subscription.is_muted,
    wildcards: subscription.wildcard_mentions_notify,
    push: subscription.push_notifications,
    mail: subscription.email_notifications,
    desktop: subscription.desktop_notifications,
    sound: subscription.audible_notifications,
  }
}
