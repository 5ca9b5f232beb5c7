/** Checks and hashes the data of a new account of a person, before the decision. */

import { readInvitations } from '../../../db/accounts/invitations.ts'
import { checkFullName, FULL_NAME_ERRORS } from '../../decisions/users/check-names.ts'
import { ACCOUNT_ERRORS, type NewAccountRequest, checkAccount } from '../../decisions/users/new-account.ts'
import { nowSeconds } from '../../domain/clock.ts'
import { isEmailAddress } from '../../domain/users/email-addresses.ts'
import { countCodePoints } from '../../../packages/rules/count-code-points.ts'
import { PASSWORD_LENGTH_MIN } from '../../domain/limits.ts'
import type { Fail } from '../../errors/api-error.ts'
import { newApiKey, type Passwords } from '../passwords.ts'
import type { Sending } from '../sending.ts'
import { checkNewPassword, NEW_PASSWORD_ERRORS, passwordOwner } from './check-new-password.ts'

/** How a new account can fail. */
export const NEW_ACCOUNT_ERRORS = [
  'EMAIL_INVALID',
  'PASSWORD_TOO_WEAK',
  ...NEW_PASSWORD_ERRORS,
  ...FULL_NAME_ERRORS,
  ...ACCOUNT_ERRORS,
] as const

/** An account without a password, as the request has it. */
export type AccountByProvider = Omit<NewAccountRequest, 'keyHash' | 'passwordHash' | 'invitedBy'>

/** An account, as the request has it. */
export interface GivenAccount extends AccountByProvider {
  readonly password: string
  /** The name of an organization that is set up with this account. */
  readonly organization?: string
}

/** An account for the decision. */
interface PreparedAccount extends NewAccountRequest {
  readonly passwordHash: string
}

/** The services that check an account. */
type Preparing = Pick<Sending, 'sql' | 'state' | 'clock'>

/** Checks an account and hashes its password. */
export async function prepareAccount(
  services: Preparing & { readonly passwords: Passwords },
  { password, organization, ...account }: GivenAccount,
  fail: Fail<(typeof NEW_ACCOUNT_ERRORS)[number]>,
): Promise<PreparedAccount> {
  // Checked before the expensive hash, and again by the decision.
  checkGiven(services, account, fail)
  if (countCodePoints(password) < PASSWORD_LENGTH_MIN) throw fail('PASSWORD_TOO_WEAK')
  const owner = passwordOwner(services.state, account)
  await checkNewPassword(password, organization === undefined ? owner : { ...owner, organization }, fail)
  const passwordHash = await services.passwords.hash(password)
  return { ...(await prepareAccountByProvider(services, account, fail)), passwordHash }
}

/** Checks an account without a password: its user logs in by a provider. */
export async function prepareAccountByProvider(
  services: Preparing,
  account: AccountByProvider,
  fail: Fail<(typeof NEW_ACCOUNT_ERRORS)[number]>,
): Promise<NewAccountRequest> {
  checkGiven(services, account, fail)
  const { sql, clock } = services
  const invitations = await readInvitations(sql, { email: account.email }, nowSeconds(clock))
  const invitedBy = [...new Set(invitations.map(({ inviterId }) => inviterId))]
  return { ...account, keyHash: newApiKey().keyHash, invitedBy }
}

function checkGiven(
  { state }: Preparing,
  account: AccountByProvider,
  fail: Fail<(typeof NEW_ACCOUNT_ERRORS)[number]>,
): void {
  if (!isEmailAddress(account.email)) throw fail('EMAIL_INVALID')
  checkFullName({ fail }, account.fullName)
  checkAccount({ state, fail }, account)
}
