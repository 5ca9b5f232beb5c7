/** Notes that phones can be reached, or no longer: by a token of an older app, and by the push relay. */

import { type Decision, done } from '../decision.ts'
import type { Scope, ServerScope } from '../scope.ts'

/**
 * Notes a token of an older app; changes nothing if messages may be pushed to the user already. The tokens themselves are rows
 * that no event carries.
 */
export function decidePushToken({ state, caller }: Scope<never>): Decision<void> {
  if (state.listOwners.has('devices', caller.id)) return done([])
  return done([{ type: 'push_token_added', userId: caller.id }])
}

/** Notes if the relay serves the organization; changes nothing if it was known, or before there is an organization. */
export function decideRelayAnswer({ state }: ServerScope, reachesPhones: boolean): Decision<void> {
  if (!state.organization || state.reachesPhones === reachesPhones) return done([])
  return done([{ type: 'realm/update', reachesPhones }])
}
