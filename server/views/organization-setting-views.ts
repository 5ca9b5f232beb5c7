/** The form of each of the organization's settings for clients. */

import { BOOLEAN, describe, INTEGER, oneOf, orNull, type Schema } from '../domain/json-schema.ts'
import type { OrganizationSettings } from '../domain/organization/organization-settings.ts'
import { PICTURE_SOURCES } from '../domain/files/pictures.ts'
import { PLAIN_SETTINGS, type PlainSettingName } from '../domain/settings/plain-settings.ts'
import { settingSchema } from './setting-schemas.ts'
import { type SnakeCase, snakeCase } from './snake-case.ts'

/** A setting with an irregular name on the wire, and the form of its value if it differs. */
export interface SettingView<Value> {
  readonly name: string
  readonly schema: Schema
  readonly view?: (value: Value) => unknown
}

const orMinusOne = (id: number | null) => id ?? -1
const seconds = (description: string) => describe(orNull(INTEGER), description)

/** Settings with irregular names on the wire. */
export const SETTING_VIEWS = {
  waitingPeriodDays: {
    name: 'waiting_period_threshold',
    schema: describe(INTEGER, 'Days until a new member becomes a full member.'),
  },
  topicsPolicy: {
    name: 'topics_policy',
    schema: describe(
      oneOf('allow_empty_topic', 'disable_empty_topic'),
      'The meaning of `inherit` in a channel.',
    ),
  },
  hasSpectatorAccess: {
    name: 'enable_spectator_access',
    schema: describe(BOOLEAN, 'Whether anonymous visitors may read web-public channels.'),
  },
  messageRetentionDays: {
    name: 'message_retention_days',
    schema: describe(INTEGER, 'Retention of messages in channels that inherit it, in days; -1 forever.'),
  },
  sendsChannelEvents: {
    name: 'send_channel_events_messages',
    schema: describe(BOOLEAN, 'Whether changes of a channel are announced in a topic of the channel.'),
  },
  announcementsChannelId: {
    name: 'new_stream_announcements_stream_id',
    schema: describe(INTEGER, 'The channel that announces new public channels; -1 for none.'),
    view: orMinusOne,
  },
  moderationChannelId: {
    name: 'moderation_request_channel_id',
    schema: describe(INTEGER, 'The private channel that receives reports of messages; -1 for none.'),
    view: orMinusOne,
  },
  allowsEditing: {
    name: 'allow_message_editing',
    schema: describe(BOOLEAN, 'Whether the content of messages may be edited.'),
  },
  contentEditLimitSeconds: {
    name: 'message_content_edit_limit_seconds',
    schema: seconds('Seconds in which senders may edit the content of their messages; null for no limit.'),
  },
  contentDeleteLimitSeconds: {
    name: 'message_content_delete_limit_seconds',
    schema: seconds('Seconds in which senders may delete their messages; null for no limit.'),
  },
  topicMoveLimitSeconds: {
    name: 'move_messages_within_stream_limit_seconds',
    schema: seconds('Seconds in which messages may be moved to another topic; null for no limit.'),
  },
  channelMoveLimitSeconds: {
    name: 'move_messages_between_streams_limit_seconds',
    schema: seconds('Seconds in which messages may be moved to another channel; null for no limit.'),
  },
  editHistoryVisibility: {
    name: 'message_edit_history_visibility_policy',
    schema: describe(
      oneOf('all', 'moves', 'none'),
      'The visible part of the edit history: all, only moves, or nothing.',
    ),
  },
  hasReadReceipts: {
    name: 'enable_read_receipts',
    schema: describe(BOOLEAN, 'Whether users see who has read a message.'),
  },
  secondFactorGraceDays: {
    name: 'second_factor_grace_days',
    schema: describe(
      INTEGER,
      'Days that people have to set up a second factor, from `second_factor_required_at` or their own joining on; -1 ' +
        'if none is required.',
    ),
    view: orMinusOne,
  },
  secondFactorRequiredAt: {
    name: 'second_factor_required_at',
    schema: describe(
      orNull(INTEGER),
      'UNIX seconds from which a second factor is required; null if it is not.',
    ),
  },
  joinsWithoutConfirmation: {
    name: 'join_without_confirmation',
    schema: describe(
      BOOLEAN,
      'Whether people who open an invitation link make their account at once, without a mail that confirms their address.',
    ),
  },
  defaultPictureSource: {
    name: 'default_avatar_source',
    schema: describe(
      oneOf(...PICTURE_SOURCES),
      'The source of pictures of new users without an uploaded one: `G` for Gravatar, `J` for drawn by the server.',
    ),
  },
} as const satisfies {
  readonly [Name in Exclude<keyof OrganizationSettings, PlainSettingName>]: SettingView<
    OrganizationSettings[Name]
  >
}

type SettingViews = typeof SETTING_VIEWS
type SettingSchemas = {
  readonly [Name in keyof SettingViews as SettingViews[Name]['name']]: SettingViews[Name]['schema']
} & {
  readonly [Name in PlainSettingName as SnakeCase<Name>]: Schema<OrganizationSettings[Name]>
}

/** The schemas of all settings, by wire names. */
export const SETTING_FIELDS = Object.fromEntries([
  ...Object.values(SETTING_VIEWS).map(({ name, schema }) => [name, schema]),
  ...Object.entries(PLAIN_SETTINGS).map(([name, setting]) => [snakeCase(name), settingSchema(setting)]),
]) as SettingSchemas
