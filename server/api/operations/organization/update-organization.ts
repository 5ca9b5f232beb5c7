/** Changes of the organization. */

import { checkAdministrator } from '../../../decisions/check-caller.ts'
import {
  decideDefaultSettings,
  decideOrganizationUpdate,
  UPDATE_ORGANIZATION_ERRORS,
} from '../../../decisions/organization/update-organization.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import {
  ORGANIZATION_DESCRIPTION_LENGTH_MAX,
  ORGANIZATION_NAME_LENGTH_MAX,
  RETENTION_DAYS_MAX,
  WELCOME_MESSAGE_LENGTH_MAX,
} from '../../../../packages/rules/limits.ts'
import { SECOND_FACTOR_GRACE_DAYS_MAX, WAITING_PERIOD_DAYS_MAX } from '../../../domain/limits.ts'
import type { OrganizationSettings } from '../../../domain/organization/organization-settings.ts'
import { ORGANIZATION_PERMISSIONS } from '../../../domain/groups/permissions.ts'
import { PICTURE_SOURCES } from '../../../domain/files/pictures.ts'
import { PLAIN_SETTINGS, type PlainSettingName } from '../../../domain/settings/plain-settings.ts'
import { snakeCase } from '../../../views/snake-case.ts'
import { change } from '../../change-operation.ts'
import { offersCallService } from '../../registration/calls.ts'
import {
  anyOf,
  boolean,
  id,
  integer,
  oneOf,
  optional,
  type Param,
  required,
  text,
  type ValuesOf,
} from '../../params.ts'
import {
  groupSettingUpdateType,
  permissionParams,
  readPermissionUpdates,
} from '../user-groups/group-setting-params.ts'
import { readSettings, settingParams, typeOfSetting } from '../users/settings.ts'
import { isAnyHistoryEnough, MESSAGE_SETTING_PARAMS, readMessageSettings } from './message-setting-params.ts'
import { sendTestNotice } from '../../../changes/messages/send-notice.ts'
import { operation } from '../../operation.ts'
import { SETTINGS_WITHOUT_DEFAULT } from '../../../domain/users/user-settings.ts'
import { settingName } from '../../../views/setting-names.ts'
import { INTEGER } from '../../../domain/json-schema.ts'

const SETTING_PARAMS = {
  waiting_period_threshold: optional(
    integer({ min: 0, max: WAITING_PERIOD_DAYS_MAX }),
    'For owners: days until a new member becomes a full member.',
  ),
  second_factor_grace_days: optional(
    integer({ min: -1, max: SECOND_FACTOR_GRACE_DAYS_MAX }),
    'For owners with an authenticator app: requires a second factor of all people, after this number of days; -1 does not.',
  ),
  join_without_confirmation: optional(
    boolean(),
    'For owners: whether people who open an invitation link make their account at once, without a mail that confirms ' +
      'their address. It has no effect while only addresses at allowed domains may join.',
  ),
  topics_policy: optional(
    oneOf('allow_empty_topic', 'disable_empty_topic'),
    'The meaning of `inherit` in a channel.',
  ),
  mandatory_topics: optional(boolean(), 'The same for older clients.', { isDeprecated: true }),
  enable_spectator_access: optional(
    boolean(),
    'Whether anonymous visitors may read web-public channels, if the server allows it.',
  ),
  message_retention_days: optional(
    anyOf(oneOf('unlimited'), integer({ min: 1, max: RETENTION_DAYS_MAX })),
    'For owners: retention of messages in channels that inherit it, in days, or `unlimited`.',
  ),
  send_channel_events_messages: optional(
    boolean(),
    'Whether changes of a channel are announced in a topic of the channel.',
  ),
  new_stream_announcements_stream_id: optional(
    id<ChannelId>(),
    'The channel that announces new public channels; -1 for none.',
  ),
  moderation_request_channel_id: optional(
    id<ChannelId>(),
    'The private channel that receives reports of messages; -1 for none.',
  ),
  default_avatar_source: optional(
    oneOf(...PICTURE_SOURCES),
    'The source of pictures of new users without an uploaded one: `G` for Gravatar, if the server allows it, or `J` ' +
      'for drawn by the server.',
  ),
  ...MESSAGE_SETTING_PARAMS,
}

/** By their wire names. */
const PLAIN_NAMES = new Map(
  (Object.keys(PLAIN_SETTINGS) as PlainSettingName[]).map((name) => [snakeCase(name), name]),
)
const PLAIN_PARAMS: Readonly<Record<string, Param<unknown>>> = Object.fromEntries(
  [...PLAIN_NAMES].map(([wireName, name]) => {
    const setting = PLAIN_SETTINGS[name]
    return [wireName, optional(typeOfSetting(setting), setting.meaning)]
  }),
)

