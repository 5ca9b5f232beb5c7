/** The rights to change roles. */

import { findRoleToGive } from '../../../packages/rules/invitations.ts'
import { needsOwner } from '../../../packages/rules/accounts.ts'
import { isAdministrator } from '../../../packages/rules/roles.ts'
import type { Role, User } from '../../domain/entities.ts'
import { checkOwner } from '../check-caller.ts'
import type { Scope } from '../scope.ts'

/** Throws unless the caller is an administrator, or an owner if the old or the new role is owner. */
export function checkRoleRight(
  scope: Pick<Scope<'PERMISSION_MISSING' | 'ROLE_REQUIRED'>, 'caller' | 'fail'>,
  target: User,
  role: Role,
): void {
  // The owner of a bot manages it, and could give it a higher role than their own.
  if (!isAdministrator(scope.caller)) throw scope.fail('PERMISSION_MISSING')
  if (needsOwner(scope.caller, target) || findRoleToGive(scope.caller, role)) checkOwner(scope)
}
