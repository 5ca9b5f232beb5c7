/** Notes the device of a log-in, so that its user gets a mail about a new one, unless they want none. */

import { randomBytes } from 'node:crypto'
import { noteDevice } from '../../db/accounts/login-devices.ts'
import { hashApiKey } from '../changes/passwords.ts'
import { nowSeconds } from '../domain/clock.ts'
import { describeClient } from '../../packages/rules/describe-client.ts'
import type { User } from '../domain/entities.ts'
import type { LoginExchange } from './login-exchange.ts'
import type { Services } from './services.ts'

const COOKIE = 'logindevice'
/** Browsers delete cookies after 400 days at most. */
const COOKIE_SECONDS = 400 * 24 * 3600
/** Bytes of randomness in a token: nobody guesses it. */
const TOKEN_BYTES = 32
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** A log-in to note. */
interface NotedLogin {
  readonly user: User
  readonly userAgent: string
}

/** Recognizes a browser by a cookie of its own, which it gets with the first log-in. */
export async function noteBrowser(
  services: Services,
  exchange: LoginExchange,
  login: NotedLogin,
): Promise<void> {
  const given = exchange.cookies.readStep(COOKIE) ?? ''
  const token = TOKEN.test(given) ? given : randomBytes(TOKEN_BYTES).toString('base64url')
  exchange.cookies.openStep(COOKIE, token, COOKIE_SECONDS)
  await note(services, exchange, login, `browser ${token}`)
}

/** Recognizes a program, which stores no cookies, by its name and network address. */
export async function noteProgram(
  services: Services,
  exchange: LoginExchange,
  login: NotedLogin,
): Promise<void> {
  await note(services, exchange, login, `program ${describeClient(login.userAgent)} ${exchange.address}`)
}

async function note(
  { sql, clock, state }: Services,
  { address }: LoginExchange,
  { user, userAgent }: NotedLogin,
  device: string,
): Promise<void> {
  const at = nowSeconds(clock)
  await noteDevice(sql, {
    userId: user.id,
    deviceHash: hashApiKey(`${user.id} ${device}`),
    at,
    recipient: user.email,
    isMailWanted: state.settingsOf(user.id).enableLoginEmails,
    details: { userId: user.id, client: describeClient(userAgent), address, at },
  })
}