/** `PATCH /realm`: changes the organization's texts, settings and permissions. */
export const updateOrganization = change({
  method: 'PATCH',
  path: '/realm',
  summary: 'Update the organization',
  description:
    'For administrators. Only owners can change the permissions to invite, to create groups and to manage ' +
    'groups, the waiting period, the retention of messages, the requirement of a second factor, and joining without a ' +
    'confirmation. All of the changes apply, or none.',
  access: 'user',
  params: {
    name: optional(
      text({ lengthMax: ORGANIZATION_NAME_LENGTH_MAX, trim: true, blank: false }),
      'The name of the organization.',
    ),
    description: optional(
      text({ lengthMax: ORGANIZATION_DESCRIPTION_LENGTH_MAX }),
      'The description, in Markdown.',
    ),
    ...SETTING_PARAMS,
    ...PLAIN_PARAMS,
    ...permissionParams(ORGANIZATION_PERMISSIONS, groupSettingUpdateType),
  },
  reply: {},
  errors: [...UPDATE_ORGANIZATION_ERRORS, 'MESSAGE_RENDERING_FAILED'],
  events: [
    'realm/update_dict',
    'user_group/add_members',
    'user_group/remove_members',
    'stream/create',
    'stream/delete',
    'subscription/peer_add',
  ],
  async prepare({ params, user, services, fail }) {
    const given = params as Readonly<Record<string, unknown>>
    const { video_chat_provider: callService } = given
    if (typeof callService === 'number' && !offersCallService(services, callService))
      throw fail('PARAMETER_INVALID', { message: 'Invalid video_chat_provider' })
    checkAdministrator({ caller: user, fail }) // Before the rendering, and again by the decision.
    const { name, description } = params as { name: string | undefined; description: string | undefined }
    const values = params as SettingValues
    return {
      name,
      description,
      renderedDescription: description ? await services.render(description, user.id) : '',
      settings: omitUndefined({
        ...readOrganizationSettings(values),
        ...readMessageSettings(values),
        ...readPlainSettings(given),
      }),
      isAnyHistoryEnough: isAnyHistoryEnough(values),
      permissions: readPermissionUpdates(ORGANIZATION_PERMISSIONS, given),
      hasWebPublicChannels: services.hasWebPublicChannels,
    }
  },
  decide: decideOrganizationUpdate,
})

type SettingValues = ValuesOf<typeof SETTING_PARAMS>

function readOrganizationSettings(params: SettingValues) {
  const { mandatory_topics: isTopicMandatory, message_retention_days: days } = params
  const older = isTopicMandatory ? ('disable_empty_topic' as const) : ('allow_empty_topic' as const)
  return {
    waitingPeriodDays: params.waiting_period_threshold,
    secondFactorGraceDays: readDays(params.second_factor_grace_days),
    joinsWithoutConfirmation: params.join_without_confirmation,
    topicsPolicy: params.topics_policy ?? (isTopicMandatory === undefined ? undefined : older),
    hasSpectatorAccess: params.enable_spectator_access,
    messageRetentionDays: days === 'unlimited' ? -1 : days,
    sendsChannelEvents: params.send_channel_events_messages,
    announcementsChannelId: readChannelId(params.new_stream_announcements_stream_id),
    moderationChannelId: readChannelId(params.moderation_request_channel_id),
    defaultPictureSource: params.default_avatar_source,
  }
}

function readDays(days: number | undefined): number | null | undefined {
  return days !== undefined && days < 0 ? null : days
}

function readChannelId(id: ChannelId | undefined): ChannelId | null | undefined {
  return id !== undefined && id < 0 ? null : id
}

function readPlainSettings(given: Readonly<Record<string, unknown>>): Partial<OrganizationSettings> {
  return Object.fromEntries([...PLAIN_NAMES].map(([wireName, name]) => [name, given[wireName]]))
}

function omitUndefined<Whole extends object>(
  given: Whole,
): { [Name in keyof Whole]?: Exclude<Whole[Name], undefined> } {
  const defined = Object.entries(given).filter(([, value]) => value !== undefined)
  return Object.fromEntries(defined) as { [Name in keyof Whole]?: Exclude<Whole[Name], undefined> }
}

const WITHOUT_DEFAULT = SETTINGS_WITHOUT_DEFAULT.map((name) => settingName(name))

/** `PATCH /realm/user_settings_defaults`: the default settings of new users. */
export const updateDefaultSettings = change({
  method: 'PATCH',
  path: '/realm/user_settings_defaults',
  summary: 'Update the settings of new users',
  description: 'For administrators. New users start with these settings; existing users keep theirs.',
  access: 'user',
  params: Object.fromEntries(
    Object.entries(settingParams).filter(([name]) => !WITHOUT_DEFAULT.includes(name)),
  ),
  reply: {},
  errors: ['ROLE_REQUIRED'],
  events: ['realm_user_settings_defaults/update'],
  prepare: ({ params }) => ({ changes: readSettings(params) }),
  decide: decideDefaultSettings,
})

/** `POST /realm/test_welcome_bot_custom_message`: sends a welcome message to the administrator who writes it. */
export const testWelcomeMessage = operation({
  method: 'POST',
  path: '/realm/test_welcome_bot_custom_message',
  summary: 'Test a welcome message',
  description: 'For administrators. Sends them the direct message that new users get.',
  access: 'user',
  params: {
    welcome_message_custom_text: required(
      text({ lengthMax: WELCOME_MESSAGE_LENGTH_MAX }),
      'The message, in Markdown.',
    ),
  },
  reply: { message_id: { schema: INTEGER, description: 'The id of the message.' } },
  errors: ['ROLE_REQUIRED', 'MESSAGE_EMPTY'],
  events: ['message'],
  async run({ params: { welcome_message_custom_text: content }, user, services, fail }) {
    checkAdministrator({ caller: user, fail })
    if (content.trim() === '') throw fail('MESSAGE_EMPTY')
    return { message_id: await sendTestNotice(services, user.id, content) }
  },
})
