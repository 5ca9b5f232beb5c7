/** The settings of notifications, as the rules for them ask. */

import type { ChannelNotifications, NotificationSettings } from '../../../packages/rules/notifications.ts'
import type { SubscriptionSettings } from '../entities.ts'
import { derived } from '../messages/derived.ts'
import { USER_SETTINGS_DEFAULTS, type UserSettings } from '../users/user-settings.ts'

/** A user's settings of notifications. */
export interface OwnNotificationSettings extends NotificationSettings {
  /** Seconds for which messages are gathered into one mail. */
  readonly mailDelaySeconds: number
}

/**
 * The part of a user's settings that differ from the defaults. It is made once for each of these objects, which never
 * change: a message may ask for those of thousands of users.
 */
export const notificationSettingsOf = derived((changed: Partial<UserSettings>): OwnNotificationSettings => {
  const own = { ...USER_SETTINGS_DEFAULTS, ...changed }
  return {
    mailDelaySeconds: own.emailNotificationsBatchingPeriodSeconds,
    personal: {
      push: own.enableOfflinePushNotifications,
      mail: own.enableOfflineEmailNotifications,
      desktop: own.enableDesktopNotifications,
      sound: own.enableSounds,
    },
    followed: {
      push: own.enableFollowedTopicPushNotifications,
      mail: own.enableFollowedTopicEmailNotifications,
      desktop: own.enableFollowedTopicDesktopNotifications,
      sound: own.enableFollowedTopicAudibleNotifications,
    },
    channels: {
      push: own.enableStreamPushNotifications,
      mail: own.enableStreamEmailNotifications,
      desktop: own.enableStreamDesktopNotifications,
      sound: own.enableStreamAudibleNotifications,
    },
    hasWildcards: own.wildcardMentionsNotify,
    hasFollowedWildcards: own.enableFollowedTopicWildcardMentionsNotify,
  }
})

/** For users with all defaults. */
export const NO_OWN_SETTINGS: Partial<UserSettings> = {}

/** The part of a subscription's settings. */
export function channelNotificationsOf(settings: Partial<SubscriptionSettings> = {}): ChannelNotifications {
  return {
    isMuted: settings.isMuted ?? false,
    wildcards: settings.wildcardMentionsNotify ?? null,
    push: settings.pushNotifications ?? null,
    mail: settings.emailNotifications ?? null,
    desktop: settings.desktopNotifications ?? null,
    sound: settings.audibleNotifications ?? null,
  }
}
