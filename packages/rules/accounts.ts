/** Permissions on accounts, bots and emoji. */

import type { Account, Organization, Person } from './organization.ts'
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
export function canCreateBots(
  user: Person,
  { rights, permissions }: Organization,
  { isWriteOnly }: { readonly isWriteOnly: boolean },
): boolean {
  if (isGuest(user)) return false
  return (
    rights.holds(user, permissions.canCreateBots) ||
    (isWriteOnly && rights.holds(user, permissions.canCreateWriteOnlyBots))
  )
}

/** Whether a user may add emoji to those of the organization. */
export function canAddEmoji(user: Person, { rights, permissions }: Organization): boolean {
  return !isGuest(user) && rights.holds(user, permissions.canAddCustomEmoji)
}
