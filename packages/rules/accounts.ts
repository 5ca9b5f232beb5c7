/** Permissions on accounts, bots, invitations and emoji. */

import type { Account, Organization, Person, Rights } from './organization.ts'
import { isAdministrator, isGuest, ROLES, type WithRole } from './roles.ts'

/** Whether a user may change another user's account, or that of their own bot. */
export function canAdministerUser(user: Person, target: Pick<Account, 'botOwnerId'>): boolean {
  return isAdministrator(user) || target.botOwnerId === user.id
}

/** Whether only an owner may do what an administrator does with other accounts: with those of owners. */
export function needsOwner(user: WithRole, target: WithRole): boolean {
  return target.role === ROLES.owner && user.role !== ROLES.owner
}

/** Whether a user may create bots; incoming webhooks, which only write, need less. */
export function canCreateBots<Setting>(
  user: Person,
  { rights, permissions }: Organization<Setting>,
  { isWriteOnly }: { readonly isWriteOnly: boolean },
): boolean {
  if (isGuest(user)) return false
  return (
    rights.holds(user, permissions.canCreateBots) ||
    (isWriteOnly && rights.holds(user, permissions.canCreateWriteOnlyBots))
  )
}

/** Whether a user may invite people under a permission: that for mails, or that for links. */
export function canInvite<Setting>(
  user: Pick<Account, 'id' | 'role' | 'botType'>,
  permission: Setting,
  rights: Rights<Setting>,
): boolean {
  return user.botType === null && !isGuest(user) && rights.holds(user, permission)
}

/** Whether a user may add emoji to those of the organization. */
export function canAddEmoji<Setting>(user: Person, { rights, permissions }: Organization<Setting>): boolean {
  return !isGuest(user) && rights.holds(user, permissions.canAddCustomEmoji)
}
