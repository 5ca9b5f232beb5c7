/** The user whose account a request changes. */

import type { User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Fail } from '../../errors/api-error.ts'

/** A user whom the caller knows; the server's own bot belongs to nobody and is as unknown. */
export function findTargetUser(
  id: UserId,
  caller: User,
  state: OrganizationState,
  fail: Fail<'USER_UNKNOWN'>,
): User {
  const target = state.findKnownUser(caller, id)
  if (!target || target.isSystem) throw fail('USER_UNKNOWN')
  return target
}

/** The same by an email address that the caller may know. */
export function findAddressedUser(
  email: string,
  caller: User,
  state: OrganizationState,
  fail: Fail<'USER_UNKNOWN'>,
): User {
  const target = state.findUserByApiEmail(email, caller)
  if (!target || target.isSystem) throw fail('USER_UNKNOWN')
  return target
}
