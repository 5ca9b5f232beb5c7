/** Checks and hashes the data of a new account of a person, before the decision. */

import { checkFullName, FULL_NAME_ERRORS } from '../../decisions/users/check-full-name.ts'
import { ACCOUNT_ERRORS, type NewAccountRequest, checkAccount } from '../../decisions/users/new-account.ts'
import { isEmailAddress } from '../../domain/email-addresses.ts'
import { countCodePoints, PASSWORD_LENGTH_MIN } from '../../domain/limits.ts'
import type { Fail } from '../../errors/api-error.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { newApiKey, type Passwords } from '../passwords.ts'

/** How a new account can fail. */
export const NEW_ACCOUNT_ERRORS = [
  'EMAIL_INVALID',
  'PASSWORD_TOO_WEAK',
  ...FULL_NAME_ERRORS,
  ...ACCOUNT_ERRORS,
] as const

/** An account, as the request has it. */
export interface GivenAccount extends Omit<NewAccountRequest, 'keyHash'> {
  readonly password: string
}

/** An account for the decision, and the hash of its password to store afterwards. */
export interface PreparedAccount extends NewAccountRequest {
  readonly passwordHash: string
}

/** Checks an account and hashes its password. */
export async function prepareAccount(
  { state, passwords }: { readonly state: OrganizationState; readonly passwords: Passwords },
  { password, ...account }: GivenAccount,
  fail: Fail<(typeof NEW_ACCOUNT_ERRORS)[number]>,
): Promise<PreparedAccount> {
  if (!isEmailAddress(account.email)) throw fail('EMAIL_INVALID')
  checkFullName({ fail }, account.fullName)
  if (countCodePoints(password) < PASSWORD_LENGTH_MIN) throw fail('PASSWORD_TOO_WEAK')
  // Checked before the expensive hash, and again by the decision.
  checkAccount({ state, fail }, account)
  const passwordHash = await passwords.hash(password)
  return { ...account, keyHash: newApiKey().keyHash, passwordHash }
}
