/** Checks the password and the second factor of a log-in. */

import { isLoginAddress } from '../../db/accounts/login-addresses.ts'
import { replacePasswordHash } from '../../db/accounts/users.ts'
import { type Credentials, findCredentials } from '../../db/accounts/second-factors.ts'
import { hasOwnPassword } from '../changes/sign-on/own-password.ts'
import { spendCode } from '../changes/users/check-code.ts'
import type { User } from '../domain/entities.ts'
import type { UserId } from '../domain/ids.ts'
import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX } from '../domain/limits.ts'
import type { LoginProof } from '../domain/accounts/login-sessions.ts'
import { CODE_LENGTH_MAX } from '../domain/accounts/second-factors.ts'
import type { Fail } from '../errors/api-error.ts'
import type { Exchange } from './door/exchange.ts'
import { optional, required, text } from './params.ts'
import { logInByDirectory } from './log-in-by-directory.ts'
import type { Services } from './services.ts'

/** An email address and a password, as a log-in gives them. */
export interface PasswordLogin {
  readonly username: string
  readonly password: string
}

/** A user whose password was right, and the credentials that were checked. */
export interface CheckedLogin {
  readonly user: User
  readonly credentials: Credentials
}

/** The credentials of a log-in, to check them once more when it is committed. */
export function proofOf({ passwordHash, totp }: Credentials): LoginProof {
  return { kind: 'password', passwordHash, totpSecret: totp?.secret }
}

/** The parameters of a log-in by password. */
export const PASSWORD_LOGIN_PARAMS = {
  username: required(text({ lengthMax: EMAIL_LENGTH_MAX, trim: true }), 'The email address of the account.'),
  password: required(text({ lengthMax: PASSWORD_LENGTH_MAX }), 'Its password.'),
}

/** How a log-in fails before its second step. */
export const PASSWORD_LOGIN_ERRORS = ['PASSWORD_INCORRECT', 'DIRECTORY_ACCOUNT_REFUSED'] as const

/** The type of a code. */
export const codeType = text({ lengthMax: CODE_LENGTH_MAX, trim: true })

/** The parameters of a log-in by password and code. */
export const WHOLE_LOGIN_PARAMS = {
  ...PASSWORD_LOGIN_PARAMS,
  otp_token: optional(
    codeType,
    'A code of the authenticator app of the account, or a recovery code; needed if it has an app.',
  ),
}

/** How a log-in fails when its password is right. */
export const SECOND_STEP_ERRORS = ['SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_WRONG'] as const

/**
 * The user of an address and a password, and the credentials that matched. The password may be the directory's, and the
 * address a name that the directory knows. Absent accounts and wrong passwords look alike and take as long. Every way to log in counts against the same limits.
 */
export async function checkPassword(
  services: Services,
  exchange: Pick<Exchange, 'limits' | 'claimed'>,
  login: PasswordLogin,
  fail: Fail<(typeof PASSWORD_LOGIN_ERRORS)[number] | 'ACCOUNT_DEACTIVATED'>,
): Promise<CheckedLogin> {
  const { sql, state, passwords, directory } = services
  const { username, password } = login
  const user = state.findUserByEmail(username)
  exchange.claimed = user?.id
  // An unknown account gets a look-up, too, with an unused id, so that it takes as long.
  const id = user?.id ?? (0 as UserId)
  // Guesses from other addresses do not lock users out of addresses that they have used, nor delay them there.
  const isKnown = await isLoginAddress(sql, id, exchange.limits.network)
  // A name of the directory is counted once it is clear whose it is.
  const isCounted = user !== undefined || !directory
  if (isCounted && (!isKnown || exchange.limits.isInOwnNetwork)) exchange.limits.countAccount(username)
  const credentials = await findCredentials(sql, id)
  const hash = user && (await hasOwnPassword(services, user)) ? credentials.passwordHash : undefined
  const isRight = await passwords.verify(password, hash, isKnown ? 'known' : 'stranger')
  if (!user || !isRight) {
    const found = directory && (await logInByDirectory({ ...services, directory }, exchange, login, fail))
    if (!found) throw fail('PASSWORD_INCORRECT')
    return { user: found, credentials: await findCredentials(sql, found.id) }
  }
  if (!state.getUser(user.id).isActive) throw fail('ACCOUNT_DEACTIVATED')
  return { user, credentials: await strengthen({ sql, passwords }, user.id, password, credentials) }
}

/**
 * Replaces the hash of a right password if it was made at a lower cost. If another log-in has done so meanwhile, its hash is
 * the one to go on with.
 */
async function strengthen(
  { sql, passwords }: Pick<Services, 'sql' | 'passwords'>,
  userId: UserId,
  password: string,
  credentials: Credentials,
): Promise<Credentials> {
  const { passwordHash: old } = credentials
  if (old === undefined || !passwords.isOutdated(old)) return credentials
  const passwordHash = await passwords.hash(password)
  if (await replacePasswordHash(sql, userId, old, passwordHash)) return { ...credentials, passwordHash }
  const present = await findCredentials(sql, userId)
  // Otherwise the commit of the log-in finds that the password has changed.
  const isSame = await passwords.verify(password, present.passwordHash)
  return isSame ? { ...credentials, passwordHash: present.passwordHash } : credentials
}

/** Checks the code of a user whose password was right. */
export async function checkSecondFactor(
  services: Pick<Services, 'sql' | 'clock'>,
  { user, credentials: { totp } }: CheckedLogin,
  code: string | undefined,
  fail: Fail<(typeof SECOND_STEP_ERRORS)[number]>,
): Promise<void> {
  if (!totp) return
  if (code === undefined || code === '') throw fail('SECOND_FACTOR_REQUIRED')
  if (!(await spendCode(services, user.id, totp, code))) throw fail('SECOND_FACTOR_WRONG')
}
