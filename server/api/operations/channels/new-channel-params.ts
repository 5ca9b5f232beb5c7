/** The parameters of new channels; existing channels ignore them. */

import type { GroupSetting } from '../../../domain/groups/group-settings.ts'
import type { FolderId } from '../../../domain/ids.ts'
import { CHANNEL_DESCRIPTION_LENGTH_MAX } from '../../../domain/limits.ts'
import { RETENTION_DAYS_MAX } from '../../../../packages/rules/limits.ts'
import { CHANNEL_PERMISSIONS, type ChannelPermission } from '../../../domain/groups/permissions.ts'
import { permissionName } from '../../../views/permission-view.ts'
import type { NewChannelRequest } from '../../../decisions/channels/new-channel.ts'
import {
  groupSettingType,
  permissionParams,
  readGivenPermissions,
} from '../user-groups/group-setting-params.ts'
import type { Hosting } from '../../services.ts'
import {
  anyOf,
  boolean,
  defaulted,
  id,
  integer,
  looseJson,
  nullable,
  oneOf,
  optional,
  text,
  type ValuesOf,
} from '../../params.ts'
import { CHANNEL_NAME_ERRORS } from '../../../decisions/channels/find-channel.ts'

/** Days, or one of two words. */
export const retentionType = anyOf(
  oneOf('realm_default', 'unlimited'),
  integer({ min: 1, max: RETENTION_DAYS_MAX }),
)

/** The topics policy; some clients send it as JSON, with quotes. */
export const topicsPolicyType = looseJson(
  oneOf('inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'),
)

/** The retention time as channels store it: null for the organization's, -1 for ever. */
export function readRetention(given: ReturnType<typeof retentionType.check> | undefined): number | null {
  if (given === undefined || given === 'realm_default') return null
  return given === 'unlimited' ? -1 : given
}

/** The description of a new channel. */
export const descriptionParam = defaulted(
  text({ lengthMax: CHANNEL_DESCRIPTION_LENGTH_MAX }),
  '',
  'The description of a new channel, in Markdown.',
)

/** The settings of new channels, and whether to announce them. */
export const NEW_CHANNEL_PARAMS = {
  ...permissionParams(CHANNEL_PERMISSIONS, groupSettingType),
  announce: defaulted(
    boolean(),
    false,
    'Whether new public channels are announced in the channel that the organization has for announcements.',
  ),
  invite_only: defaulted(boolean(), false, 'Makes new channels private.'),
  is_web_public: defaulted(
    boolean(),
    false,
    'Opens new channels to guests and anonymous visitors, if this server, the organization and its ' +
      '`can_create_web_public_channel_group` allow it.',
  ),
  is_default_stream: defaulted(boolean(), false, 'For administrators: makes new channels default ones.'),
  history_public_to_subscribers: optional(
    boolean(),
    'Whether new subscribers of a private channel can read earlier messages; always true for public channels.',
  ),
  message_retention_days: optional(
    retentionType,
    'Retention of messages in new channels, for owners: days, `realm_default` or `unlimited`.',
  ),
  topics_policy: defaulted(topicsPolicyType, 'inherit', 'The topics that messages of new channels may have.'),
  folder_id: defaulted(nullable(id<FolderId>()), null, 'The folder of new channels.'),
}

/** The errors of a new channel's name and description. */
export const CHANNEL_TEXT_ERRORS = [...CHANNEL_NAME_ERRORS, 'MESSAGE_RENDERING_FAILED'] as const

/** The new channels from the parameters. */
export function readNewChannel(
  params: ValuesOf<typeof NEW_CHANNEL_PARAMS>,
  { hasWebPublicChannels }: Pick<Hosting, 'hasWebPublicChannels'>,
): NewChannelRequest {
  return {
    isPrivate: params.invite_only,
    isWebPublic: params.is_web_public,
    isHistoryPublic: params.history_public_to_subscribers,
    retentionDays: readRetention(params.message_retention_days),
    topicsPolicy: params.topics_policy,
    folderId: params.folder_id,
    isDefault: params.is_default_stream,
    hasWebPublicChannels,
    permissions: readGivenPermissions(CHANNEL_PERMISSIONS, params as Record<string, unknown>),
  }
}

/** The number of users and groups in the given permissions, with repetitions. */
export function countHolders(params: Readonly<Record<string, unknown>>): number {
  const settings = (Object.keys(CHANNEL_PERMISSIONS) as ChannelPermission[]).map(
    (name) => params[permissionName(name)] as GroupSetting | undefined,
  )
  return settings.reduce<number>((count, setting) => {
    if (setting === undefined || typeof setting === 'number') return count
    return count + setting.directMembers.length + setting.directSubgroups.length
  }, 0)
}

/** A channel's description as one line. */
export function readDescription(given: string): string {
  return given.replaceAll(/\s*[\r\n]\s*/g, ' ').trim()
}
