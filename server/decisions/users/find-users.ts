/** Finds the users of a request. */

import type { User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Scope } from '../scope.ts'

/** A user by id or by an address as the caller knows it. */
export type NamedUser = UserId | string

/** How finding users of a request can fail. */
export const NAMED_USER_ERRORS = ['USER_UNKNOWN', 'USER_DEACTIVATED'] as const

type NamedUserScope = Pick<Scope<(typeof NAMED_USER_ERRORS)[number]>, 'state' | 'caller' | 'fail'>

/** The active users of the request, each once; without any the caller, as existing clients expect of an empty list. */
export function findPrincipals(scope: NamedUserScope, principals: readonly NamedUser[] = []): User[] {
  return principals.length === 0 ? [scope.caller] : findActiveUsers(scope, principals)
}

/** The active users of the request, each once; nobody can name the server's own bot. */
export function findActiveUsers(
  { state, caller, fail }: NamedUserScope,
  named: readonly NamedUser[],
): User[] {
  const users = new Map<UserId, User>()
  for (const one of named) {
    const user =
      typeof one === 'string'
        ? state.findUserByApiEmail(one.trim(), caller)
        : state.findVisibleUser(caller, one)
    if (!user || user.isSystem) throw fail('USER_UNKNOWN')
    if (!user.isActive) throw fail('USER_DEACTIVATED')
    users.set(user.id, user)
  }
  return [...users.values()]
}

/** The user of a request. */
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
