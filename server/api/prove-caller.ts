/** Proves that a request is by the user themselves, rather than by someone who found their browser or their API key. */

import { findCredentials } from '../../db/accounts/second-factors.ts'
import { hasOwnPassword } from '../changes/sign-on/own-password.ts'
import { spendCode } from '../changes/users/check-code.ts'
import { nowSeconds } from '../domain/clock.ts'
import type { User } from '../domain/entities.ts'
import { PASSWORD_LENGTH_MAX } from '../domain/limits.ts'
import type { FoundSession } from '../domain/accounts/login-sessions.ts'
import { FRESH_SESSION_SECONDS } from '../domain/accounts/second-factors.ts'
import type { Fail } from '../errors/api-error.ts'
import { codeType } from './check-password.ts'
import { provesByDirectory } from './log-in-by-directory.ts'
import { optional, text, type ValuesOf } from './params.ts'
import type { Services } from './services.ts'

/** The parameters of a proof. */
export const PROOF_PARAMS = {
  password: optional(
    text({ lengthMax: PASSWORD_LENGTH_MAX }),
    'The current password; not needed within ten minutes after a log-in, in its session.',
  ),
  otp_token: optional(
    codeType,
    'With the password, a code of the authenticator app or a recovery code, if the account has an app.',
  ),
}

/** How a proof fails. */
const WRONG = ['OWN_PASSWORD_WRONG', 'OWN_CODE_WRONG'] as const
export const PROOF_ERRORS = ['BOT_REFUSED', ...WRONG] as const
/** The same for a key; clients ask for the password only when the server does. */
export const KEY_PROOF_ERRORS = ['RECENT_LOGIN_REQUIRED', ...WRONG] as const

type ProofServices = Pick<Services, 'sql' | 'clock' | 'passwords' | 'directory'>

/** Whether a session has just begun, with all the proofs of a log-in. */
export function isFresh({ clock }: Pick<Services, 'clock'>, session: FoundSession | undefined): boolean {
  return session !== undefined && nowSeconds(clock) - session.createdAt < FRESH_SESSION_SECONDS
}

/** Throws unless the session of the request is fresh, or the request has the password and, with an app, a code. */
export async function proveCaller(
  services: ProofServices,
  { user, exchange, params }: ProofCall,
  fail: Fail<(typeof PROOF_ERRORS)[number]>,
): Promise<void> {
  if (user.botType !== null) throw fail('BOT_REFUSED')
  if (isFresh(services, exchange.session)) return
  await checkPasswordAndCode(services, { user, params }, fail)
}

/**
 * The same for an answer with an API key, which outlives a session. A request with an API key needs no proof: it gains
 * nothing that lasts longer than what it has, and bots and clients of phones have nothing else.
 */
export async function proveForKey(
  services: ProofServices,
  call: ProofCall,
  fail: Fail<(typeof KEY_PROOF_ERRORS)[number]>,
): Promise<void> {
  const { session } = call.exchange
  if (!session || isFresh(services, session)) return
  if ((call.params.password ?? '') === '') throw fail('RECENT_LOGIN_REQUIRED')
  await checkPasswordAndCode(services, call, fail)
}

async function checkPasswordAndCode(
  services: ProofServices,
  { user, params }: Pick<ProofCall, 'user' | 'params'>,
  fail: Fail<(typeof WRONG)[number]>,
): Promise<void> {
  const { passwordHash, totp } = await findCredentials(services.sql, user.id)
  const password = params.password ?? ''
  if (password === '' || !(await isPasswordOf(services, user, password, passwordHash)))
    throw fail('OWN_PASSWORD_WRONG')
  if (totp && !(await spendCode(services, user.id, totp, params.otp_token ?? '')))
    throw fail('OWN_CODE_WRONG')
}

async function isPasswordOf(
  services: ProofServices,
  user: User,
  password: string,
  passwordHash: string | undefined,
): Promise<boolean> {
  const isOwn = passwordHash !== undefined && (await hasOwnPassword(services, user))
  if (isOwn && (await services.passwords.verify(password, passwordHash))) return true
  return provesByDirectory(services, user, password)
}

/** The parts of a call with a proof. */
interface ProofCall {
  readonly user: User
  readonly exchange: { readonly session: FoundSession | undefined }
  readonly params: ValuesOf<typeof PROOF_PARAMS>
}
