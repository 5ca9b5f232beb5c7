/** `PATCH /realm`: changes the organization's texts, settings and permissions. */

import { nowSeconds } from '../../../domain/clock.ts'
import type { User } from '../../../domain/entities.ts'
import type { OrganizationChange } from '../../../domain/events/organization.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import {
  ORGANIZATION_DESCRIPTION_LENGTH_MAX,
  ORGANIZATION_NAME_LENGTH_MAX,
  RETENTION_DAYS_MAX,
  WAITING_PERIOD_DAYS_MAX,
} from '../../../domain/limits.ts'
import type { OrganizationSettings } from '../../../domain/organization-settings.ts'
import { ORGANIZATION_PERMISSIONS, type OrganizationPermission } from '../../../domain/permissions.ts'
import { PLAIN_SETTINGS, type PlainSettingName, PROVIDER_SERVICE_ID } from '../../../domain/plain-settings.ts'
import type { OrganizationState } from '../../../state/organization-state.ts'
import { snakeCase } from '../../../views/settings-view.ts'
import { permissionName } from '../../../views/permission-view.ts'
import { changeOrganization } from '../../changes/change-organization.ts'
import type { Fail } from '../../../errors/api-error.ts'
import {
  groupSettingUpdateType,
  permissionParams,
  readPermissionUpdates,
} from '../user-groups/group-setting-params.ts'
import { MESSAGE_SETTING_PARAMS, readMessageSettings } from './message-setting-params.ts'
import { operation } from '../../operation.ts'
import {
  checkPermissionUpdates,
  checkSystemGroups,
  GROUP_SETTING_ERRORS,
} from '../../../decisions/group-settings.ts'
import { requireAdministrator, requireOwner } from '../../../decisions/require-role.ts'
import { typeOfSetting } from '../users/setting-params.ts'
import {
  anyOf,
  boolean,
  id,
  integer,
  oneOf,
  optional,
  type Param,
  text,
  type ValuesOf,
} from '../../params.ts'

const SETTING_PARAMS = {
  waiting_period_threshold: optional(
    integer({ min: 0, max: WAITING_PERIOD_DAYS_MAX }),
    'For owners: days until a new member counts as a full one.',
  ),
  topics_policy: optional(
    oneOf('allow_empty_topic', 'disable_empty_topic'),
    'What `inherit` means in a channel.',
  ),
  mandatory_topics: optional(boolean(), 'The same, as older clients know it.', { isDeprecated: true }),
  enable_spectator_access: optional(
    boolean(),
    'Whether visitors without an account may read web-public channels, where the server allows such.',
  ),
  message_retention_days: optional(
    anyOf(oneOf('unlimited'), integer({ min: 1, max: RETENTION_DAYS_MAX })),
    'For owners: days, or `unlimited`, in channels that inherit.',
  ),
  send_channel_events_messages: optional(
    boolean(),
    'Whether what happens to a channel is told in a topic of its own there.',
  ),
  new_stream_announcements_stream_id: optional(
    id<ChannelId>(),
    'Where new public channels are announced; -1 for nowhere.',
  ),
  moderation_request_channel_id: optional(
    id<ChannelId>(),
    'Where reports of messages go, a private channel; -1 for nowhere.',
  ),
  ...MESSAGE_SETTING_PARAMS,
}

/** By their names on the wire. */
const PLAIN_NAMES = new Map(
  (Object.keys(PLAIN_SETTINGS) as PlainSettingName[]).map((name) => [snakeCase(name), name]),
)
const PLAIN_PARAMS: Readonly<Record<string, Param<unknown>>> = Object.fromEntries(
  [...PLAIN_NAMES].map(([wireName, name]) => {
    const setting = PLAIN_SETTINGS[name]
    return [wireName, optional(typeOfSetting(setting), setting.meaning || 'A setting for clients to follow.')]
  }),
)

/** What decides on who may do more: owners keep it to themselves. */
const OWNERS_PERMISSIONS: readonly OrganizationPermission[] = [
  'canCreateGroups',
  'canInviteUsers',
  'canManageAllGroups',
  'canManageBilling',
  'createMultiuseInvite',
]
const OWNERS_PARAMS = [
  'waiting_period_threshold',
  'message_retention_days',
  'emails_restricted_to_domains',
  'disallow_disposable_email_addresses',
  ...OWNERS_PERMISSIONS.map(permissionName),
]

