/** Sets the password of a user who does not prove the former one. All earlier log-ins end: they may be a thief's. */

import { findResetUserId, MissingResetError } from '../../../db/accounts/password-resets.ts'
import { endSessions } from '../../decisions/users/change-login-sessions.ts'
import { countCodePoints } from '../../../packages/rules/count-code-points.ts'
import { PASSWORD_LENGTH_MIN } from '../../domain/limits.ts'
import type { User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import { Secret } from '../../domain/secret.ts'
import type { Fail } from '../../errors/api-error.ts'
import { hashApiKey, isApiKey, type Passwords } from '../passwords.ts'
import type { Sending } from '../sending.ts'
import { checkNewPassword, NEW_PASSWORD_ERRORS, passwordOwner } from './check-new-password.ts'
import { endAllApiKeys } from './replace-api-keys.ts'

/** The services of a reset. */
type Resetting = Pick<Sending, 'sql' | 'state' | 'committer' | 'clock'> & { readonly passwords: Passwords }

/** How a new password can be invalid. */
export const RESET_ERRORS = ['PASSWORD_TOO_WEAK', ...NEW_PASSWORD_ERRORS] as const

/** The page on which people ask for such a link. */
export function askResetUrl(publicUrl: string): string {
  return `${publicUrl}/accounts/password/reset/`
}

/** The page behind a link for a new password. */
export function resetUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/accounts/password/reset/${token}/`
}

/** The user whose password a token may set. */
export async function findResetUser(
  { sql, state }: Pick<Sending, 'sql' | 'state'>,
  token: string,
): Promise<User | undefined> {
  if (!isApiKey(token)) return undefined
  const userId = await findResetUserId(sql, hashApiKey(token))
  const user = userId === undefined ? undefined : state.users.get(userId)
  return user?.isActive ? user : undefined
}

/** Sets a password by the token of a mail; answers its stored form, or undefined if the token is not valid any more. */
export async function resetPassword(
  services: Resetting,
  user: User,
  { token, password }: { readonly token: string; readonly password: string },
  fail: Fail<(typeof RESET_ERRORS)[number]>,
): Promise<string | undefined> {
  if (countCodePoints(password) < PASSWORD_LENGTH_MIN) throw fail('PASSWORD_TOO_WEAK')
  await checkNewPassword(password, passwordOwner(services.state, user), fail)
  const passwordHash = await services.passwords.hash(password)
  try {
    await setPassword(services, user.id, passwordHash, hashApiKey(token))
    return passwordHash
  } catch (error) {
    if (error instanceof MissingResetError) return undefined
    throw error
  }
}

/** Sets a password and ends all log-ins, in one commit. */
export async function setPassword(
  writer: Pick<Sending, 'sql' | 'committer' | 'clock'>,
  userId: UserId,
  passwordHash: string,
  tokenHash?: string,
): Promise<void> {
  const secrets = new Secret(
    tokenHash === undefined
      ? ({ kind: 'by_operator', passwordHash } as const)
      : ({ kind: 'by_link', passwordHash, tokenHash } as const),
  )
  // A link proves who its user is.
  const actorId = tokenHash === undefined ? undefined : userId
  await endAllApiKeys(writer, userId, actorId, (scope) => [
    { type: 'password_set', userId, secrets },
    ...endSessions(scope, userId, () => true),
  ])
}
