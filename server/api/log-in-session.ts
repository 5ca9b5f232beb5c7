/** Logging in and out by a session, with the cookies of the answer. */

import { StaleProofError } from '../../db/accounts/login-proofs.ts'
import {
  endSessionsExcept,
  renewalOf,
  type StartedSession,
  startSession,
} from '../changes/users/login-sessions.ts'
import type { User } from '../domain/entities.ts'
import {
  type LoginProof,
  type LoginSession,
  SESSION_CLIENT_LENGTH_MAX,
} from '../domain/accounts/login-sessions.ts'
import { ownText } from '../domain/text/own-text.ts'
import type { Fail } from '../errors/api-error.ts'
import { type CheckedLogin, proofOf } from './check-password.ts'
import type { LoginExchange } from './login-exchange.ts'
import { noteBrowser } from './note-device.ts'
import { noteLogin } from './note-login.ts'
import type { Services } from './services.ts'

/** Starts a session, with the cookies of the answer, for a user whose credentials were all checked. */
export async function openCheckedSession(
  services: Services,
  exchange: LoginExchange,
  { user, credentials, userAgent }: CheckedLogin & { readonly userAgent: string },
  fail: Fail<'PASSWORD_INCORRECT' | 'ACCOUNT_DEACTIVATED'>,
): Promise<void> {
  await noteLogin(services, exchange, user.id)
  const proof = proofOf(credentials)
  const session = await openSession(services, exchange, user, { userAgent, proof }).catch(
    (error: unknown) => {
      throw error instanceof StaleProofError ? fail('PASSWORD_INCORRECT') : error
    },
  )
  if (!session) throw fail('ACCOUNT_DEACTIVATED')
  await noteBrowser(services, exchange, { user, userAgent })
}

/** Starts a session of a user whose identity was checked; it replaces the one of the request. */
export async function openSession(
  services: Services,
  exchange: LoginExchange,
  user: User,
  { userAgent, proof }: { readonly userAgent: string; readonly proof?: LoginProof },
) {
  const client = storedClient(userAgent)
  const device = { client, address: exchange.address }
  const session = await startSession(services, user.id, {
    device,
    former: exchange.cookies.findSession(),
    proof,
  })
  if (session) exchange.cookies.openSession(session)
  return session
}

/**
 * Ends the sessions of a user except the one of the request, which gets another token: a user who had the replaced
 * credentials is out.
 */
export async function endOtherSessions(
  services: Services,
  exchange: LoginExchange,
  user: User,
): Promise<void> {
  const renewal = ownRenewal(exchange, user)
  await endSessionsExcept(services, user.id, renewal)
  openRenewed(services, exchange, renewal)
}

/** The user's session of the request with another token; undefined if the request has none of theirs. */
export function ownRenewal(exchange: LoginExchange, { id }: User): StartedSession | undefined {
  const session = exchange.session ?? exchange.cookies.findSession()
  return session?.userId === id ? renewalOf(session) : undefined
}

/** Answers with the cookies of a renewed session, unless it has ended before the commit. */
export function openRenewed(
  { state }: Services,
  exchange: LoginExchange,
  renewal: StartedSession | undefined,
): void {
  const isThere = ({ tokenHash }: LoginSession) => tokenHash === renewal?.tokenHash
  if (renewal && state.loginSessions.get(renewal.userId)?.some(isThere)) exchange.cookies.openSession(renewal)
}

/** A `User-Agent` as it is stored. */
export function storedClient(userAgent: string): string {
  return ownText(visibleText(userAgent).slice(0, SESSION_CLIENT_LENGTH_MAX).toWellFormed(), userAgent)
}

function visibleText(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ').trim()
}
