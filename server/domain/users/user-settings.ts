/** Users' own settings, with their kinds and defaults. */

import { parseQuietHours, QUIET_HOURS_LENGTH_MAX } from '../../../packages/rules/silence.ts'
import {
  between,
  choice,
  flag,
  initialValues,
  formedText,
  language,
  type ValuesOfSettings,
} from '../settings/setting-kinds.ts'

/** Emoji styles by key, with their display names. */
export const EMOJI_SETS = {
  google: 'Google',
  'google-blob': 'Google blobs',
  twitter: 'Twitter',
  text: 'Plain text',
} as const
/** Notification sounds; a user may also have none. */
export const NOTIFICATION_SOUNDS = ['ding'] as const

/** The end of 2099, in UNIX seconds. */
const PAUSE_SECONDS_MAX = 4_102_444_800

/** The server follows the first eight; clients follow the others. */
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
  enableLoginEmails: flag(true, 'Whether the user gets an email about each log-in from a new device.'),

  twentyFourHourTime: flag(false, 'Whether clients count hours from 0 to 24.'),
  enterSends: flag(true, 'Whether the Enter key sends a message.'),
  starredMessageCounts: flag(true, 'Whether clients show the number of starred messages.'),
  fluidLayoutWidth: flag(false, 'Whether clients use the whole width of the window.'),
  highContrastMode: flag(false, 'Whether clients use strong contrasts.'),
  colorScheme: choice([1, 2, 3], 1, 'The colors: 1 like the device, 2 dark, 3 light.'),
  displayEmojiReactionUsers: flag(true, 'Whether clients name the users of a reaction.'),
  defaultLanguage: language('en', 'The language of clients.'),
  leftSideUserlist: flag(false, 'Whether clients list users on the left in narrow windows.'),
  emojiset: choice(Object.keys(EMOJI_SETS) as (keyof typeof EMOJI_SETS)[], 'google', 'The style of emoji.'),
  demoteInactiveStreams: choice(
    [1, 2, 3],
    1,
    'Whether clients list inactive channels last: 1 if there are many channels, 2 always, 3 never.',
  ),
  userListStyle: choice(
    [1, 2, 3],
    2,
    'The entries in the list of users: 1 names, 2 names and status, 3 names, status and avatars.',
  ),
  hideAiFeatures: flag(false, 'Whether clients hide features that use language models.'),
  webHomeView: choice(['inbox', 'recent', 'all_messages'], 'inbox', 'The view that clients open first.'),
  webEscapeNavigatesToHomeView: flag(true, 'Whether the Escape key opens the view that clients open first.'),
  webMarkReadOnScrollPolicy: choice(
    [1, 2, 3],
    1,
    'Whether scrolling marks messages as read: 1 always, 2 in conversations, 3 never.',
  ),
  webChannelDefaultView: choice(
    [1, 2, 3, 4],
    1,
    'The view of an opened channel: 1 the top topic, 2 all messages, 3 the list of topics, 4 the top unread topic.',
  ),
  webSuggestUpdateTimezone: flag(true, "Whether clients offer to change the time zone to the device's."),
  webFontSizePx: between(8, 40, 16, 'The size of text in pixels.'),
  webLineHeightPercent: between(100, 200, 122, 'The height of a line, in percent of the size of text.'),
  webAnimateImagePreviews: choice(
    ['always', 'on_hover', 'never'],
    'on_hover',
    'When previews of pictures are animated.',
  ),
  webStreamUnreadsCountDisplayPolicy: choice(
    [1, 2, 3],
    2,
    'Channels with a number of unread messages: 1 all, 2 unmuted ones, 3 none.',
  ),
  webNavigateToSentMessage: flag(true, 'Whether clients open the place to which the user sends a message.'),
  webLeftSidebarUnreadsCountSummary: flag(true, 'Whether clients show the number of all unread messages.'),
  webLeftSidebarShowChannelFolders: flag(true, 'Whether clients list channels by folder.'),
  webInboxShowChannelFolders: flag(true, 'Whether the inbox lists channels by folder.'),

  enableStreamDesktopNotifications: flag(false, 'Whether messages in channels notify on the desktop.'),
  enableStreamEmailNotifications: flag(false, 'Whether messages in channels notify by email.'),
  enableStreamPushNotifications: flag(false, 'Whether messages in channels notify on mobile devices.'),
  enableStreamAudibleNotifications: flag(false, 'Whether messages in channels notify by a sound.'),
  notificationSound: choice([...NOTIFICATION_SOUNDS, 'none'], 'ding', 'The sound of notifications.'),
  enableDesktopNotifications: flag(true, 'Whether direct messages and mentions notify on the desktop.'),
  enableSounds: flag(true, 'Whether direct messages and mentions notify by a sound.'),
  enableFollowedTopicDesktopNotifications: flag(
    true,
    'Whether messages in followed topics notify on the desktop.',
  ),
  enableFollowedTopicEmailNotifications: flag(true, 'Whether messages in followed topics notify by email.'),
  enableFollowedTopicPushNotifications: flag(
    true,
    'Whether messages in followed topics notify on mobile devices.',
  ),
  enableFollowedTopicAudibleNotifications: flag(
    true,
    'Whether messages in followed topics notify by a sound.',
  ),
  emailNotificationsBatchingPeriodSeconds: between(
    0,
    604_800,
    120,
    'Seconds for which messages are gathered into one email, up to a week.',
  ),
  enableOfflineEmailNotifications: flag(
    true,
    'Whether direct messages and mentions notify by email while the user is offline.',
  ),
  enableOfflinePushNotifications: flag(
    true,
    'Whether direct messages and mentions notify on mobile devices while the user is offline.',
  ),
  enableOnlinePushNotifications: flag(
    false,
    'Whether mobile devices are notified while the user is online, too.',
  ),
  enableDigestEmails: flag(false, 'Whether the user gets digests by email.'),
  enableMarketingEmails: flag(false, 'Whether the user gets news of the product by email.'),
  messageContentInEmailNotifications: flag(true, 'Whether notifications by email contain messages.'),
  pmContentInDesktopNotifications: flag(
    true,
    'Whether notifications on the desktop contain the text of direct messages.',
  ),
  hidesNotificationText: flag(
    false,
    'Whether notifications contain no text of messages, in any way: an extension of this server.',
  ),
  showsLinkPreviews: flag(
    true,
    'Whether clients show previews of linked pages and pictures of other servers: an extension of this server.',
  ),
  showsTopicTour: flag(
    true,
    'Whether clients explain to new users what a topic is, where they first meet one: an extension of this server.',
  ),
  notificationsPausedUntil: between(
    0,
    PAUSE_SECONDS_MAX,
    0,
    'Until when the user wants no notifications, in UNIX seconds; a time in the past, or 0, for no pause. An extension of this server.',
  ),
  quietHours: formedText(
    QUIET_HOURS_LENGTH_MAX,
    (text) => text === '' || parseQuietHours(text) !== undefined,
    'Hours of each week without notifications, such as `1,2,3,4,5 22:00-07:00; 6,7 00:00-00:00 Europe/Berlin`: the days on which they begin, from 1 for Monday, up to four times, and an IANA time zone. Empty for none. An extension of this server.',
  ),
  wildcardMentionsNotify: flag(true, 'Whether mentions of everyone notify.'),
  enableFollowedTopicWildcardMentionsNotify: flag(
    true,
    'Whether mentions of everyone in followed topics notify.',
  ),
  desktopIconCountDisplay: choice(
    [1, 2, 3, 4],
    1,
    'The messages that the number at the icon counts: 1 all unread, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 none.',
  ),
  realmNameInEmailNotificationsPolicy: choice(
    [1, 2, 3],
    1,
    'Whether emails name the organization: 1 if the user has several accounts, 2 always, 3 never.',
  ),
  automaticallyFollowTopicsPolicy: choice(
    [1, 2, 3, 4],
    4,
    'Topics that the user follows: those in which the user 1 participates, 2 sends a message, 3 starts the topic; 4 none.',
  ),
  automaticallyUnmuteTopicsInMutedStreamsPolicy: choice(
    [1, 2, 3, 4],
    4,
    'Topics of muted channels that are unmuted: those in which the user 1 participates, 2 sends a message, 3 starts the topic; 4 none.',
  ),
  automaticallyFollowTopicsWhereMentioned: flag(
    false,
    'Whether the user follows topics with a mention of the user.',
  ),

  presenceEnabled: flag(true, 'Whether others see when the user is active.'),
  allowPrivateDataExport: flag(false, 'Whether exports by administrators contain private data of the user.'),
  emailAddressVisibility: choice(
    [1, 2, 3, 4, 5],
    1,
    'The users who may see the email address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators.',
  ),
}

export type UserSettingName = keyof typeof USER_SETTINGS
/** Settings without a default for new users here: personal ones, and the language, which is that of the organization. */
export const SETTINGS_WITHOUT_DEFAULT: readonly UserSettingChange['name'][] = [
  'timezone',
  'defaultLanguage',
  'enableMarketingEmails',
  'enableLoginEmails',
  'allowPrivateDataExport',
]
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
