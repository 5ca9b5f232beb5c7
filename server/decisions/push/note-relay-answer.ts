/** Notes whether the push relay serves the organization. */

import { type Decision, done } from '../decision.ts'
import type { ServerScope } from '../scope.ts'

/** Changes nothing if it was known, or before there is an organization. */
export function decideRelayAnswer({ state }: ServerScope, reachesPhones: boolean): Decision<void> {
  if (!state.organization || state.reachesPhones === reachesPhones) return done([])
  return done([{ type: 'realm/update', reachesPhones }])
}
