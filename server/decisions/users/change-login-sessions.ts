/** Changes of a user's log-in sessions. */

import type { Fact } from '../../domain/event-traits.ts'
import type { UserId } from '../../domain/ids.ts'
import {
  bySessionAge,
  isYoungSession,
  type LoginSession,
  SESSIONS_PER_USER_MAX,
} from '../../domain/login-sessions.ts'
import { answering, type Decision, done } from '../decision.ts'
import type { ServerScope } from '../scope.ts'

/** A session that starts. */
export interface NewSessionRequest {
  readonly userId: UserId
  readonly session: LoginSession
  /** The session that the browser had until now, of this user or another. */
  readonly former: { readonly userId: UserId; readonly id: string } | undefined
}

/**
 * Starts a session, and ends the former one of its browser; too many end the oldest. The result is false if the user is
 * deactivated.
 */
export function decideSessionStart(
  scope: ServerScope,
  { userId, session, former }: NewSessionRequest,
): Decision<boolean> {
  const { state, now } = scope
  if (!state.getUser(userId).isActive) return answering(false, [])
  const own = sessionsOf(scope, userId).filter(({ id }) => id !== former?.id)
  const valid = own.filter((one) => isYoungSession(one, now))
  const sessions = [...valid, session].sort(bySessionAge).slice(-SESSIONS_PER_USER_MAX)
  const facts: Fact[] = [{ type: 'login_sessions_changed', userId, sessions }]
  if (former && former.userId !== userId)
    facts.push(...endSessions(scope, former.userId, ({ id }) => id === former.id))
  if (state.awaitingLogin.has(userId))
    facts.push({ type: 'realm_user/update', userId, changes: { joinedAt: now } })
  return answering(true, facts)
}

/** Gives a session another token. The result is false if the session has ended. */
export function decideSessionRotation(
  scope: ServerScope,
  { userId, id, tokenHash }: { readonly userId: UserId; readonly id: string; readonly tokenHash: string },
): Decision<boolean> {
  const own = sessionsOf(scope, userId)
  if (!own.some((one) => one.id === id)) return answering(false, [])
  const sessions = own.map((one) => (one.id === id ? { ...one, tokenHash } : one))
  return answering(true, [{ type: 'login_sessions_changed', userId, sessions }])
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

function sessionsOf({ state }: Pick<ServerScope, 'state'>, userId: UserId): readonly LoginSession[] {
  return state.loginSessions.get(userId) ?? []
}
