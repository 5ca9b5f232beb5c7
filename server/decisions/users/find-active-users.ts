/** The users that a request is about, by ids or email addresses. */

import type { User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Scope } from '../scope.ts'

/** A user by id or by an address as the caller knows it. */
export type NamedUser = UserId | string

/** How users that a request names can be refused. */
export const NAMED_USER_ERRORS = ['USER_UNKNOWN', 'USER_DEACTIVATED'] as const

type NamedUserScope = Pick<Scope<(typeof NAMED_USER_ERRORS)[number]>, 'state' | 'caller' | 'fail'>

/** The active users that are named, each once; without names the caller, as existing clients expect of an empty list. */
export function findPrincipals(scope: NamedUserScope, principals: readonly NamedUser[] = []): User[] {
  return principals.length === 0 ? [scope.caller] : findActiveUsers(scope, principals)
}

/** The active users that are named, each once; the server's own bot is nobody's to name. */
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
