/** The input that every decision has besides its request. */

import type { User } from '../domain/entities.ts'
import type { UserId } from '../domain/ids.ts'
import { type ErrorName, type Fail, fail } from '../errors/api-error.ts'
import type { OrganizationState } from '../state/organization-state.ts'

/** The scope of a decision of the server itself. */
export interface ServerScope {
  /** The organization as it is now; a second run of the decision gets a newer state. */
  readonly state: OrganizationState
  /** UNIX seconds. */
  readonly now: number
}

/** The scope of a user's request, which may fail with the errors of these names. */
export interface Scope<Names extends ErrorName = never> extends ServerScope {
  /** The caller, as the state has them. */
  readonly caller: User
  /** Makes a failure to throw. */
  readonly fail: Fail<Names>
}

/** The scope of a user's request, or of the server's own actions in a user's name. */
export function scopeFor({ state, now }: ServerScope, userId: UserId): Scope<ErrorName> {
  return { state, caller: state.getUser(userId), now, fail }
}
