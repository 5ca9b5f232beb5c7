/** An administrator removes the second factors of a user who has lost them. */

import type { Fact } from '../../domain/events.ts'
import { needsOwner } from '../../../packages/rules/accounts.ts'
import { isAdministrator } from '../../../packages/rules/roles.ts'
import type { UserId } from '../../domain/ids.ts'
import { Secret } from '../../domain/secret.ts'
import { checkOwner } from '../check-caller.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope, ServerScope } from '../scope.ts'
import { endSessions } from './change-login-sessions.ts'
import { findTargetUser } from './find-users.ts'

/** How it can fail. */
export const RESET_FACTORS_ERRORS = [
  'USER_UNKNOWN',
  'PERMISSION_MISSING',
  'ROLE_REQUIRED',
  'OWN_FACTORS_RESET',
] as const

/** Removes all second factors of another user. The own ones need a proof, which this does not ask for. */
export function decideFactorsReset(
  scope: Scope<(typeof RESET_FACTORS_ERRORS)[number]>,
  { userId }: { readonly userId: UserId },
): Decision<void> {
  const { caller, fail } = scope
  const target = findTargetUser(scope, userId)
  if (!isAdministrator(caller)) throw fail('PERMISSION_MISSING')
  if (needsOwner(scope.caller, target)) checkOwner(scope)
  if (target.id === caller.id) throw fail('OWN_FACTORS_RESET')
  return done(resetFactors(scope, target.id))
}

/** The facts that remove all second factors of a user, and end the sessions of the devices that they may have lost. */
export function resetFactors(scope: Pick<ServerScope, 'state'>, userId: UserId): Fact[] {
  return [
    {
      type: 'second_factors_changed',
      userId,
      change: 'reset',
      secrets: new Secret({ kind: 'reset' as const }),
    },
    ...endSessions(scope, userId, () => true),
  ]
}
