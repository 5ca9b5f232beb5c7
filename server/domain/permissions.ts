/** The permissions that group settings grant, and the groups that may hold each. */

import { type GroupSetting, isSameGroupSetting } from './group-settings.ts'
import type { UserId } from './ids.ts'
import { SYSTEM_GROUPS, type SystemGroupName } from './system-groups.ts'

/** The rule of one permission. */
export interface PermissionRule {
  /** The default holder; `creator` is the user who created the channel or group. */
  readonly default: SystemGroupName | 'creator'
  /** System groups that may not hold it. */
  readonly forbidden: readonly SystemGroupName[]
  /** If set, only these system groups may hold it. */
  readonly onlySystemGroups?: readonly SystemGroupName[]
}

// The internet holds no permission. Some make no sense for guests, and some need a holder.
const NOT_INTERNET = ['internet'] as const
const NOT_EVERYONE = ['internet', 'everyone'] as const
const SOMEBODY = ['internet', 'everyone', 'nobody'] as const

function rule(
  fallback: PermissionRule['default'],
  forbidden: readonly SystemGroupName[] = NOT_EVERYONE,
): PermissionRule {
  return { default: fallback, forbidden }
}

/** Permissions in one channel. */
export const CHANNEL_PERMISSIONS = {
  canAddSubscribers: rule('nobody'),
  canRemoveSubscribers: rule('administrators', NOT_INTERNET),
  canAdministerChannel: rule('creator'),
  canDeleteAnyMessage: rule('nobody'),
  canDeleteOwnMessage: rule('nobody', NOT_INTERNET),
  canMoveMessagesOutOfChannel: rule('nobody', NOT_INTERNET),
  canMoveMessagesWithinChannel: rule('nobody', NOT_INTERNET),
  canSendMessage: rule('everyone', NOT_INTERNET),
  canSubscribe: rule('nobody'),
  canResolveTopics: rule('nobody', NOT_INTERNET),
  canCreateTopic: rule('everyone', NOT_INTERNET),
} as const satisfies Readonly<Record<string, PermissionRule>>

/** Permissions on one user group. */
export const GROUP_PERMISSIONS = {
  canAddMembers: rule('creator'),
  canJoin: rule('nobody'),
  canLeave: rule('everyone', NOT_INTERNET),
  canManage: rule('creator'),
  canMention: rule('everyone', ['internet', 'owners']),
  canRemoveMembers: rule('nobody'),
} as const satisfies Readonly<Record<string, PermissionRule>>

/** Permissions in the organization. */
export const ORGANIZATION_PERMISSIONS = {
  canAccessAllUsers: {
    default: 'everyone',
    forbidden: ['internet', 'nobody'],
    onlySystemGroups: ['everyone', 'members'],
  },
  canAddCustomEmoji: rule('members'),
  canAddSubscribers: rule('members'),
  canCreateBots: rule('members'),
  canCreateGroups: rule('members'),
  canCreatePrivateChannel: rule('members'),
  canCreatePublicChannel: rule('members'),
  canCreateWebPublicChannel: {
    default: 'owners',
    forbidden: NOT_EVERYONE,
    onlySystemGroups: ['moderators', 'administrators', 'owners', 'nobody'],
  },
  canCreateWriteOnlyBots: rule('members'),
  canDeleteAnyMessage: rule('administrators'),
  canDeleteOwnMessage: rule('everyone', NOT_INTERNET),
  canInviteUsers: rule('members'),
  canManageAllGroups: rule('owners', SOMEBODY),
  canManageBilling: rule('administrators', SOMEBODY),
  canMentionManyUsers: rule('administrators', NOT_INTERNET),
  canMoveMessagesBetweenChannels: rule('members'),
  canMoveMessagesBetweenTopics: rule('everyone', NOT_INTERNET),
  canResolveTopics: rule('everyone', NOT_INTERNET),
  canSetDeleteMessagePolicy: rule('moderators'),
  canSetTopicsPolicy: rule('members'),
  canSummarizeTopics: rule('everyone', NOT_INTERNET),
  createMultiuseInvite: rule('administrators'),
  directMessageInitiator: rule('everyone', NOT_INTERNET),
  directMessagePermission: rule('everyone', NOT_INTERNET),
} as const satisfies Readonly<Record<string, PermissionRule>>

export type ChannelPermission = keyof typeof CHANNEL_PERMISSIONS
export type GroupPermission = keyof typeof GROUP_PERMISSIONS
export type OrganizationPermission = keyof typeof ORGANIZATION_PERMISSIONS

/** The holders of some permissions. */
export type Permissions<Name extends string> = Readonly<Record<Name, GroupSetting>>
export type ChannelPermissions = Permissions<ChannelPermission>
export type GroupPermissions = Permissions<GroupPermission>
export type OrganizationPermissions = Permissions<OrganizationPermission>

/** The given settings, with defaults for the others; without a creator, nobody holds the permissions of `creator`. */
export function completePermissions<Name extends string>(
  rules: Readonly<Record<Name, PermissionRule>>,
  given: Partial<Permissions<Name>>,
  creatorId: UserId | null,
): Permissions<Name> {
  const complete: Partial<Record<Name, GroupSetting>> = {}
  for (const name of Object.keys(rules) as Name[]) {
    complete[name] = given[name] ?? defaultSetting(rules[name], creatorId)
  }
  return complete as Permissions<Name>
}

function defaultSetting(rule: PermissionRule, creatorId: UserId | null): GroupSetting {
  if (rule.default !== 'creator') return SYSTEM_GROUPS[rule.default]
  if (creatorId === null) return SYSTEM_GROUPS.nobody
  return { directMembers: [creatorId], directSubgroups: [] }
}

/** The forbidden system group in a setting, alone or within an explicit set. */
export function findForbiddenGroup(rule: PermissionRule, setting: GroupSetting): SystemGroupName | undefined {
  const groups = typeof setting === 'number' ? [setting] : setting.directSubgroups
  return rule.forbidden.find((name) => groups.includes(SYSTEM_GROUPS[name]))
}

/** Whether a rule allows only some system groups, and the setting is none of them. */
export function violatesSystemGroups(rule: PermissionRule, setting: GroupSetting): boolean {
  return (
    rule.onlySystemGroups !== undefined &&
    !rule.onlySystemGroups.some((name) => isSameGroupSetting(SYSTEM_GROUPS[name], setting))
  )
}
