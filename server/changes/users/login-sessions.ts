/** Starts, renews and ends log-in sessions. */

import { randomBytes, randomUUID } from 'node:crypto'
import type { Sql } from '../../../db/connection/connect.ts'
import { findExpiredSessions, storeSessionDevice } from '../../../db/accounts/login-sessions.ts'
import {
  decideSessionsEnd,
  decideSessionStart,
  endOtherSessions,
  type NewSessionRequest,
} from '../../decisions/users/change-login-sessions.ts'
import { done } from '../../decisions/decision.ts'
import { nowSeconds } from '../../domain/clock.ts'
import type { UserId } from '../../domain/ids.ts'
import {
  type FoundSession,
  type LoginProof,
  type LoginSession,
  SESSION_AGE_SECONDS_MAX,
  SESSION_IDLE_SECONDS_MAX,
  type SessionDevice,
} from '../../domain/accounts/login-sessions.ts'
import { Secret } from '../../domain/secret.ts'
import { hashApiKey } from '../passwords.ts'
import { submitForServer, type Writer } from '../submit.ts'

/** Bytes of randomness in a token: nobody guesses it. */
const TOKEN_BYTES = 32
/** Sessions that one look finds; the next look finds the others. */
const EXPIRED_LENGTH_MAX = 1_000

/** A session with the token for its cookie. */
export interface StartedSession extends FoundSession {
  readonly token: string
}

/** The stored form of a token: it is random, like an API key. */
export const hashSessionToken = hashApiKey

/** The circumstances of a log-in. */
export interface SessionStart extends Pick<NewSessionRequest, 'former'> {
  readonly device: SessionDevice
  /** The credentials that were checked; undefined if they do not change. */
  readonly proof?: LoginProof | undefined
}

/**
 * Starts a session of a user whose identity was checked; undefined if they are deactivated. The token is always new, so
 * that nobody can know the one with which a browser logs in. Rejects with a `StaleProofError` if the credentials have
 * changed since they were checked.
 */
export async function startSession(
  writer: Writer & { readonly sql: Sql },
  userId: UserId,
  { device, former, proof }: SessionStart,
): Promise<StartedSession | undefined> {
  const token = newToken(userId)
  const secret = proof && new Secret(proof)
  const session = {
    id: randomUUID(),
    tokenHash: hashSessionToken(token),
    createdAt: nowSeconds(writer.clock),
    ...(proof?.kind === 'passkey' ? { isByPasskey: true as const } : {}),
  }
  const isStarted = await submitForServer(
    writer,
    (scope) => decideSessionStart(scope, { userId, session, former, proof: secret }),
    { actorId: userId },
  )
  if (!isStarted) return undefined
  await storeSessionDevice(writer.sql, session.id, device)
  return { ...session, userId, token }
}

/** A session with another token, for a change that ends the user's others. */
export function renewalOf({ userId, id, createdAt }: FoundSession): StartedSession {
  const token = newToken(userId)
  return { userId, id, createdAt, tokenHash: hashSessionToken(token), token }
}

/** Ends the sessions of a user except one, which gets its new token. */
export async function endSessionsExcept(
  writer: Writer,
  userId: UserId,
  renewed: StartedSession | undefined,
): Promise<void> {
  await submitForServer(writer, (scope) => done(endOtherSessions(scope, userId, renewed)), {
    actorId: userId,
  })
}

/** Ends the sessions of a user that match, in every process. Without an actor it is the operator's or server's doing. */
export async function endSessions(
  writer: Writer,
  userId: UserId,
  isEnded: (session: LoginSession) => boolean,
  actorId?: UserId,
): Promise<void> {
  await submitForServer(writer, (scope) => decideSessionsEnd(scope, { userId, isEnded }), { actorId })
}

/** Ends sessions that are too old, or that nobody has used for long. Concurrent runs are safe. */
export async function endExpiredSessions(writer: Writer & { readonly sql: Sql }): Promise<void> {
  const now = nowSeconds(writer.clock)
  const bounds = { seenBefore: now - SESSION_IDLE_SECONDS_MAX, createdBefore: now - SESSION_AGE_SECONDS_MAX }
  const expired = await findExpiredSessions(writer.sql, bounds, EXPIRED_LENGTH_MAX)
  for (const [userId, sessions] of Map.groupBy(expired, (session) => session.userId)) {
    const ids = new Set(sessions.map(({ id }) => id))
    await endSessions(writer, userId, ({ id }) => ids.has(id))
  }
}

/** The user's id finds the hashes to compare with. */
function newToken(userId: UserId): string {
  return `${userId}.${randomBytes(TOKEN_BYTES).toString('base64url')}`
}
