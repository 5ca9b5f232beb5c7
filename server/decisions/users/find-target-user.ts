/** The user of a request. */

import type { User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Scope } from '../scope.ts'

type UserScope = Pick<Scope<'USER_UNKNOWN'>, 'state' | 'caller' | 'fail'>

/** A user whom the caller can see. The server's own bot has no owner, so it is unknown too. */
export function findTargetUser({ state, caller, fail }: UserScope, id: UserId): User {
  const target = state.findVisibleUser(caller, id)
  if (!target || target.isSystem) throw fail('USER_UNKNOWN')
  return target
}

/** The same by an email address that the caller may see. */
export function findAddressedUser({ state, caller, fail }: UserScope, email: string): User {
  const target = state.findUserByApiEmail(email, caller)
  if (!target || target.isSystem) throw fail('USER_UNKNOWN')
  return target
}
