/** Who may give whom which role. */

import { isAdministrator } from '../../domain/channel-access.ts'
import { ROLES, type Role, type User } from '../../domain/entities.ts'
import { checkOwner } from '../check-caller.ts'
import type { Scope } from '../scope.ts'

/** Throws unless the caller is an administrator, and an owner where one is made or unmade. */
export function checkRoleRight(
  scope: Pick<Scope<'PERMISSION_MISSING' | 'ROLE_REQUIRED'>, 'caller' | 'fail'>,
  target: User,
  role: Role,
): void {
  // The owner of a bot manages it, and could lift it above themselves.
  if (!isAdministrator(scope.caller)) throw scope.fail('PERMISSION_MISSING')
  if (role === ROLES.owner || target.role === ROLES.owner) checkOwner(scope)
}
