/** Who may change whose account. */

import { isAdministrator } from './channel-access.ts'
import { ROLES, type User } from './entities.ts'

/** Whether a user may change another's account, or that of their own bot. */
export function canAdministerUser(caller: User, target: User): boolean {
  return isAdministrator(caller) || target.botOwnerId === caller.id
}

/** Whether a user is the only active person among some who is an owner: without one nobody could make another. */
export function isLastOwner(user: User, users: Iterable<User>): boolean {
  if (!isActivePerson(user) || user.role !== ROLES.owner) return false
  for (const one of users) {
    if (one.id !== user.id && one.role === ROLES.owner && isActivePerson(one)) return false
  }
  return true
}

/** Neither deactivated nor a bot. */
export function isActivePerson({ isActive, botType }: User): boolean {
  return isActive && botType === null
}
