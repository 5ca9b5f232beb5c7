/** Settings as clients that do not know them as one object see them: in two families, each with events of its own. */

import type { UserSettingChange } from '../users/user-settings.ts'

type SettingName = UserSettingChange['name']

/** The settings of each family; such clients do not see the others. */
export const LEGACY_SETTINGS = {
  update_display_settings: [
    'colorScheme',
    'defaultLanguage',
    'demoteInactiveStreams',
    'emojiset',
    'enableDraftsSynchronization',
    'enterSends',
    'fluidLayoutWidth',
    'highContrastMode',
    'leftSideUserlist',
    'receivesTyping',
    'starredMessageCounts',
    'timezone',
    'translatesEmoticons',
    'twentyFourHourTime',
    'webHomeView',
  ],
  update_global_notifications: [
    'desktopIconCountDisplay',
    'emailNotificationsBatchingPeriodSeconds',
    'enableDesktopNotifications',
    'enableDigestEmails',
    'enableLoginEmails',
    'enableMarketingEmails',
    'enableOfflineEmailNotifications',
    'enableOfflinePushNotifications',
    'enableOnlinePushNotifications',
    'enableSounds',
    'enableStreamAudibleNotifications',
    'enableStreamDesktopNotifications',
    'enableStreamEmailNotifications',
    'enableStreamPushNotifications',
    'messageContentInEmailNotifications',
    'notificationSound',
    'pmContentInDesktopNotifications',
    'presenceEnabled',
    'realmNameInEmailNotificationsPolicy',
    'wildcardMentionsNotify',
  ],
} as const satisfies Readonly<Record<string, readonly SettingName[]>>
/** The events of a family. */
export type LegacySettingType = keyof typeof LEGACY_SETTINGS

/** The event by which such clients are notified of a setting; undefined if they do not see it. */
export function legacyTypeOf(name: SettingName): LegacySettingType | undefined {
  const families: Readonly<Record<LegacySettingType, readonly SettingName[]>> = LEGACY_SETTINGS
  return (Object.keys(families) as LegacySettingType[]).find((type) => families[type].includes(name))
}
