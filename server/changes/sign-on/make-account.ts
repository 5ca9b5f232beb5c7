/** Makes the account of a person at their first log-in by a provider. It has no password. */

import { readInvitations } from '../../../db/accounts/invitations.ts'
import { nowSeconds } from '../../domain/clock.ts'
import { type Invitation, isBacked } from '../../domain/accounts/invitations.ts'
import type { User } from '../../domain/entities.ts'
import { isOfDomains } from '../../domain/users/email-domains.ts'
import { toFullName } from '../../domain/users/full-names.ts'
import { ROLES } from '../../../packages/rules/roles.ts'
import { decideNewAccount } from '../../decisions/users/new-account.ts'
import { ApiError, fail } from '../../errors/api-error.ts'
import { findInvitation, greet, JOIN_ERRORS, join } from '../invitations/join-by-invitation.ts'
import type { Passwords } from '../passwords.ts'
import type { Sending } from '../sending.ts'
import { submitForServer } from '../submit.ts'
import { prepareAccountByProvider } from '../users/prepare-account.ts'
import type { Admittance, FoundAccount } from './found-account.ts'

/** Further names that are tried if an organization wants unique ones: more people of one name are rare. */
const NAMES_MAX = 20

/** A person; the address is one that their provider vouches for. */
export interface Newcomer {
  readonly email: string | undefined
  readonly fullName: string | undefined
}

interface GivenNames {
  readonly email: string
  readonly fullName: string
}

type MakingServices = Sending & { readonly passwords: Passwords }

/** Makes an account by the invitation or by the policy; `taken` if the address has an account. */
export async function makeAccount(
  services: MakingServices,
  { email, fullName }: Newcomer & { readonly email: string },
  { accounts, invitationKey }: Admittance,
): Promise<FoundAccount> {
  const { state } = services
  const invitation = await findInvitationOf(services, email, invitationKey)
  if (invitation === 'other_address') return { kind: 'other_address' }
  const isAdmitted =
    accounts === 'anyone' || (accounts === 'domains' && isOfDomains(email, state.emailDomains))
  if (!invitation && !isAdmitted) return { kind: 'absent' }
  const make = async (given: GivenNames): Promise<User | undefined> =>
    invitation
      ? (await join(services, invitation, given, { kind: 'provider', email }))?.user
      : joinByPolicy(services, given)
  const name = toFullName(fullName ?? '') ?? toFullName(email.slice(0, email.indexOf('@'))) ?? 'New user'
  for (let number = 1; ; number++) {
    try {
      const user = await make({ email, fullName: number === 1 ? name : `${name} ${number}` })
      return user ? { kind: 'found', user } : { kind: 'absent' }
    } catch (error) {
      if (!(error instanceof ApiError) || !JOIN_ERRORS.includes(error.errorName)) throw error
      if (error.errorName === 'EMAIL_TAKEN') return { kind: 'taken' }
      const isNameTaken = error.errorName === 'FULL_NAME_TAKEN' && number < NAMES_MAX
      if (!isNameTaken) return { kind: 'refused', error }
    }
  }
}

/**
 * The invitation that a person came with, or one by mail to their address. One by mail is for its address alone: with
 * another address it makes no account, even where the policy would, since that one would lack its role and channels.
 */
async function findInvitationOf(
  services: MakingServices,
  email: string,
  key: string | undefined,
): Promise<Invitation | 'other_address' | undefined> {
  const { sql, state, clock } = services
  const given = key === undefined ? undefined : await findInvitation(services, key)
  if (given?.form.kind === 'mail' && given.form.email.toLowerCase() !== email.toLowerCase())
    return 'other_address'
  if (given) return given
  const mailed = await readInvitations(sql, { email }, nowSeconds(clock))
  return mailed.find((one) => isBacked(one, state.getUser(one.inviterId)))
}

async function joinByPolicy(services: MakingServices, given: GivenNames): Promise<User> {
  const account = await prepareAccountByProvider(services, { ...given, role: ROLES.member }, fail)
  const user = await submitForServer(services, (scope) => decideNewAccount({ ...scope, fail }, account))
  await greet(services, user, null)
  return user
}
