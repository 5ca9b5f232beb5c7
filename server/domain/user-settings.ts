/** Users' own settings, with their kinds and defaults. */

import { between, choice, flag, initialValues, language, type ValuesOfSettings } from './setting-kinds.ts'

/** Emoji styles by key, with their display names. */
export const EMOJI_SETS = {
  google: 'Google',
  'google-blob': 'Google blobs',
  twitter: 'Twitter',
  text: 'Plain text',
} as const
/** Notification sounds; a user may also have none. */
export const NOTIFICATION_SOUNDS = ['ding'] as const

/** The server follows the first seven; clients follow the others. */
export const USER_SETTINGS = {
  translatesEmoticons: flag(false, 'Whether `:)` becomes an emoji in messages of the user.'),
  sendsReadReceipts: flag(true, 'Whether others may see which messages the user has read.'),
  sendsDirectTyping: flag(true, 'Whether partners get typing notifications of the user.'),
  sendsChannelTyping: flag(true, 'Whether subscribers get typing notifications of the user.'),
  receivesTyping: flag(true, 'Whether the user gets typing notifications.'),
  enableDraftsSynchronization: flag(true, 'Whether drafts are stored on the server.'),
  resolvedTopicNoticeAutoReadPolicy: choice(
    ['always', 'except_followed', 'never'],
    'except_followed',
    'When message notices of resolved and unresolved topics are already read.',
  ),

  twentyFourHourTime: flag(false),
  enterSends: flag(false),
  starredMessageCounts: flag(true),
  fluidLayoutWidth: flag(false),
  highContrastMode: flag(false),
  colorScheme: choice([1, 2, 3], 1, '1 like the device, 2 dark, 3 light.'),
  displayEmojiReactionUsers: flag(true),
  defaultLanguage: language('en'),
  leftSideUserlist: flag(false),
  emojiset: choice(Object.keys(EMOJI_SETS) as (keyof typeof EMOJI_SETS)[], 'google'),
  demoteInactiveStreams: choice([1, 2, 3], 1, '1 if there are many channels, 2 always, 3 never.'),
  userListStyle: choice([1, 2, 3], 2, '1 names, 2 names and status, 3 names, status and avatars.'),
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
    '1 in all channels, 2 in unmuted channels, 3 in no channel.',
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
    'Counted messages: 1 all unread, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 none.',
  ),
  realmNameInEmailNotificationsPolicy: choice(
    [1, 2, 3],
    1,
    '1 if the user has several accounts, 2 always, 3 never.',
  ),
  automaticallyFollowTopicsPolicy: choice(
    [1, 2, 3, 4],
    4,
    'Topics in which the user 1 participates, 2 sends a message, 3 starts the topic; 4 none.',
  ),
  automaticallyUnmuteTopicsInMutedStreamsPolicy: choice(
    [1, 2, 3, 4],
    4,
    'Topics in which the user 1 participates, 2 sends a message, 3 starts the topic; 4 none.',
  ),
  automaticallyFollowTopicsWhereMentioned: flag(false),

  presenceEnabled: flag(true),
  allowPrivateDataExport: flag(false),
  emailAddressVisibility: choice(
    [1, 2, 3, 4, 5],
    1,
    'The users who may see it: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators.',
  ),
}

export type UserSettingName = keyof typeof USER_SETTINGS
export type UserSettings = ValuesOfSettings<typeof USER_SETTINGS>
/** A setting with its new value; a time zone is part of the user's own data. */
export type UserSettingChange =
  | {
      [Name in UserSettingName]: { readonly name: Name; readonly value: UserSettings[Name] }
    }[UserSettingName]
  | { readonly name: 'timezone'; readonly value: string }

/** The default of every setting. */
export const USER_SETTINGS_DEFAULTS = initialValues(USER_SETTINGS)

/** A language's own name; undefined for an unknown code. */
export function languageName(code: string): string | undefined {
  try {
    return new Intl.DisplayNames([code], { type: 'language', fallback: 'none' }).of(code)
  } catch {
    return undefined // Malformed language codes throw.
  }
}

/** Whether a time zone exists. */
export function isTimeZone(name: string): boolean {
  try {
    // An offset such as `+01:00` is not a zone's name.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}
