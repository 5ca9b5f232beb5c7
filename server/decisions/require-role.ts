/** Gates that only some roles pass. */

import { isAdministrator } from '../domain/channel-access.ts'
import { ROLES, type User } from '../domain/entities.ts'
import type { Fail } from '../errors/api-error.ts'

/** Throws unless the caller is an administrator or an owner. */
export function requireAdministrator(caller: User, fail: Fail<'ROLE_REQUIRED'>): void {
  if (!isAdministrator(caller)) throw fail('ROLE_REQUIRED', { role: 'administrator' })
}

/** Throws unless the caller is an owner. */
export function requireOwner(caller: User, fail: Fail<'ROLE_REQUIRED'>): void {
  if (caller.role !== ROLES.owner) throw fail('ROLE_REQUIRED', { role: 'owner' })
}
