/** Finds callers who lack the second factor that their organization requires. */

import type { User } from '../../domain/entities.ts'
import { factorDeadline } from '../../domain/accounts/factor-rule.ts'
import type { LoginSession } from '../../domain/accounts/login-sessions.ts'
import type { OrganizationState } from '../../state/organization-state.ts'

/**
 * The time from which a caller may not go on without a second factor, in UNIX seconds; undefined if none is required, or if
 * they have one: an authenticator app, whose code each log-in has proved, or a session that began by a passkey.
 */
export function findFactorDeadline(
  { settings, appUsers }: Pick<OrganizationState, 'settings' | 'appUsers'>,
  user: User,
  session: LoginSession | undefined,
): number | undefined {
  if (settings.secondFactorGraceDays === null || appUsers.has(user.id) || session?.isByPasskey)
    return undefined
  return factorDeadline(settings, user)
}
