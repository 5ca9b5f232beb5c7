/** Email addresses and passwords that users change for themselves. */

import type { Sql } from '../../../db/connection/connect.ts'
import { hasOtherLogin } from '../../../db/accounts/login-links.ts'
import { findPasswordHash } from '../../../db/accounts/users.ts'
import { checkPerson } from '../../decisions/check-caller.ts'
import {
  checkWantedEmail,
  type NEW_EMAIL_ERRORS,
  type OwnPasswordChange,
} from '../../decisions/users/update-settings.ts'
import type { User } from '../../domain/entities.ts'
import { countCodePoints } from '../../../packages/rules/count-code-points.ts'
import { PASSWORD_LENGTH_MIN } from '../../domain/limits.ts'
import { Secret } from '../../domain/secret.ts'
import type { Fail } from '../../errors/api-error.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Passwords } from '../passwords.ts'
import { hasOwnPassword } from '../sign-on/own-password.ts'
import { checkNewPassword, NEW_PASSWORD_ERRORS, passwordOwner } from './check-new-password.ts'

/** How new credentials can be invalid, besides the address. */
export const CREDENTIAL_ERRORS = [
  'BOT_REFUSED',
  'NEW_PASSWORD_TOO_WEAK',
  ...NEW_PASSWORD_ERRORS,
  'OWN_PASSWORD_WRONG',
  'PASSWORD_IN_DIRECTORY',
] as const
type CredentialFail = Fail<(typeof CREDENTIAL_ERRORS | typeof NEW_EMAIL_ERRORS)[number]>

/** Credentials, as the request has them; an empty text counts as undefined. */
export interface GivenCredentials {
  readonly email: string | undefined
  readonly oldPassword: string | undefined
  readonly newPassword: string | undefined
  /** Whether the request is in a session that has just begun. */
  readonly isFresh: boolean
}

/** The credentials that change; undefined keeps the present value. */
export interface NewCredentials {
  readonly email: string | undefined
  readonly password: OwnPasswordChange['secrets'] | undefined
}

/** Services that check credentials. */
export interface CredentialReading {
  readonly sql: Sql
  readonly state: OrganizationState
  readonly passwords: Passwords
  /** The company's directory; undefined without one. */
  readonly directory: { readonly issuer: string } | undefined
}

/**
 * Checks the credentials of a request, and the present password if there is one. A user who logs in without a password must
 * have done so just now. `decideSettings` checks the address
 * again, as the organization may have changed since.
 */
export async function readCredentials(
  { sql, state, passwords, directory }: CredentialReading,
  caller: User,
  given: GivenCredentials,
  fail: CredentialFail,
): Promise<NewCredentials> {
  const newPassword = given.newPassword || undefined
  const email = given.email === caller.email ? undefined : given.email || undefined
  if (email === undefined && newPassword === undefined) return { email: undefined, password: undefined }
  checkPerson({ caller, fail })
  if (newPassword !== undefined && !(await hasOwnPassword({ sql, directory }, caller)))
    throw fail('PASSWORD_IN_DIRECTORY')
  if (newPassword !== undefined && countCodePoints(newPassword) < PASSWORD_LENGTH_MIN)
    throw fail('NEW_PASSWORD_TOO_WEAK')
  if (newPassword !== undefined) {
    const owner = passwordOwner(state, { ...caller, email: email ?? caller.email })
    await checkNewPassword(newPassword, owner, fail)
  }
  const before = await findPasswordHash(sql, caller.id)
  if (before !== undefined) {
    const old = given.oldPassword || undefined
    if (old === undefined || !(await passwords.verify(old, before))) throw fail('OWN_PASSWORD_WRONG')
  } else if (!given.isFresh && (await hasOtherLogin(sql, caller.id))) {
    // Otherwise a stolen API key would become a log-in. If the user has nothing else, it proves who they are.
    throw fail('OWN_PASSWORD_WRONG')
  }
  // Last: the answer says that an address is in use, if the caller may see that account's address.
  if (email !== undefined) checkWantedEmail({ state, caller, fail }, email)
  const password =
    newPassword === undefined
      ? undefined
      : new Secret({ kind: 'changed', before, passwordHash: await passwords.hash(newPassword) } as const)
  return { email, password }
}
