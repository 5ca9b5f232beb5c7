/** Who may give whom which role. */

import { isAdministrator } from '../../domain/channel-access.ts'
import { ROLES, type Role, type User } from '../../domain/entities.ts'
import type { Fail } from '../../errors/api-error.ts'
import { oneOfValues } from '../one-of-values.ts'
import { requireOwner } from '../../decisions/require-role.ts'

/** A role, by its number. */
export const roleType = oneOfValues(Object.values(ROLES))
/** What the reference says of roles. */
export const ROLE_MEANING = '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.'

/** Throws unless the caller is an administrator, and an owner where one is made or unmade. */
export function checkRoleRight(
  caller: User,
  target: User,
  role: Role,
  fail: Fail<'PERMISSION_MISSING' | 'ROLE_REQUIRED'>,
): void {
  // Whoever owns a bot manages it, and could lift it above themselves.
  if (!isAdministrator(caller)) throw fail('PERMISSION_MISSING')
  if (role === ROLES.owner || target.role === ROLES.owner) requireOwner(caller, fail)
}
