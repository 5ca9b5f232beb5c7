/** The settings of new people in words. */

import type { NewUserSettings } from '../../../packages/client/src/wire-types.ts'
import { t } from '../../texts/texts.ts'

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
  ['1', t('Topics they take part in')],
  ['2', t('Topics they post to')],
  ['3', t('Topics they start')],
  ['4', t('No topics')],
] as const

export const DEFAULTS_PARTS: readonly DefaultsPart[] = [
  {
    id: 'view',
    title: t('Reading and writing'),
    flags: [
      ['enter_sends', t('Press Enter to send')],
      ['twenty_four_hour_time', t('Use 24-hour time')],
      ['translate_emoticons', t('Convert emoticons such as :) to emoji')],
      ['starred_message_counts', t('Show the number of starred messages')],
    ],
    choices: [
      {
        name: 'color_scheme',
        label: t('Theme'),
        options: [
          ['1', t('Match system')],
          ['2', t('Dark')],
          ['3', t('Light')],
        ],
      },
      {
        name: 'web_home_view',
        label: t('Home view'),
        options: [
          ['inbox', t('Inbox')],
          ['recent', t('Recent conversations')],
          ['all_messages', t('All messages')],
        ],
      },
      {
        name: 'web_mark_read_on_scroll_policy',
        label: t('Mark messages as read on scroll'),
        options: [
          ['1', t('Always')],
          ['2', t('Only in conversations')],
          ['3', t('Never')],
        ],
      },
      {
        name: 'automatically_follow_topics_policy',
        label: t('Follow topics automatically'),
        options: TOPICS,
      },
      {
        name: 'automatically_unmute_topics_in_muted_streams_policy',
        label: t('Unmute topics in muted channels automatically'),
        options: TOPICS,
      },
    ],
  },
  {
    id: 'notices',
    title: t('Notifications'),
    flags: [
      ['enable_desktop_notifications', t('Desktop notifications for direct messages and mentions')],
      ['enable_sounds', t('Sounds for direct messages and mentions')],
      ['enable_followed_topic_desktop_notifications', t('Desktop notifications for followed topics')],
      ['enable_stream_desktop_notifications', t('Desktop notifications for all messages in channels')],
      ['wildcard_mentions_notify', t('Notify about mentions of everyone')],
      ['enable_offline_email_notifications', t('Emails about direct messages and mentions while away')],
      ['enable_followed_topic_email_notifications', t('Emails about followed topics while away')],
    ],
    choices: [],
  },
  {
    id: 'privacy',
    title: t('Privacy'),
    flags: [
      ['presence_enabled', t('Show when they’re online')],
      ['send_read_receipts', t('Send read receipts')],
      ['send_private_typing_notifications', t('Show when they’re typing in direct messages')],
      ['send_stream_typing_notifications', t('Show when they’re typing in channels')],
    ],
    choices: [
      {
        name: 'email_address_visibility',
        label: t('Who can see email addresses'),
        options: [
          ['1', t('Everyone')],
          ['2', t('Members')],
          ['5', t('Moderators')],
          ['3', t('Administrators')],
          ['4', t('Nobody')],
        ],
      },
    ],
  },
]
