/** The scope of a call, for checks before a decision. */

import { type Scope, scopeFor } from '../decisions/scope.ts'
import { nowSeconds } from '../domain/clock.ts'
import type { CommonErrorName, ErrorName } from '../errors/api-error.ts'
import type { Call } from './operation.ts'
import type { Params } from './params.ts'

/** The current organization and caller. */
export function scopeOfCall<Names extends ErrorName>({
  user,
  services: { state, clock },
}: Call<Params, Names>): Scope<Names | CommonErrorName> {
  return scopeFor({ state, now: nowSeconds(clock) }, user.id)
}
