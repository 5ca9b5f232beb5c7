/** Adding passkeys and logging in with them: the challenges, and their bonds to browsers. */

import { randomBytes, randomUUID } from 'node:crypto'
import { StaleProofError } from '../../db/accounts/login-proofs.ts'
import {
  findPasskey,
  notePasskeyUse,
  readCredentialIds,
  storeChallenge,
  takeChallenge,
} from '../../db/accounts/passkeys.ts'
import { hashApiKey } from '../changes/passwords.ts'
import { addPasskey } from '../changes/users/change-factors.ts'
import {
  checkEnrolment,
  checkLogin,
  type EnrolmentAnswer,
  enrolmentOptions,
  type LoginAnswer,
  loginOptions,
} from '../changes/users/passkeys.ts'
import { nowSeconds } from '../domain/clock.ts'
import { describeClient } from '../../packages/rules/describe-client.ts'
import type { User } from '../domain/entities.ts'
import { CHALLENGE_SECONDS, PASSKEYS_PER_USER_MAX, readRelyingParty } from '../domain/accounts/passkeys.ts'
import type { Fail } from '../errors/api-error.ts'
import type { LoginExchange } from './login-exchange.ts'
import { openSession } from './log-in-session.ts'
import type { WaitingApp } from '../domain/accounts/waiting-apps.ts'
import { logInApp } from './log-in-app.ts'
import { noteBrowser } from './note-device.ts'
import { noteLogin } from './note-login.ts'
import type { Services } from './services.ts'

const COOKIE = 'loginpasskey'
/** Bytes of randomness in a token: nobody guesses it. */
const TOKEN_BYTES = 32

/** The site of the server. */
function partyOf({ publicUrl }: Services, fail: Fail<'PASSKEYS_UNAVAILABLE'>) {
  const party = readRelyingParty(publicUrl)
  if (!party) throw fail('PASSKEYS_UNAVAILABLE')
  return party
}

/** Options for a new passkey; their challenge is bound to the credentials of the request. */
export async function beginEnrolment(
  services: Services,
  user: User,
  keyHash: string,
  fail: Fail<'PASSKEYS_UNAVAILABLE' | 'TOO_MANY_PASSKEYS'>,
) {
  const { sql, clock, state } = services
  const party = partyOf(services, fail)
  const present = await readCredentialIds(sql, user.id)
  if (present.length >= PASSKEYS_PER_USER_MAX)
    throw fail('TOO_MANY_PASSKEYS', { countMax: PASSKEYS_PER_USER_MAX })
  const options = await enrolmentOptions(party, state.organization?.name ?? '', user, present)
  const expiresAt = nowSeconds(clock) + CHALLENGE_SECONDS
  await storeChallenge(sql, keyHash, { challenge: options.challenge, userId: user.id, expiresAt })
  return options
}

/** An answer to such options. */
interface Enrolment {
  readonly user: User
  readonly keyHash: string
  readonly answer: EnrolmentAnswer
  /** Undefined for one that follows from the browser. */
  readonly name: string | undefined
  readonly userAgent: string
}

/** Adds a passkey; answers its id. */
export async function completeEnrolment(
  services: Services,
  { user, keyHash, answer, name, userAgent }: Enrolment,
  fail: Fail<'PASSKEYS_UNAVAILABLE' | 'PASSKEY_NOT_ADDED'>,
): Promise<string> {
  const { sql, clock } = services
  const party = partyOf(services, fail)
  const createdAt = nowSeconds(clock)
  const challenge = await takeChallenge(sql, keyHash, user.id, createdAt)
  const made = challenge === undefined ? undefined : await checkEnrolment(party, challenge, answer)
  if (!made) throw fail('PASSKEY_NOT_ADDED')
  const id = randomUUID()
  await addPasskey(services, user, { ...made, id, name: name ?? describeClient(userAgent), createdAt }, fail)
  return id
}

/** Options for a log-in; a cookie binds their challenge to the browser. */
export async function beginPasskeyLogin(
  services: Services,
  exchange: LoginExchange,
  fail: Fail<'PASSKEYS_UNAVAILABLE'>,
) {
  const { sql, clock } = services
  const options = await loginOptions(partyOf(services, fail))
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const expiresAt = nowSeconds(clock) + CHALLENGE_SECONDS
  await storeChallenge(sql, hashApiKey(token), { challenge: options.challenge, userId: undefined, expiresAt })
  exchange.cookies.openStep(COOKIE, token, CHALLENGE_SECONDS)
  return options
}

/**
 * Starts a session for the user of a passkey, or leads on to the app that waits. It counts as both factors: the device
 * has checked its user.
 */
export async function completePasskeyLogin(
  services: Services,
  exchange: LoginExchange,
  { answer, userAgent, app }: PasskeyLogin,
  fail: Fail<'PASSKEYS_UNAVAILABLE' | 'PASSKEY_REFUSED' | 'ACCOUNT_DEACTIVATED'>,
): Promise<{ readonly user: User; readonly appUrl?: string }> {
  const { sql, clock, state } = services
  const party = partyOf(services, fail)
  const now = nowSeconds(clock)
  const token = exchange.cookies.readStep(COOKIE)
  exchange.cookies.closeStep(COOKIE)
  const challenge =
    token === undefined ? undefined : await takeChallenge(sql, hashApiKey(token), undefined, now)
  const passkey = challenge === undefined ? undefined : await findPasskey(sql, answer.id)
  if (challenge === undefined || !passkey) throw fail('PASSKEY_REFUSED')
  exchange.claimed = passkey.userId
  const counter = await checkLogin(party, challenge, answer, passkey)
  if (counter === undefined || !(await notePasskeyUse(sql, passkey.id, counter, now)))
    throw fail('PASSKEY_REFUSED')
  const user = state.getUser(passkey.userId)
  if (!user.isActive) throw fail('ACCOUNT_DEACTIVATED')
  const proof = { kind: 'passkey', id: passkey.id } as const
  const refuse = (error: unknown) => {
    throw error instanceof StaleProofError ? fail('PASSKEY_REFUSED') : error
  }
  if (app) {
    const appUrl = await logInApp(services, exchange, { user, proof, app, userAgent }, fail).catch(refuse)
    return { user, appUrl }
  }
  await noteLogin(services, exchange, user.id)
  const session = await openSession(services, exchange, user, { userAgent, proof }).catch(refuse)
  if (!session) throw fail('ACCOUNT_DEACTIVATED')
  await noteBrowser(services, exchange, { user, userAgent })
  return { user }
}

/** The answer of a browser, and the app that waits for the log-in, if there is one. */
interface PasskeyLogin {
  readonly answer: LoginAnswer
  readonly userAgent: string
  readonly app: WaitingApp | undefined
}
