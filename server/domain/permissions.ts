/** The permissions that group settings grant, and which groups may hold each. */

import { type GroupSetting, isSameGroupSetting } from './group-settings.ts'
import type { UserId } from './ids.ts'
import { SYSTEM_GROUPS, type SystemGroupName } from './system-groups.ts'

/** What may be set for one permission. */
export interface PermissionRule {
  /** Who holds it where nobody said otherwise; `creator` is who made the thing. */
  readonly default: SystemGroupName | 'creator'
  /** System groups that may not hold it. */
  readonly forbidden: readonly SystemGroupName[]
  /** Set where only these system groups may hold it. */
  readonly onlySystemGroups?: readonly SystemGroupName[]
}

// The internet holds no permission; some make no sense for guests, and some must be somebody's.
const NOT_INTERNET = ['internet'] as const
const NOT_EVERYONE = ['internet', 'everyone'] as const
const SOMEBODY = ['internet', 'everyone', 'nobody'] as const

function rule(
  fallback: PermissionRule['default'],
  forbidden: readonly SystemGroupName[] = NOT_EVERYONE,
): PermissionRule {
  return { default: fallback, forbidden }
}

/** Of one channel. */
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

/** Of one user group. */
export const GROUP_PERMISSIONS = {
  canAddMembers: rule('creator'),
  canJoin: rule('nobody'),
  canLeave: rule('everyone', NOT_INTERNET),
  canManage: rule('creator'),
  canMention: rule('everyone', ['internet', 'owners']),
  canRemoveMembers: rule('nobody'),
} as const satisfies Readonly<Record<string, PermissionRule>>

/** Of the organization. */
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

/** Who holds each of some permissions. */
export type Permissions<Name extends string> = Readonly<Record<Name, GroupSetting>>
export type ChannelPermissions = Permissions<ChannelPermission>
export type GroupPermissions = Permissions<GroupPermission>
export type OrganizationPermissions = Permissions<OrganizationPermission>

/** The settings given, and for the others their defaults; without a creator nobody holds what a creator would. */
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

/** The system group that a rule forbids to hold a permission, alone or within an explicit set. */
export function findForbiddenGroup(rule: PermissionRule, setting: GroupSetting): SystemGroupName | undefined {
  const groups = typeof setting === 'number' ? [setting] : setting.directSubgroups
  return rule.forbidden.find((name) => groups.includes(SYSTEM_GROUPS[name]))
}

/** Whether a rule lets only some system groups hold a permission, and this is none of them. */
export function violatesSystemGroups(rule: PermissionRule, setting: GroupSetting): boolean {
  return (
    rule.onlySystemGroups !== undefined &&
    !rule.onlySystemGroups.some((name) => isSameGroupSetting(SYSTEM_GROUPS[name], setting))
  )
}
