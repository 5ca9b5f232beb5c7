/** What users set for themselves: every setting with what it may be, and what it is until it is set. */

import { between, choice, flag, initialValues, language, type ValuesOfSettings } from './setting-kinds.ts'

/** How emoji may look, by key, with what people call it. */
export const EMOJI_SETS = {
  google: 'Google',
  'google-blob': 'Google blobs',
  twitter: 'Twitter',
  text: 'Plain text',
} as const
/** The sounds of notifications; a user may also have none. */
export const NOTIFICATION_SOUNDS = ['ding'] as const

/** The server follows the first seven; the others are for clients to follow. */
export const USER_SETTINGS = {
  translatesEmoticons: flag(false, 'Whether `:)` becomes an emoji in what the user writes.'),
  sendsReadReceipts: flag(true, 'Whether others may see what the user has read.'),
  sendsDirectTyping: flag(true, 'Whether partners are told that the user types.'),
  sendsChannelTyping: flag(true, 'Whether subscribers are told that the user types.'),
  receivesTyping: flag(true, 'Whether the user is told that others type.'),
  enableDraftsSynchronization: flag(true, 'Whether drafts are kept on the server.'),
  resolvedTopicNoticeAutoReadPolicy: choice(
    ['always', 'except_followed', 'never'],
    'except_followed',
    'Whether notices that a topic is resolved, or no longer, come as read.',
  ),

  twentyFourHourTime: flag(false),
  enterSends: flag(false),
  starredMessageCounts: flag(true),
  fluidLayoutWidth: flag(false),
  highContrastMode: flag(false),
  colorScheme: choice([1, 2, 3], 1, '1 as the device, 2 dark, 3 light.'),
  displayEmojiReactionUsers: flag(true),
  defaultLanguage: language('en'),
  leftSideUserlist: flag(false),
  emojiset: choice(Object.keys(EMOJI_SETS) as (keyof typeof EMOJI_SETS)[], 'google'),
  demoteInactiveStreams: choice([1, 2, 3], 1, '1 where there are many channels, 2 always, 3 never.'),
  userListStyle: choice([1, 2, 3], 2, '1 names, 2 with status, 3 with avatars, too.'),
  hideAiFeatures: flag(false),
  webHomeView: choice(['inbox', 'recent', 'all_messages'], 'inbox'),
  webEscapeNavigatesToHomeView: flag(true),
  webMarkReadOnScrollPolicy: choice([1, 2, 3], 1, '1 always, 2 in conversations, 3 never.'),
  webChannelDefaultView: choice(
    [1, 2, 3, 4],
    1,
    '1 the top topic, 2 all messages, 3 the list of topics, 4 the top unread topic.',
  ),
  webSuggestUpdateTimezone: flag(true),
  webFontSizePx: between(8, 40, 16),
  webLineHeightPercent: between(100, 200, 122),
  webAnimateImagePreviews: choice(['always', 'on_hover', 'never'], 'on_hover'),
  webStreamUnreadsCountDisplayPolicy: choice(
    [1, 2, 3],
    2,
    '1 in all channels, 2 in those that are not muted, 3 in none.',
  ),
  webNavigateToSentMessage: flag(true),
  webLeftSidebarUnreadsCountSummary: flag(true),
  webLeftSidebarShowChannelFolders: flag(true),
  webInboxShowChannelFolders: flag(true),

  enableStreamDesktopNotifications: flag(false),
  enableStreamEmailNotifications: flag(false),
  enableStreamPushNotifications: flag(false),
  enableStreamAudibleNotifications: flag(false),
  notificationSound: choice([...NOTIFICATION_SOUNDS, 'none'], 'ding'),
  enableDesktopNotifications: flag(true),
  enableSounds: flag(true),
  enableFollowedTopicDesktopNotifications: flag(true),
  enableFollowedTopicEmailNotifications: flag(true),
  enableFollowedTopicPushNotifications: flag(true),
  enableFollowedTopicAudibleNotifications: flag(true),
  emailNotificationsBatchingPeriodSeconds: between(0, 604_800, 120, 'Up to a week.'),
  enableOfflineEmailNotifications: flag(false),
  enableOfflinePushNotifications: flag(false),
  enableOnlinePushNotifications: flag(false),
  enableDigestEmails: flag(false),
  enableMarketingEmails: flag(false),
  enableLoginEmails: flag(false),
  messageContentInEmailNotifications: flag(true),
  pmContentInDesktopNotifications: flag(true),
  wildcardMentionsNotify: flag(true),
  enableFollowedTopicWildcardMentionsNotify: flag(true),
  desktopIconCountDisplay: choice(
    [1, 2, 3, 4],
    1,
    'What counts: 1 all unread, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 nothing.',
  ),
  realmNameInEmailNotificationsPolicy: choice(
    [1, 2, 3],
    1,
    '1 where the user has several accounts, 2 always, 3 never.',
  ),
  automaticallyFollowTopicsPolicy: choice(
    [1, 2, 3, 4],
    4,
    'Topics that the user 1 takes part in, 2 sends to, 3 starts, or 4 none.',
  ),
  automaticallyUnmuteTopicsInMutedStreamsPolicy: choice(
    [1, 2, 3, 4],
    4,
    'Topics that the user 1 takes part in, 2 sends to, 3 starts, or 4 none.',
  ),
  automaticallyFollowTopicsWhereMentioned: flag(false),

  presenceEnabled: flag(true),
  allowPrivateDataExport: flag(false),
  emailAddressVisibility: choice(
    [1, 2, 3, 4, 5],
    1,
    'Who may see it: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators.',
  ),
}

export type UserSettingName = keyof typeof USER_SETTINGS
export type UserSettings = ValuesOfSettings<typeof USER_SETTINGS>
/** A setting with its new value; a time zone stands among the user's own data. */
export type UserSettingChange =
  | {
      [Name in UserSettingName]: { readonly name: Name; readonly value: UserSettings[Name] }
    }[UserSettingName]
  | { readonly name: 'timezone'; readonly value: string }

/** Every setting as it is until it is set. */
export const USER_SETTINGS_DEFAULTS = initialValues(USER_SETTINGS)

/** What a language calls itself; undefined for a code that names none. */
export function languageName(code: string): string | undefined {
  try {
    return new Intl.DisplayNames([code], { type: 'language', fallback: 'none' }).of(code)
  } catch {
    return undefined // It has not the form of a language's code.
  }
}

/** Whether a time zone's name is known. */
export function isTimeZone(name: string): boolean {
  try {
    // An offset such as `+01:00` names no zone.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}
