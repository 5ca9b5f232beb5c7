/**
 * The end of a log-in that a browser made for an app: it leads back to the mobile app with an API key, or shows a token
 * that the desktop app redeems for a session. The browser itself is not logged in.
 */

import { createCipheriv, hash, randomBytes } from 'node:crypto'
import { storeDesktopLogin, takeDesktopLogin } from '../../db/accounts/desktop-logins.ts'
import { StaleProofError } from '../../db/accounts/login-proofs.ts'
import { findCredentials } from '../../db/accounts/second-factors.ts'
import { hashApiKey } from '../changes/passwords.ts'
import { logIn } from '../changes/users/log-in.ts'
import { nowSeconds } from '../domain/clock.ts'
import type { User } from '../domain/entities.ts'
import type { LoginProof } from '../domain/accounts/login-sessions.ts'
import { hideKey } from '../domain/accounts/one-time-pad.ts'
import type { WaitingApp } from '../domain/accounts/waiting-apps.ts'
import type { Fail } from '../errors/api-error.ts'
import { APP_LOGIN_URL } from '../views/names.ts'
import { proofOf } from './check-password.ts'
import { openSession } from './log-in-session.ts'
import type { LoginExchange } from './login-exchange.ts'
import { noteBrowser } from './note-device.ts'
import { noteLogin } from './note-login.ts'
import type { Services } from './services.ts'

/** The page that shows a token for the desktop app; the token is in the fragment, which no server gets. */
export const DESKTOP_TOKEN_PATH = '/accounts/login/desktop'
/** A person goes back to the app within minutes, and copies the token. */
const TOKEN_SECONDS = 300
const TOKEN_BYTES = 32
/** As the API family's desktop app decrypts it: the nonce, the text and the tag, in hex. */
const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12

/** A log-in whose credentials were all checked, and the app that waits for it. */
export interface AppLogin {
  readonly user: User
  readonly proof: LoginProof
  readonly app: WaitingApp
  readonly userAgent: string
}

/**
 * The address where the browser goes then. Rejects with a `StaleProofError` if the credentials have changed since they
 * were checked.
 */
export async function logInApp(
  services: Services,
  exchange: LoginExchange,
  { user, proof, app, userAgent }: AppLogin,
  fail: Fail<'ACCOUNT_DEACTIVATED'>,
): Promise<string> {
  const address =
    app.kind === 'mobile'
      ? await mobileAddress(services, user, proof, app.pad)
      : await desktopAddress(services, user, proof, app.pad)
  if (address === undefined) throw fail('ACCOUNT_DEACTIVATED')
  await noteLogin(services, exchange, user.id)
  await noteBrowser(services, exchange, { user, userAgent })
  return address
}

/** Leads to the app with a new API key that the pad hides; undefined if the user is deactivated. */
async function mobileAddress(
  services: Services,
  { id, email }: User,
  proof: LoginProof,
  pad: string,
): Promise<string | undefined> {
  const key = await logIn(services, id, proof)
  if (key === undefined) return undefined
  const fields = {
    realm: services.publicUrl,
    email,
    user_id: String(id),
    otp_encrypted_api_key: hideKey(key, pad),
  }
  return `${APP_LOGIN_URL}?${new URLSearchParams(fields).toString()}`
}

async function desktopAddress(
  { sql, clock, state }: Services,
  { id }: User,
  proof: LoginProof,
  pad: string,
): Promise<string | undefined> {
  if (!state.getUser(id).isActive) return undefined
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const passkeyId = proof.kind === 'passkey' ? proof.id : null
  const login = { userId: id, proofHash: hashProof(proof), passkeyId }
  await storeDesktopLogin(sql, hashApiKey(token), login, nowSeconds(clock) + TOKEN_SECONDS)
  return `${DESKTOP_TOKEN_PATH}#${seal(token, pad)}`
}

function seal(token: string, pad: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, Buffer.from(pad, 'hex'), nonce)
  const text = Buffer.concat([cipher.update(token, 'latin1'), cipher.final()])
  return Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('hex')
}

/** Starts a session of the desktop app by its token, once; with the credentials that were proved in the browser. */
export async function redeemDesktopToken(
  services: Services,
  exchange: LoginExchange,
  { token, userAgent }: { readonly token: string; readonly userAgent: string },
  fail: Fail<'LOGIN_TOKEN_INVALID' | 'ACCOUNT_DEACTIVATED'>,
): Promise<User> {
  const { sql, clock, state } = services
  const login = await takeDesktopLogin(sql, hashApiKey(token), nowSeconds(clock))
  if (!login) throw fail('LOGIN_TOKEN_INVALID')
  const { userId, passkeyId, proofHash } = login
  const user = state.getUser(userId)
  if (!user.isActive) throw fail('ACCOUNT_DEACTIVATED')
  const proof: LoginProof =
    passkeyId === null ? proofOf(await findCredentials(sql, userId)) : { kind: 'passkey', id: passkeyId }
  if (hashProof(proof) !== proofHash) throw fail('LOGIN_TOKEN_INVALID')
  const session = await openSession(services, exchange, user, { userAgent, proof }).catch(
    (error: unknown) => {
      throw error instanceof StaleProofError ? fail('LOGIN_TOKEN_INVALID') : error
    },
  )
  if (!session) throw fail('ACCOUNT_DEACTIVATED')
  await noteLogin(services, exchange, userId)
  await noteBrowser(services, exchange, { user, userAgent })
  return user
}

/** Neither the password's hash nor the app's secret is stored a second time. */
function hashProof(proof: LoginProof): string {
  return hash('sha256', JSON.stringify(proof), 'hex')
}
