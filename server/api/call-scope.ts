/** The scope of a call, for what is looked at before anything is decided. */

import type { Scope } from '../decisions/scope.ts'
import { nowSeconds } from '../domain/clock.ts'
import type { CommonErrorName, ErrorName } from '../errors/api-error.ts'
import type { Call } from './operation.ts'
import type { Params } from './params.ts'

/** The organization and the caller as they are now. */
export function scopeOfCall<Names extends ErrorName>({
  user,
  services: { state, clock },
  fail,
}: Call<Params, Names>): Scope<Names | CommonErrorName> {
  return { state, caller: state.getUser(user.id), now: nowSeconds(clock), fail }
}
