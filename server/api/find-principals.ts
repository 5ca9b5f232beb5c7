/** The users that a request is about, by ids or email addresses. */

import type { User } from '../domain/entities.ts'
import type { UserId } from '../domain/ids.ts'
import { EMAIL_LENGTH_MAX } from '../domain/limits.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { Fail } from './errors.ts'
import { anyOf, id, list, text } from './params.ts'

const PRINCIPALS_MAX = 10_000 // A whole large organization.

/** Ids, or email addresses. */
export const principalsType = anyOf(
  list(id<UserId>(), { lengthMax: PRINCIPALS_MAX }),
  list(text({ lengthMax: EMAIL_LENGTH_MAX }), { lengthMax: PRINCIPALS_MAX }),
)

/** The active users that are named, each once; without names the caller, as existing clients expect of an empty list. */
export function findPrincipals(
  principals: readonly (UserId | string)[] | undefined,
  caller: User,
  state: OrganizationState,
  fail: Fail<'USER_UNKNOWN' | 'USER_DEACTIVATED'>,
): User[] {
  if (principals === undefined || principals.length === 0) return [caller]
  const users = new Map<UserId, User>()
  for (const principal of principals) {
    const user =
      typeof principal === 'string' ? state.findUserByEmail(principal.trim()) : state.users.get(principal)
    if (!user) throw fail('USER_UNKNOWN')
    if (!user.isActive) throw fail('USER_DEACTIVATED')
    users.set(user.id, user)
  }
  return [...users.values()]
}
