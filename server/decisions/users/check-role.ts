/** Who may give whom which role. */

import { isAdministrator } from '../../domain/channel-access.ts'
import { ROLES, type Role, type User } from '../../domain/entities.ts'
import type { Fail } from '../../errors/api-error.ts'
import { requireOwner } from '../require-role.ts'

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
