/** Permissions on user groups. Nobody changes the system groups: they follow the users' roles. */

import type { Organization, Permissions, Person } from './organization.ts'
import { isGuest } from './roles.ts'

/** The part of a group that its rules depend on. */
export interface JudgedGroup {
  readonly isSystem: boolean
  readonly permissions: Permissions<
    'canAddMembers' | 'canJoin' | 'canLeave' | 'canManage' | 'canRemoveMembers'
  >
}

/** Whether a user may create groups. */
export function canCreateGroups(user: Person, { rights, permissions }: Organization): boolean {
  return !isGuest(user) && rights.holds(user, permissions.canCreateGroups)
}

/** Whether a user may change every part of a group. */
export function canManageGroup(
  user: Person,
  group: JudgedGroup,
  { rights, permissions }: Organization,
): boolean {
  if (group.isSystem || isGuest(user)) return false
  return rights.holds(user, permissions.canManageAllGroups) || rights.holds(user, group.permissions.canManage)
}

/** Whether a user may add these members. Permission to add only oneself never covers subgroups. */
export function canAddToGroup(
  user: Person,
  group: JudgedGroup,
  organization: Organization,
  userIds: readonly number[] = [],
): boolean {
  if (canManageGroup(user, group, organization)) return true
  if (group.isSystem || isGuest(user)) return false
  const { canAddMembers, canJoin } = group.permissions
  const { rights } = organization
  return rights.holds(user, canAddMembers) || (isAlone(user, userIds) && rights.holds(user, canJoin))
}

/** Whether a user may remove these members; guests may leave if everyone may. */
export function canRemoveFromGroup(
  user: Person,
  group: JudgedGroup,
  organization: Organization,
  userIds: readonly number[] = [],
): boolean {
  if (canManageGroup(user, group, organization)) return true
  if (group.isSystem) return false
  const { canRemoveMembers, canLeave } = group.permissions
  const { rights } = organization
  if (isAlone(user, userIds) && rights.holds(user, canLeave)) return true
  return !isGuest(user) && rights.holds(user, canRemoveMembers)
}

function isAlone(user: Person, userIds: readonly number[]): boolean {
  return userIds.length > 0 && userIds.every((id) => id === user.id)
}
