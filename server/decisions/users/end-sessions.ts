/** An administrator ends the log-in sessions of a user. */

import { needsOwner } from '../../../packages/rules/accounts.ts'
import type { UserId } from '../../domain/ids.ts'
import { isAdministrator } from '../../../packages/rules/roles.ts'
import { checkOwner } from '../check-caller.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { endSessions } from './change-login-sessions.ts'
import { findTargetUser } from './find-target-user.ts'

/** How it can fail. */
export const END_SESSIONS_ERRORS = ['USER_UNKNOWN', 'PERMISSION_MISSING', 'ROLE_REQUIRED'] as const

/** Ends all sessions of a user. */
export function decideSessionsEndByAdministrator(
  scope: Scope<(typeof END_SESSIONS_ERRORS)[number]>,
  { userId }: { readonly userId: UserId },
): Decision<void> {
  const { caller, fail } = scope
  const target = findTargetUser(scope, userId)
  if (!isAdministrator(caller)) throw fail('PERMISSION_MISSING')
  if (needsOwner(scope.caller, target)) checkOwner(scope)
  return done(endSessions(scope, target.id, () => true))
}
