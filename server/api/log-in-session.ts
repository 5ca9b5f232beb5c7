/** Logging in and out by a session, with the cookies of the answer. */

import { findPasswordHash } from '../../db/users.ts'
import { endSessions, renewSession, startSession } from '../changes/users/login-sessions.ts'
import type { User } from '../domain/entities.ts'
import { SESSION_CLIENT_LENGTH_MAX } from '../domain/login-sessions.ts'
import { ownText } from '../domain/own-text.ts'
import type { Fail } from '../errors/api-error.ts'
import { checkPassword, type PasswordLogin } from './check-password.ts'
import type { Visit } from './door.ts'
import type { Services } from './services.ts'

/** The parts of a request at the door that log-ins use. */
export type LoginVisit = Pick<
  Visit,
  'address' | 'countAccount' | 'findSession' | 'session' | 'openSession' | 'closeSession' | 'checkToken'
>

/** Checks an address and a password, and starts a session with the cookies of the answer. */
export async function logInByPassword(
  services: Services,
  visit: LoginVisit,
  login: PasswordLogin,
  userAgent: string,
  fail: Fail<'PASSWORD_INCORRECT' | 'ACCOUNT_DEACTIVATED'>,
): Promise<User> {
  const { user, passwordHash } = await checkPassword(services, visit, login, fail)
  const session = await openSession(services, visit, user, userAgent)
  if (!session) throw fail('ACCOUNT_DEACTIVATED')
  // A password that changed meanwhile ends the sessions before it, perhaps just before this one began.
  if ((await findPasswordHash(services.sql, user.id)) !== passwordHash) {
    await endSessions(services, user.id, ({ id }) => id === session.id, user.id)
    visit.closeSession()
    throw fail('PASSWORD_INCORRECT')
  }
  return user
}

/** Starts a session of a user whose identity was checked; it replaces the one of the request. */
export async function openSession(services: Services, visit: LoginVisit, user: User, userAgent: string) {
  const client = ownText(visibleText(userAgent).slice(0, SESSION_CLIENT_LENGTH_MAX).toWellFormed(), userAgent)
  const device = { client, address: visit.address }
  const session = await startSession(services, user.id, device, visit.findSession())
  if (session) visit.openSession(session)
  return session
}

/**
 * Ends the sessions of a user except the one of the request, which gets another token: a user who had the replaced
 * credentials is out.
 */
export async function endOtherSessions(services: Services, visit: LoginVisit, user: User): Promise<void> {
  const { session } = visit
  await endSessions(services, user.id, ({ id }) => id !== session?.id, user.id)
  const renewed = session && (await renewSession(services, session))
  if (renewed) visit.openSession(renewed)
}

function visibleText(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ').trim()
}
