/** Permissions to invite people, and the roles that an inviter may give. */

import type { Account, Rights, Setting } from './organization.ts'
import { isGuest, ROLES, type WithRole } from './roles.ts'

/** Whether a user may invite people under a permission: that for mails, or that for links. */
export function canInvite(
  user: Pick<Account, 'id' | 'role' | 'botType'>,
  permission: Setting,
  rights: Rights,
): boolean {
  return user.botType === null && !isGuest(user) && rights.holds(user, permission)
}

/** The role that a user needs and lacks to make somebody a user of another role, or to invite one. */
export function findRoleToGive({ role }: WithRole, given: number): 'owner' | 'administrator' | undefined {
  if (given === ROLES.owner) return role === ROLES.owner ? undefined : 'owner'
  if (given <= ROLES.moderator) return role <= ROLES.administrator ? undefined : 'administrator'
  return undefined
}
