/** Notes that a user can be reached by a token of an older app. The tokens themselves are rows that no event carries. */

import { type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'

/** Changes nothing if messages may be pushed to the user already. */
export function decidePushToken({ state, caller }: Scope<never>): Decision<void> {
  if (state.listOwners.has('devices', caller.id)) return done([])
  return done([{ type: 'push_token_added', userId: caller.id }])
}
