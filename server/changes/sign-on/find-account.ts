/** The account of a person whom a provider has identified. */

import { findLinkedUserId, linkAccount, type ProviderAccount } from '../../../db/accounts/login-links.ts'
import { isEmailAddress } from '../../domain/users/email-addresses.ts'
import type { User } from '../../domain/entities.ts'
import type { Passwords } from '../passwords.ts'
import type { Sending } from '../sending.ts'
import type { Admittance, FoundAccount } from './found-account.ts'
import { makeAccount, type Newcomer } from './make-account.ts'

/**
 * Finds the account by its link. Without one, a verified address joins it to the account of that address, or makes
 * one. A link counts whatever address the provider sends later, and is never replaced: nobody takes over an account
 * by an address that the provider gave to somebody else.
 */
export async function findAccount(
  services: Sending & { readonly passwords: Passwords },
  identity: ProviderAccount & Newcomer,
  admittance: Admittance,
): Promise<FoundAccount> {
  const { sql, state, clock } = services
  const linkedId = await findLinkedUserId(sql, identity)
  if (linkedId !== undefined) return ofUser(state.getUser(linkedId))
  const { email } = identity
  if (email === undefined) return { kind: 'unverified' }
  let account = findByEmail(services, email)
  if (!account) {
    const made = await makeAccount(services, { ...identity, email }, admittance)
    // Of two log-ins at a time the second finds the account of the first.
    account = made.kind === 'taken' ? (findByEmail(services, email) ?? { kind: 'absent' }) : made
  }
  if (account.kind !== 'found') return account
  const ownerId = await linkAccount(sql, identity, account.user.id, clock.nowMs())
  return ownerId === account.user.id ? ofUser(state.getUser(ownerId)) : { kind: 'taken' }
}

/**
 * The account of a person with an address; undefined if there is none, or it is a bot's. An address with letters beyond
 * ASCII has none: some of them, such as the Kelvin sign, are equal to others only without regard to case.
 */
function findByEmail({ state }: Pick<Sending, 'state'>, email: string): FoundAccount | undefined {
  const user = isEmailAddress(email) ? state.findUserByEmail(email) : undefined
  return user && user.botType === null && !user.isSystem ? ofUser(user) : undefined
}

function ofUser(user: User): FoundAccount {
  return user.isActive ? { kind: 'found', user } : { kind: 'deactivated', user }
}
