/** Changes of log-in sessions, by their user and by administrators. */

import type { Fact } from '../../domain/events.ts'
import { isAdministrator } from '../../../packages/rules/roles.ts'
import { needsOwner } from '../../../packages/rules/accounts.ts'
import type { UserId } from '../../domain/ids.ts'
import {
  bySessionAge,
  isYoungSession,
  type LoginProof,
  type LoginSession,
  SESSIONS_PER_USER_MAX,
} from '../../domain/accounts/login-sessions.ts'
import type { Secret } from '../../domain/secret.ts'
import { answering, type Decision, done } from '../decision.ts'
import type { Scope, ServerScope } from '../scope.ts'
import { checkOwner } from '../check-caller.ts'
import { findTargetUser } from './find-users.ts'

/** A session that starts. */
export interface NewSessionRequest {
  readonly userId: UserId
  readonly session: LoginSession
  /** The credentials of the log-in; undefined if they do not change. */
  readonly proof?: Secret<LoginProof> | undefined
  /** The session that the browser had until now, of this user or another. */
  readonly former: { readonly userId: UserId; readonly id: string } | undefined
}

/**
 * Starts a session, and ends the former one of its browser; too many end the oldest. The result is false if the user is
 * deactivated.
 */
export function decideSessionStart(
  scope: ServerScope,
  { userId, session, former, proof }: NewSessionRequest,
): Decision<boolean> {
  const { state, now } = scope
  if (!state.getUser(userId).isActive) return answering(false, [])
  const own = sessionsOf(scope, userId).filter(({ id }) => id !== former?.id)
  const valid = own.filter((one) => isYoungSession(one, now))
  const sessions = [...valid, session].sort(bySessionAge).slice(-SESSIONS_PER_USER_MAX)
  const facts: Fact[] = [{ type: 'login_sessions_changed', userId, sessions, ...(proof ? { proof } : {}) }]
  if (former && former.userId !== userId)
    facts.push(...endSessions(scope, former.userId, ({ id }) => id === former.id))
  if (state.awaitingLogin.has(userId))
    facts.push({ type: 'realm_user/update', userId, changes: { joinedAt: now } })
  return answering(true, facts)
}

/** Ends the sessions of a user that match. */
export function decideSessionsEnd(
  scope: ServerScope,
  { userId, isEnded }: { readonly userId: UserId; readonly isEnded: (session: LoginSession) => boolean },
): Decision<void> {
  return done(endSessions(scope, userId, isEnded))
}

/** The facts that end the sessions of a user that match; none if none does. */
export function endSessions(
  scope: Pick<ServerScope, 'state'>,
  userId: UserId,
  isEnded: (session: LoginSession) => boolean,
): Fact[] {
  const own = sessionsOf(scope, userId)
  const sessions = own.filter((session) => !isEnded(session))
  return sessions.length === own.length ? [] : [{ type: 'login_sessions_changed', userId, sessions }]
}

/** The facts that end the sessions of a user except one, which gets the token of `renewed`. */
export function endOtherSessions(
  scope: Pick<ServerScope, 'state'>,
  userId: UserId,
  renewed: Pick<LoginSession, 'id' | 'tokenHash'> | undefined,
): Fact[] {
  const all = sessionsOf(scope, userId)
  if (all.length === 0) return []
  const sessions = all
    .filter(({ id }) => id === renewed?.id)
    .map((one) => ({ ...one, tokenHash: renewed?.tokenHash ?? one.tokenHash }))
  return [{ type: 'login_sessions_changed', userId, sessions }]
}

function sessionsOf({ state }: Pick<ServerScope, 'state'>, userId: UserId): readonly LoginSession[] {
  return state.loginSessions.get(userId) ?? []
}

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
