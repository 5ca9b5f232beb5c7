/**
 * The second step of a log-in by page: between the password, or the provider, and the code, a cookie with a random token
 * binds the log-in to its browser. There is no session before the code is right.
 */

import { createHmac, randomBytes } from 'node:crypto'
import { endHalfLogin, findHalfLogin, storeHalfLogin } from '../../db/accounts/half-logins.ts'
import { findCredentials } from '../../db/accounts/second-factors.ts'
import { hashApiKey } from '../changes/passwords.ts'
import { nowSeconds } from '../domain/clock.ts'
import { hidePad } from '../domain/accounts/one-time-pad.ts'
import type { WaitingApp } from '../domain/accounts/waiting-apps.ts'
import { HALF_LOGIN_SECONDS } from '../domain/accounts/second-factors.ts'
import type { CheckedLogin } from './check-password.ts'
import type { LoginExchange } from './login-exchange.ts'
import type { Services } from './services.ts'

const COOKIE = 'loginstep'
/** Bytes of randomness in a token: nobody guesses it. */
const TOKEN_BYTES = 32

/** A log-in that awaits its code, and the app that waits for it, if there is one. */
export interface SecondStep extends CheckedLogin {
  readonly app: WaitingApp | undefined
}

/** Stores that the first step has succeeded, for the browser of the request alone; and the app that waits. */
export async function beginSecondStep(
  { sql, clock }: Services,
  exchange: LoginExchange,
  { user, credentials: { passwordHash } }: CheckedLogin,
  app?: WaitingApp,
): Promise<void> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const hiddenPad = app ? hidePad(app.pad, padOf(token)) : null
  const half = { userId: user.id, passwordHash: passwordHash ?? '', hiddenPad, app: app?.kind ?? null }
  await storeHalfLogin(sql, hashApiKey(token), half, nowSeconds(clock) + HALF_LOGIN_SECONDS)
  exchange.cookies.openStep(COOKIE, token, HALF_LOGIN_SECONDS)
  exchange.limits.countSuccess() // The password was no guess; the code is counted by itself.
}

/** The log-in of the browser that awaits its code; undefined if there is none, or if the password is another now. */
export async function findSecondStep(
  { sql, clock, state }: Services,
  exchange: LoginExchange,
): Promise<SecondStep | undefined> {
  const token = exchange.cookies.readStep(COOKIE)
  if (token === undefined) return undefined
  const half = await findHalfLogin(sql, hashApiKey(token), nowSeconds(clock))
  const user = half && state.users.get(half.userId)
  if (!half || !user?.isActive) return undefined
  const credentials = await findCredentials(sql, user.id)
  if ((credentials.passwordHash ?? '') !== half.passwordHash) return undefined
  const pad = half.hiddenPad === null ? undefined : hidePad(half.hiddenPad, padOf(token))
  const app = pad === undefined ? undefined : { kind: half.app ?? 'mobile', pad }
  return { user, credentials, app }
}

/** Ends the log-in of the browser; false if another request has ended it. */
export async function endSecondStep({ sql }: Services, exchange: LoginExchange): Promise<boolean> {
  const token = exchange.cookies.readStep(COOKIE)
  exchange.cookies.closeStep(COOKIE)
  return token !== undefined && (await endHalfLogin(sql, hashApiKey(token)))
}

/** Hides the pad of an app in the row: neither the row nor the browser's cookie shows it by itself. */
function padOf(token: string): string {
  return createHmac('sha256', token).update('the pad of an app').digest('hex')
}
