/** The settings of notifications, as the rules for them ask. */

import type { ChannelNotifications, NotificationSettings } from '../../../packages/rules/notifications.ts'
import type { SubscriptionSettings } from '../entities.ts'
import { derived } from '../messages/derived.ts'
import type { UserSettings } from '../users/user-settings.ts'

/** The part of a user's settings; most users share the defaults. */
export const notificationSettingsOf = derived(
  (own: UserSettings): NotificationSettings => ({
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
  }),
)

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
