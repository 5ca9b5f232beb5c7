/** The settings of new people in words. Those for mails and pushes of messages are not offered, since the server sends none. */

import type { NewcomersSettings } from '../../../packages/client/src/wire-types.ts'

type FlagName = {
  [Name in keyof NewcomersSettings]: NewcomersSettings[Name] extends boolean ? Name : never
}[keyof NewcomersSettings]

interface DefaultsPart {
  readonly id: string
  readonly title: string
  readonly flags: readonly (readonly [name: FlagName, label: string])[]
  readonly choices: readonly {
    readonly name: Exclude<keyof NewcomersSettings, FlagName>
    readonly label: string
    readonly options: readonly (readonly [value: string, text: string])[]
  }[]
}

const TOPICS = [
  ['1', 'Topics that they take part in'],
  ['2', 'Topics that they write to'],
  ['3', 'Topics that they start'],
  ['4', 'No topics'],
] as const

export const DEFAULTS_PARTS: readonly DefaultsPart[] = [
  {
    id: 'view',
    title: 'Reading and writing',
    flags: [
      ['enter_sends', 'Enter sends a message'],
      ['twenty_four_hour_time', 'Times run from 0 to 24 hours'],
      ['translate_emoticons', 'Emoticons such as :) become emoji'],
      ['starred_message_counts', 'The number of starred messages is shown'],
    ],
    choices: [
      {
        name: 'color_scheme',
        label: 'Theme',
        options: [
          ['1', 'Like the device'],
          ['2', 'Dark'],
          ['3', 'Light'],
        ],
      },
      {
        name: 'web_home_view',
        label: 'First view',
        options: [
          ['inbox', 'Inbox'],
          ['recent', 'Recent conversations'],
          ['all_messages', 'All messages'],
        ],
      },
      {
        name: 'web_mark_read_on_scroll_policy',
        label: 'Scrolling marks messages as read',
        options: [
          ['1', 'Always'],
          ['2', 'In single conversations'],
          ['3', 'Never'],
        ],
      },
      { name: 'automatically_follow_topics_policy', label: 'Topics to follow', options: TOPICS },
      {
        name: 'automatically_unmute_topics_in_muted_streams_policy',
        label: 'Topics to unmute in muted channels',
        options: TOPICS,
      },
    ],
  },
  {
    id: 'notices',
    title: 'Notifications',
    flags: [
      ['enable_desktop_notifications', 'Direct messages and mentions notify on the desktop'],
      ['enable_sounds', 'They also make a sound'],
      ['enable_followed_topic_desktop_notifications', 'Followed topics notify on the desktop'],
      ['enable_stream_desktop_notifications', 'All messages in channels notify on the desktop'],
      ['wildcard_mentions_notify', 'Mentions of everybody notify'],
    ],
    choices: [],
  },
  {
    id: 'privacy',
    title: 'Privacy',
    flags: [
      ['presence_enabled', 'Others see who is online'],
      ['send_read_receipts', 'Others see who has read a message'],
      ['send_private_typing_notifications', 'Others see who types in direct messages'],
      ['send_stream_typing_notifications', 'Others see who types in channels'],
    ],
    choices: [
      {
        name: 'email_address_visibility',
        label: 'Who sees email addresses',
        options: [
          ['1', 'Everybody'],
          ['2', 'Members'],
          ['5', 'Moderators'],
          ['3', 'Administrators'],
          ['4', 'Nobody'],
        ],
      },
    ],
  },
]
