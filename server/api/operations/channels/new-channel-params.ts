/** The parameters of new channels; they do not touch channels that exist. */

import type { GroupSetting } from '../../../domain/group-settings.ts'
import type { FolderId } from '../../../domain/ids.ts'
import { CHANNEL_DESCRIPTION_LENGTH_MAX, RETENTION_DAYS_MAX } from '../../../domain/limits.ts'
import { CHANNEL_PERMISSIONS, type ChannelPermission } from '../../../domain/permissions.ts'
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
import { CHANNEL_NAME_ERRORS } from '../../../decisions/channels/check-channel-name.ts'

/** Days, or one of two words. */
export const retentionType = anyOf(
  oneOf('realm_default', 'unlimited'),
  integer({ min: 1, max: RETENTION_DAYS_MAX }),
)

/** Which topics there may be; some clients send it as JSON, with its quotes. */
export const topicsPolicyType = looseJson(
  oneOf('inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'),
)

/** How long messages are kept, as channels hold it: null as the organization says, -1 forever. */
export function readRetention(given: ReturnType<typeof retentionType.check> | undefined): number | null {
  if (given === undefined || given === 'realm_default') return null
  return given === 'unlimited' ? -1 : given
}

/** The description of a new channel. */
export const descriptionParam = defaulted(
  text({ lengthMax: CHANNEL_DESCRIPTION_LENGTH_MAX }),
  '',
  'For a new channel, in Markdown.',
)

/** The settings of new channels, and whether they are announced. */
export const NEW_CHANNEL_PARAMS = {
  ...permissionParams(CHANNEL_PERMISSIONS, groupSettingType),
  announce: defaulted(
    boolean(),
    false,
    'Whether new public channels are announced in the channel that the organization has for it.',
  ),
  invite_only: defaulted(boolean(), false, 'Makes new channels private.'),
  is_web_public: defaulted(
    boolean(),
    false,
    'Opens new channels to guests and visitors without an account, where this server, the organization and ' +
      'its `can_create_web_public_channel_group` allow it.',
  ),
  is_default_stream: defaulted(
    boolean(),
    false,
    'By administrators: makes new channels ones to which new users are subscribed.',
  ),
  history_public_to_subscribers: optional(
    boolean(),
    'Whether subscribers of a new private channel read what was sent before; always so in public ones.',
  ),
  message_retention_days: optional(
    retentionType,
    'For new channels, by owners: days, `realm_default` or `unlimited`.',
  ),
  topics_policy: defaulted(topicsPolicyType, 'inherit', 'Which topics messages of new channels may have.'),
  folder_id: defaulted(nullable(id<FolderId>()), null, 'The folder of new channels.'),
}

/** How the name and the description of a new channel can be wrong. */
export const CHANNEL_TEXT_ERRORS = [...CHANNEL_NAME_ERRORS, 'MESSAGE_RENDERING_FAILED'] as const

/** The new channels that the parameters ask for. */
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

/** How many users and groups the permissions given name, repeated ones included. */
export function countHolders(params: Readonly<Record<string, unknown>>): number {
  const settings = (Object.keys(CHANNEL_PERMISSIONS) as ChannelPermission[]).map(
    (name) => params[permissionName(name)] as GroupSetting | undefined,
  )
  return settings.reduce<number>((count, setting) => {
    if (setting === undefined || typeof setting === 'number') return count
    return count + setting.directMembers.length + setting.directSubgroups.length
  }, 0)
}

/** A channel's description on one line. */
export function readDescription(given: string): string {
  return given.replaceAll(/\s*[\r\n]\s*/g, ' ').trim()
}
