/** What every decision stands on. */

import { type Clock, nowSeconds } from '../domain/clock.ts'
import type { User } from '../domain/entities.ts'
import type { UserId } from '../domain/ids.ts'
import { type ErrorName, type Fail, fail } from '../errors/api-error.ts'
import type { OrganizationState } from '../state/organization-state.ts'

/** What a decision of the server itself stands on. */
export interface ServerScope {
  /** The organization as it is now: another try finds a newer one. */
  readonly state: OrganizationState
  /** UNIX seconds. */
  readonly now: number
}

/** What a decision on somebody's request stands on; it may fail by the errors of these names. */
export interface Scope<Names extends ErrorName = never> extends ServerScope {
  /** Who asks, as the state has them. */
  readonly caller: User
  /** Makes a failure, to be thrown. */
  readonly fail: Fail<Names>
}

/** The scope of what the server does in a user's name, without a request of theirs. */
export function scopeFor({ state, now }: ServerScope, userId: UserId): Scope<ErrorName> {
  return { state, caller: state.getUser(userId), now, fail }
}

/** The scope of a user's request in a state. */
export function scopeOf(state: OrganizationState, callerId: UserId, clock: Clock): Scope<ErrorName> {
  return { state, caller: state.getUser(callerId), now: nowSeconds(clock), fail }
}
