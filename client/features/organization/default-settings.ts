/** The settings of new people in words. */

import type { NewUserSettings } from '../../../packages/client/src/wire-types.ts'

type FlagName = {
  [Name in keyof NewUserSettings]: NewUserSettings[Name] extends boolean ? Name : never
}[keyof NewUserSettings]

interface DefaultsPart {
  readonly id: string
  readonly title: string
  readonly flags: readonly (readonly [name: FlagName, label: string])[]
  readonly choices: readonly {
    readonly name: Exclude<keyof NewUserSettings, FlagName>
    readonly label: string
    readonly options: readonly (readonly [value: string, text: string])[]
  }[]
}

const TOPICS = [
  ['1', 'Topics they take part in'],
  ['2', 'Topics they post to'],
  ['3', 'Topics they start'],
  ['4', 'No topics'],
] as const

export const DEFAULTS_PARTS: readonly DefaultsPart[] = [
  {
    id: 'view',
    title: 'Reading and writing',
    flags: [
      ['enter_sends', 'Press Enter to send'],
      ['twenty_four_hour_time', 'Use 24-hour time'],
      ['translate_emoticons', 'Convert emoticons such as :) to emoji'],
      ['starred_message_counts', 'Show the number of starred messages'],
    ],
    choices: [
      {
        name: 'color_scheme',
        label: 'Theme',
        options: [
          ['1', 'Match system'],
          ['2', 'Dark'],
          ['3', 'Light'],
        ],
      },
      {
        name: 'web_home_view',
        label: 'Home view',
        options: [
          ['inbox', 'Inbox'],
          ['recent', 'Recent conversations'],
          ['all_messages', 'All messages'],
        ],
      },
      {
        name: 'web_mark_read_on_scroll_policy',
        label: 'Mark messages as read on scroll',
        options: [
          ['1', 'Always'],
          ['2', 'Only in conversations'],
          ['3', 'Never'],
        ],
      },
      { name: 'automatically_follow_topics_policy', label: 'Follow topics automatically', options: TOPICS },
      {
        name: 'automatically_unmute_topics_in_muted_streams_policy',
        label: 'Unmute topics in muted channels automatically',
        options: TOPICS,
      },
    ],
  },
  {
    id: 'notices',
    title: 'Notifications',
    flags: [
      ['enable_desktop_notifications', 'Desktop notifications for direct messages and mentions'],
      ['enable_sounds', 'Sounds for direct messages and mentions'],
      ['enable_followed_topic_desktop_notifications', 'Desktop notifications for followed topics'],
      ['enable_stream_desktop_notifications', 'Desktop notifications for all messages in channels'],
      ['wildcard_mentions_notify', 'Notify about mentions of everyone'],
      ['enable_offline_email_notifications', 'Emails about direct messages and mentions while away'],
      ['enable_followed_topic_email_notifications', 'Emails about followed topics while away'],
    ],
    choices: [],
  },
  {
    id: 'privacy',
    title: 'Privacy',
    flags: [
      ['presence_enabled', 'Show when they’re online'],
      ['send_read_receipts', 'Send read receipts'],
      ['send_private_typing_notifications', 'Show when they’re typing in direct messages'],
      ['send_stream_typing_notifications', 'Show when they’re typing in channels'],
    ],
    choices: [
      {
        name: 'email_address_visibility',
        label: 'Who can see email addresses',
        options: [
          ['1', 'Everyone'],
          ['2', 'Members'],
          ['5', 'Moderators'],
          ['3', 'Administrators'],
          ['4', 'Nobody'],
        ],
      },
    ],
  },
]
