/** Decisions of the sync with the company's directory. */

import type { UserId } from '../../domain/ids.ts'
import { isLastOwner } from '../../domain/users/user-access.ts'
import { answering, type Decision } from '../decision.ts'
import type { ServerScope } from '../scope.ts'
import { decideDeactivationByOperator } from './deactivate-user.ts'

/** Gives a user the address that the directory has; false if it belongs to another account. */
export function decideAddressByDirectory(
  { state }: ServerScope,
  { userId, email }: { readonly userId: UserId; readonly email: string },
): Decision<boolean> {
  const user = state.getUser(userId)
  const holder = state.findUserByEmail(email)
  if (!user.isActive || user.email === email) return answering(true, [])
  if (holder && holder.id !== userId) return answering(false, [])
  return answering(true, [{ type: 'realm_user/update', userId, changes: { email } }])
}

/** Deactivates a user who has left the directory; false for the last owner. */
export function decideDeactivationBySync(scope: ServerScope, userId: UserId): Decision<boolean> {
  const user = scope.state.getUser(userId)
  if (!user.isActive) return answering(true, [])
  if (isLastOwner(user, scope.state.users.values())) return answering(false, [])
  return answering(true, decideDeactivationByOperator(scope, { userId }).events)
}
