/** Permissions on user groups. Nobody changes the system groups: they follow the users' roles. */

import { ROLES, type User, type UserGroup } from '../entities.ts'
import type { UserId } from '../ids.ts'
import type { OrganizationPermissions } from './permissions.ts'
import type { Rights } from '../users/rights.ts'

/** The organization's rights and permissions. */
export interface Standing {
  readonly rights: Rights
  readonly permissions: OrganizationPermissions
}

/** Whether a user may create groups. */
export function canCreateGroups(user: User, { rights, permissions }: Standing): boolean {
  return user.role !== ROLES.guest && rights.holds(user, permissions.canCreateGroups)
}

/** Whether a user may change every part of a group. */
export function canManageGroup(user: User, group: UserGroup, { rights, permissions }: Standing): boolean {
  if (group.isSystem || user.role === ROLES.guest) return false
  return rights.holds(user, permissions.canManageAllGroups) || rights.holds(user, group.permissions.canManage)
}

/** Whether a user may add these members. Permission to add only oneself never covers subgroups. */
export function canAddToGroup(
  user: User,
  group: UserGroup,
  standing: Standing,
  userIds: readonly UserId[] = [],
): boolean {
  if (canManageGroup(user, group, standing)) return true
  if (group.isSystem || user.role === ROLES.guest) return false
  const { canAddMembers, canJoin } = group.permissions
  const { rights } = standing
  return rights.holds(user, canAddMembers) || (isAlone(user, userIds) && rights.holds(user, canJoin))
}

/** Whether a user may remove these members; guests may leave if everyone may. */
export function canRemoveFromGroup(
  user: User,
  group: UserGroup,
  standing: Standing,
  userIds: readonly UserId[] = [],
): boolean {
  if (canManageGroup(user, group, standing)) return true
  if (group.isSystem) return false
  const { canRemoveMembers, canLeave } = group.permissions
  const { rights } = standing
  if (isAlone(user, userIds) && rights.holds(user, canLeave)) return true
  return user.role !== ROLES.guest && rights.holds(user, canRemoveMembers)
}

function isAlone(user: User, userIds: readonly UserId[]): boolean {
  return userIds.length > 0 && userIds.every((id) => id === user.id)
}
