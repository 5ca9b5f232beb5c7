/** The permissions that group settings grant, and the groups that may hold each. */

import { type GroupSetting, isSameGroupSetting } from './group-settings.ts'
import type { UserId } from '../ids.ts'
import { SYSTEM_GROUPS, type SystemGroupName } from './system-groups.ts'

/** The rule of one permission. */
export interface PermissionRule {
  /** The acts of its holders, after "users who may". */
  readonly may: string
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
const NOT_EVERYONE_OR_NOBODY = ['internet', 'everyone', 'nobody'] as const

function rule(
  may: string,
  fallback: PermissionRule['default'],
  forbidden: readonly SystemGroupName[] = NOT_EVERYONE,
): PermissionRule {
  return { may, default: fallback, forbidden }
}

/** A permission in a sentence, for the reference. */
export function describePermission({ may }: PermissionRule): string {
  return `The users who may ${may}.`
}

/** Permissions in one channel. */
export const CHANNEL_PERMISSIONS = {
  canAddSubscribers: rule('subscribe others to the channel', 'nobody'),
  canRemoveSubscribers: rule('unsubscribe others from the channel', 'administrators', NOT_INTERNET),
  canAdministerChannel: rule('administer the channel', 'creator'),
  canDeleteAnyMessage: rule('delete any message in the channel', 'nobody'),
  canDeleteOwnMessage: rule('delete their own messages in the channel', 'nobody', NOT_INTERNET),
  canMoveMessagesOutOfChannel: rule('move messages to other channels', 'nobody', NOT_INTERNET),
  canMoveMessagesWithinChannel: rule('move messages within the channel', 'nobody', NOT_INTERNET),
  canSendMessage: rule('send messages to the channel', 'everyone', NOT_INTERNET),
  canSubscribe: rule('subscribe themselves to the channel', 'nobody'),
  canResolveTopics: rule('resolve topics of the channel', 'nobody', NOT_INTERNET),
  canCreateTopic: rule('start topics in the channel', 'everyone', NOT_INTERNET),
  canPin: rule('pin messages and topics in the channel', 'members', NOT_INTERNET),
} as const satisfies Readonly<Record<string, PermissionRule>>

/** Permissions on one user group. */
export const GROUP_PERMISSIONS = {
  canAddMembers: rule('add members to the group', 'creator'),
  canJoin: rule('join the group', 'nobody'),
  canLeave: rule('leave the group', 'everyone', NOT_INTERNET),
  canManage: rule('manage the group', 'creator'),
  canMention: rule('mention the group', 'everyone', ['internet', 'owners']),
  canRemoveMembers: rule('remove members from the group', 'nobody'),
} as const satisfies Readonly<Record<string, PermissionRule>>

/** Permissions in the organization. */
export const ORGANIZATION_PERMISSIONS = {
  canAccessAllUsers: {
    may: 'see all users',
    default: 'everyone',
    forbidden: ['internet', 'nobody'],
    onlySystemGroups: ['everyone', 'members'],
  },
  canAddCustomEmoji: rule('add custom emoji', 'members'),
  canAddSubscribers: rule('subscribe others to channels', 'members'),
  canCreateBots: rule('create bots', 'members'),
  canCreateGroups: rule('create user groups', 'members'),
  canCreatePrivateChannel: rule('create private channels', 'members'),
  canCreatePublicChannel: rule('create public channels', 'members'),
  canCreateWebPublicChannel: {
    may: 'create web-public channels',
    default: 'owners',
    forbidden: NOT_EVERYONE,
    onlySystemGroups: ['moderators', 'administrators', 'owners', 'nobody'],
  },
  canCreateWriteOnlyBots: rule('create bots that only send', 'members'),
  canDeleteAnyMessage: rule('delete any message', 'administrators'),
  canDeleteOwnMessage: rule('delete their own messages', 'everyone', NOT_INTERNET),
  canInviteUsers: rule('invite people by email', 'members'),
  canManageAllGroups: rule('manage all user groups', 'owners', NOT_EVERYONE_OR_NOBODY),
  canManageBilling: rule('manage payments', 'administrators', NOT_EVERYONE_OR_NOBODY),
  canMentionManyUsers: rule('mention everyone in a large channel or topic', 'administrators', NOT_INTERNET),
  canMoveMessagesBetweenChannels: rule('move messages to other channels', 'members'),
  canMoveMessagesBetweenTopics: rule('move messages to other topics', 'everyone', NOT_INTERNET),
  canResolveTopics: rule('resolve topics', 'everyone', NOT_INTERNET),
  canSetDeleteMessagePolicy: rule('choose the users who may delete messages in a channel', 'moderators'),
  canSetTopicsPolicy: rule('choose the topics policy of a channel', 'members'),
  canSummarizeTopics: rule('have topics summarized', 'everyone', NOT_INTERNET),
  createMultiuseInvite: rule('create invitation links', 'administrators'),
  directMessageInitiator: rule('start conversations', 'everyone', NOT_INTERNET),
  directMessagePermission: rule('permit a conversation by being in it', 'everyone', NOT_INTERNET),
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
