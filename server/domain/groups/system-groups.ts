/** Groups that every organization has, and whose members follow from the users' roles. */

import type { GroupId } from '../ids.ts'
import { ROLES, type Role } from '../../../packages/rules/roles.ts'

/** By name; they have the first ids. On the wire the name is in lower case, after `role:`. */
export const SYSTEM_GROUPS = {
  owners: 1 as GroupId,
  administrators: 2 as GroupId,
  moderators: 3 as GroupId,
  /** Members whose waiting period is over. */
  fullMembers: 4 as GroupId,
  members: 5 as GroupId,
  everyone: 6 as GroupId,
  /** Everyone, and visitors without an account. */
  internet: 7 as GroupId,
  nobody: 8 as GroupId,
} as const
export type SystemGroupName = keyof typeof SYSTEM_GROUPS

/** The description of each system group, and the groups that it includes. */
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

/** The system groups that users of a role belong to directly; the other memberships follow. */
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