export const updateOrganization = operation({
  method: 'PATCH',
  path: '/realm',
  summary: 'Update the organization',
  description:
    'For administrators; what decides on who may invite, create and manage groups, on the waiting period and on how long ' +
    'messages are kept, for owners. All of it changes, or nothing.',
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
  errors: [
    'ROLE_REQUIRED',
    'WEB_PUBLIC_DISABLED',
    'CHANNEL_UNKNOWN',
    'MODERATION_CHANNEL_PUBLIC',
    ...GROUP_SETTING_ERRORS,
    'SYSTEM_GROUP_REQUIRED',
    'EXPECTATION_MISMATCH',
    'MESSAGE_RENDERING_FAILED',
  ],
  events: [
    'realm/update_dict',
    'user_group/add_members',
    'user_group/remove_members',
    'stream/create',
    'stream/delete',
    'subscription/peer_add',
  ],
  async run({ user, params, services, fail }) {
    const { clock, committer, hasWebPublicChannels } = services
    const given = params as Readonly<Record<string, unknown>>
    if (given.video_chat_provider === PROVIDER_SERVICE_ID && !services.calls)
      throw fail('PARAMETER_INVALID', { message: 'Invalid video_chat_provider' })
    const { name, description } = params as { name: string | undefined; description: string | undefined }
    const renderedDescription = description ? await services.render(description, user.id) : ''
    return committer.submit({
      kind: 'structure',
      decide(state) {
        const caller = state.getUser(user.id)
        requireAdministrator(caller, fail)
        if (OWNERS_PARAMS.some((one) => given[one] !== undefined)) requireOwner(caller, fail)
        const present = state.permissions
        const updates = readPermissionUpdates(ORGANIZATION_PERMISSIONS, given)
        const permissions = checkPermissionUpdates(
          { state, fail },
          ORGANIZATION_PERMISSIONS,
          updates,
          present,
        )
        checkSystemGroups({ state, fail }, ORGANIZATION_PERMISSIONS, permissions)
        const change: OrganizationChange = {
          ...(name === undefined ? {} : { name }),
          ...(description === undefined ? {} : { description, renderedDescription }),
          settings: {
            ...readSettings(params as SettingValues, caller, state, hasWebPublicChannels, fail),
            ...readPlainSettings(given),
          },
          permissions,
        }
        return { events: changeOrganization(state, change, nowSeconds(clock)), reply: () => ({}) }
      },
    })
  },
})

function readPlainSettings(given: Readonly<Record<string, unknown>>): Partial<OrganizationSettings> {
  const set = [...PLAIN_NAMES].filter(([wireName]) => given[wireName] !== undefined)
  return Object.fromEntries(set.map(([wireName, name]) => [name, given[wireName]]))
}

type SettingValues = ValuesOf<typeof SETTING_PARAMS>
type SettingsFail = Fail<'WEB_PUBLIC_DISABLED' | 'CHANNEL_UNKNOWN' | 'MODERATION_CHANNEL_PUBLIC'>

function readSettings(
  params: SettingValues,
  caller: User,
  state: OrganizationState,
  hasWebPublicChannels: boolean,
  fail: SettingsFail,
): Partial<OrganizationSettings> {
  const settings: { -readonly [Name in keyof OrganizationSettings]?: OrganizationSettings[Name] } = {}
  const findChannel = (channelId: ChannelId) => {
    if (channelId < 0) return undefined
    const channel = state.findVisibleChannel(caller, channelId)?.channel
    if (!channel || channel.isArchived) throw fail('CHANNEL_UNKNOWN')
    return channel
  }
  if (params.waiting_period_threshold !== undefined) {
    settings.waitingPeriodDays = params.waiting_period_threshold
  }
  if (params.mandatory_topics !== undefined) {
    settings.topicsPolicy = params.mandatory_topics ? 'disable_empty_topic' : 'allow_empty_topic'
  }
  if (params.topics_policy !== undefined) settings.topicsPolicy = params.topics_policy
  if (params.enable_spectator_access !== undefined) {
    if (params.enable_spectator_access && !hasWebPublicChannels) throw fail('WEB_PUBLIC_DISABLED')
    settings.hasSpectatorAccess = params.enable_spectator_access
  }
  if (params.message_retention_days !== undefined) {
    const days = params.message_retention_days
    settings.messageRetentionDays = days === 'unlimited' ? -1 : days
  }
  if (params.send_channel_events_messages !== undefined) {
    settings.sendsChannelEvents = params.send_channel_events_messages
  }
  if (params.new_stream_announcements_stream_id !== undefined) {
    settings.announcementsChannelId = findChannel(params.new_stream_announcements_stream_id)?.id ?? null
  }
  if (params.moderation_request_channel_id !== undefined) {
    const channel = findChannel(params.moderation_request_channel_id)
    if (channel && !channel.isPrivate) throw fail('MODERATION_CHANNEL_PUBLIC')
    settings.moderationChannelId = channel?.id ?? null
  }
  return { ...settings, ...readMessageSettings(params, state.settings) }
}
