/** Checks the password of a log-in. */

import { isLoginAddress, storeLoginAddress } from '../../db/login-addresses.ts'
import { findPasswordHash } from '../../db/users.ts'
import type { User } from '../domain/entities.ts'
import type { UserId } from '../domain/ids.ts'
import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX } from '../domain/limits.ts'
import type { Fail } from '../errors/api-error.ts'
import type { Visit } from './door.ts'
import { required, text } from './params.ts'
import type { Services } from './services.ts'

/** An email address and a password, as a log-in gives them. */
export interface PasswordLogin {
  readonly username: string
  readonly password: string
}

/** The parameters of a log-in by password. */
export const PASSWORD_LOGIN_PARAMS = {
  username: required(text({ lengthMax: EMAIL_LENGTH_MAX, trim: true }), 'The email address of the account.'),
  password: required(text({ lengthMax: PASSWORD_LENGTH_MAX }), 'Its password.'),
}

/**
 * The user of an address and a password, and the hash that matched. Absent accounts and wrong passwords look alike and
 * take as long. Every way to log in counts against the same limits.
 */
export async function checkPassword(
  { sql, state, passwords, clock }: Services,
  visit: Pick<Visit, 'address' | 'countAccount'>,
  { username, password }: PasswordLogin,
  fail: Fail<'PASSWORD_INCORRECT' | 'ACCOUNT_DEACTIVATED'>,
): Promise<{ readonly user: User; readonly passwordHash: string | undefined }> {
  const user = state.findUserByEmail(username)
  // An unknown account gets a look-up, too, with an unused id, so that it takes as long.
  const id = user?.id ?? (0 as UserId)
  const { address } = visit
  // Guesses from other addresses do not lock users out of addresses that they have used.
  if (!(await isLoginAddress(sql, id, address))) visit.countAccount(username)
  const passwordHash = await findPasswordHash(sql, id)
  const isRight = await passwords.verify(password, passwordHash)
  if (!user || !isRight) throw fail('PASSWORD_INCORRECT')
  if (!state.getUser(user.id).isActive) throw fail('ACCOUNT_DEACTIVATED')
  await storeLoginAddress(sql, user.id, address, clock.nowMs())
  return { user, passwordHash }
}
