/** The users that a request is about, by ids or email addresses. */

import type { User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Fail } from '../../errors/api-error.ts'

type PrincipalFail = Fail<'USER_UNKNOWN' | 'USER_DEACTIVATED'>

/** The active users that are named, each once; without names the caller, as existing clients expect of an empty list. */
export function findPrincipals(
  principals: readonly (UserId | string)[] | undefined,
  caller: User,
  state: OrganizationState,
  fail: PrincipalFail,
): User[] {
  if (principals === undefined || principals.length === 0) return [caller]
  return findActiveUsers(principals, caller, state, fail)
}

/** The active users that are named, each once; the server's own bot is nobody's to name. */
export function findActiveUsers(
  named: readonly (UserId | string)[],
  caller: User,
  state: OrganizationState,
  fail: PrincipalFail,
): User[] {
  const users = new Map<UserId, User>()
  for (const one of named) {
    const user =
      typeof one === 'string'
        ? state.findUserByApiEmail(one.trim(), caller)
        : state.findKnownUser(caller, one)
    if (!user || user.isSystem) throw fail('USER_UNKNOWN')
    if (!user.isActive) throw fail('USER_DEACTIVATED')
    users.set(user.id, user)
  }
  return [...users.values()]
}
