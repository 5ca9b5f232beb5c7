/** The organization's settings for clients. */

import type { OrganizationChange } from '../domain/events/organization.ts'
import type { GroupId } from '../domain/ids.ts'
import type { OrganizationSettings } from '../domain/organization-settings.ts'
import {
  ORGANIZATION_PERMISSIONS,
  type OrganizationPermission,
  type OrganizationPermissions,
} from '../domain/permissions.ts'
import { anyOf, BOOLEAN, INTEGER, orNull, record, type Schema, STRING } from '../domain/json-schema.ts'
import { PLAIN_SETTINGS, type PlainSettingName } from '../domain/plain-settings.ts'
import { SYSTEM_GROUPS } from '../domain/system-groups.ts'
import type { UserSet } from '../domain/user-set.ts'
import { permissionSchemas, viewPermissions } from './permission-view.ts'
import { snakeCase } from './settings-view.ts'

const SETTING = orNull(anyOf(BOOLEAN, INTEGER, STRING))

type Value = OrganizationSettings[keyof OrganizationSettings]

/** Settings with irregular names on the wire. */
const SETTING_VIEWS: {
  readonly [Name in Exclude<keyof OrganizationSettings, PlainSettingName>]: {
    readonly name: string
    readonly view?: (value: OrganizationSettings[Name]) => unknown
  }
} = {
  waitingPeriodDays: { name: 'waiting_period_threshold' },
  topicsPolicy: { name: 'topics_policy' },
  hasSpectatorAccess: { name: 'enable_spectator_access' },
  messageRetentionDays: { name: 'message_retention_days' },
  sendsChannelEvents: { name: 'send_channel_events_messages' },
  announcementsChannelId: { name: 'new_stream_announcements_stream_id', view: (id) => id ?? -1 },
  moderationChannelId: { name: 'moderation_request_channel_id', view: (id) => id ?? -1 },
  allowsEditing: { name: 'allow_message_editing' },
  contentEditLimitSeconds: { name: 'message_content_edit_limit_seconds' },
  contentDeleteLimitSeconds: { name: 'message_content_delete_limit_seconds' },
  topicMoveLimitSeconds: { name: 'move_messages_within_stream_limit_seconds' },
  channelMoveLimitSeconds: { name: 'move_messages_between_streams_limit_seconds' },
  editHistoryVisibility: { name: 'message_edit_history_visibility_policy' },
  hasReadReceipts: { name: 'enable_read_receipts' },
}

/** How clients older than group settings see permissions: a name, and a number for each system group. */
const POLICY_VIEWS: {
  readonly [Name in OrganizationPermission]?: {
    readonly name: string
    readonly numbers: Partial<Record<GroupId, number>>
    /** For all other groups. */
    readonly otherwise: number
  }
} = {
  canCreatePublicChannel: makerPolicy('create_public_stream_policy'),
  canCreatePrivateChannel: makerPolicy('create_private_stream_policy'),
  canCreateWebPublicChannel: {
    name: 'create_web_public_stream_policy',
    numbers: {
      [SYSTEM_GROUPS.administrators]: 2,
      [SYSTEM_GROUPS.moderators]: 4,
      [SYSTEM_GROUPS.nobody]: 6,
    },
    otherwise: 7,
  },
  canMentionManyUsers: {
    name: 'wildcard_mention_policy',
    numbers: {
      [SYSTEM_GROUPS.members]: 2,
      [SYSTEM_GROUPS.fullMembers]: 3,
      [SYSTEM_GROUPS.administrators]: 5,
      [SYSTEM_GROUPS.owners]: 5,
      [SYSTEM_GROUPS.nobody]: 6,
      [SYSTEM_GROUPS.moderators]: 7,
    },
    otherwise: 1,
  },
  canMoveMessagesBetweenTopics: {
    name: 'edit_topic_policy',
    numbers: {
      [SYSTEM_GROUPS.members]: 1,
      [SYSTEM_GROUPS.administrators]: 2,
      [SYSTEM_GROUPS.owners]: 2,
      [SYSTEM_GROUPS.fullMembers]: 3,
      [SYSTEM_GROUPS.moderators]: 4,
      [SYSTEM_GROUPS.nobody]: 6,
    },
    otherwise: 5,
  },
}

/** Users whom no number describes are offered the choice, and the server refuses those without permission. */
function makerPolicy(name: string) {
  const { administrators, owners, nobody, fullMembers, moderators } = SYSTEM_GROUPS
  const numbers = { [administrators]: 2, [owners]: 2, [nobody]: 2, [fullMembers]: 3, [moderators]: 4 }
  return { name, numbers, otherwise: 1 }
}

function viewPolicies(permissions: Partial<OrganizationPermissions>, prefix: string): Record<string, number> {
  const view: Record<string, number> = {}
  for (const [permission, setting] of Object.entries(permissions)) {
    const policy = POLICY_VIEWS[permission as OrganizationPermission]
    if (!policy) continue
    const number = typeof setting === 'number' ? policy.numbers[setting] : undefined
    view[prefix + policy.name] = number ?? policy.otherwise
  }
  return view
}

/** Schema of `viewOrganizationChange`, without a prefix. */
export const ORGANIZATION_CHANGE = record({}, organizationFields())

function organizationFields(): Readonly<Record<string, Schema>> {
  const own = Object.values(SETTING_VIEWS).map(({ name }) => [name, SETTING])
  const plain = Object.keys(PLAIN_SETTINGS).map((name) => [snakeCase(name), SETTING])
  const policies = Object.values(POLICY_VIEWS).map(({ name }) => [name, INTEGER])
  return {
    name: STRING,
    description: STRING,
    mandatory_topics: BOOLEAN,
    allow_edit_history: BOOLEAN,
    ...Object.fromEntries([...own, ...plain, ...policies]),
    ...permissionSchemas(ORGANIZATION_PERMISSIONS),
  }
}

/** The changed settings of the organization, or all of them, by wire names with `prefix`. */
export function viewOrganizationChange(
  { name, description, settings, permissions }: OrganizationChange,
  activeUsers: UserSet,
  prefix = '',
): Readonly<Record<string, unknown>> {
  const view: Record<string, unknown> = {}
  if (name !== undefined) view[`${prefix}name`] = name
  if (description !== undefined) view[`${prefix}description`] = description
  for (const [setting, value] of Object.entries(settings ?? {})) {
    if (setting in PLAIN_SETTINGS) {
      view[prefix + snakeCase(setting)] = value
      continue
    }
    const { name: wireName, view: viewValue } = SETTING_VIEWS[setting as keyof typeof SETTING_VIEWS]
    view[prefix + wireName] = viewValue ? (viewValue as (value: Value) => unknown)(value as Value) : value
  }
  // Older clients know the topics policy as whether a topic is mandatory.
  if (settings?.topicsPolicy !== undefined) {
    view[`${prefix}mandatory_topics`] = settings.topicsPolicy === 'disable_empty_topic'
  }
  // They know the edit history as whether it is visible at all.
  if (settings?.editHistoryVisibility !== undefined) {
    view[`${prefix}allow_edit_history`] = settings.editHistoryVisibility !== 'none'
  }
  return {
    ...view,
    ...viewPermissions(permissions ?? {}, activeUsers, prefix),
    ...viewPolicies(permissions ?? {}, prefix),
  }
}
