/** The groups that every organization has, and that follow the roles of its users by themselves. */

import type { GroupId } from './ids.ts'
import { ROLES, type Role } from './roles.ts'

/** By name; their ids are the first ones. On the wire a name is lower-case, after `role:`. */
export const SYSTEM_GROUPS = {
  owners: 1 as GroupId,
  administrators: 2 as GroupId,
  moderators: 3 as GroupId,
  /** Members for longer than the organization's waiting period. */
  fullMembers: 4 as GroupId,
  members: 5 as GroupId,
  everyone: 6 as GroupId,
  /** Everyone, and visitors without an account. */
  internet: 7 as GroupId,
  nobody: 8 as GroupId,
} as const
export type SystemGroupName = keyof typeof SYSTEM_GROUPS

/** What each system group is for, and which it includes whole. */
export const SYSTEM_GROUP_SHAPES: readonly {
  readonly name: SystemGroupName
  readonly description: string
  readonly subgroup: SystemGroupName | undefined
}[] = [
  { name: 'owners', description: 'Owners of this organization', subgroup: undefined },
  {
    name: 'administrators',
    description: 'Administrators of this organization, including owners',
    subgroup: 'owners',
  },
  {
    name: 'moderators',
    description: 'Moderators of this organization, including administrators',
    subgroup: 'administrators',
  },
  {
    name: 'fullMembers',
    description: 'Members of this organization, not including new accounts and guests',
    subgroup: 'moderators',
  },
  {
    name: 'members',
    description: 'Members of this organization, not including guests',
    subgroup: 'fullMembers',
  },
  { name: 'everyone', description: 'Everyone in this organization, including guests', subgroup: 'members' },
  { name: 'internet', description: 'Everyone on the Internet', subgroup: 'everyone' },
  { name: 'nobody', description: 'Nobody', subgroup: undefined },
]

/** The system groups that a user of a role is a direct member of; the other memberships follow. */
export function systemGroupsOf(role: Role, isFullMember: boolean): readonly GroupId[] {
  switch (role) {
    case ROLES.owner:
      return [SYSTEM_GROUPS.owners]
    case ROLES.administrator:
      return [SYSTEM_GROUPS.administrators]
    case ROLES.moderator:
      return [SYSTEM_GROUPS.moderators]
    case ROLES.member:
      return isFullMember ? [SYSTEM_GROUPS.fullMembers, SYSTEM_GROUPS.members] : [SYSTEM_GROUPS.members]
    case ROLES.guest:
      return [SYSTEM_GROUPS.everyone]
  }
}
