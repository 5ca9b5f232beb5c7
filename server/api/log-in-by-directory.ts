/** Log-ins with the password of the company's directory, beside those with a password of the server. */

import { isLoginAddress } from '../../db/accounts/login-addresses.ts'
import { findLinkedUserId, isLinkedTo } from '../../db/accounts/login-links.ts'
import type { DirectoryPerson } from '../changes/sign-on/directory/directory-people.ts'
import type { Directory, KnownPerson } from '../changes/sign-on/directory/directory.ts'
import { applyIdentity, type Identity } from '../changes/sign-on/apply-identity.ts'
import type { FoundAccount } from '../changes/sign-on/found-account.ts'
import type { User } from '../domain/entities.ts'
import type { UserId } from '../domain/ids.ts'
import type { Fail } from '../errors/api-error.ts'
import type { Exchange } from './door/exchange.ts'
import type { Services } from './services.ts'

type DirectoryServices = Services & { readonly directory: Directory }

/**
 * The user of a name and a password of the directory; makes their account if they may have one. Undefined if the name or
 * the password is wrong. Rejects with a `DirectoryError` if the directory does not answer.
 */
export async function logInByDirectory(
  services: DirectoryServices,
  exchange: Pick<Exchange, 'limits' | 'claimed'>,
  { username, password }: { readonly username: string; readonly password: string },
  fail: Fail<'ACCOUNT_DEACTIVATED' | 'DIRECTORY_ACCOUNT_REFUSED'>,
): Promise<User | undefined> {
  const { directory } = services
  const person = await directory.logIn(username, password, (found) =>
    countGuess(services, exchange, username, found),
  )
  if (!person) return undefined
  const { accounts, groupRules } = directory.settings
  const rules = { accounts, groupRules, invitationKey: undefined, updatesName: true }
  const account = await applyIdentity(services, identityOf(services, person), rules)
  if (account.kind === 'deactivated') throw fail('ACCOUNT_DEACTIVATED')
  if (account.kind !== 'found') throw fail('DIRECTORY_ACCOUNT_REFUSED', { reason: reasonOf(account) })
  return account.user
}

/** Whether a password is the directory's for a user who has logged in by it. */
export async function provesByDirectory(
  { sql, directory }: Pick<Services, 'sql' | 'directory'>,
  { id, email }: User,
  password: string,
): Promise<boolean> {
  if (!directory || !(await isLinkedTo(sql, id, directory.issuer))) return false
  const { issuer } = directory
  const person = await directory.logIn(email, password, async () => undefined)
  return person !== undefined && (await findLinkedUserId(sql, { issuer, subject: person.subject })) === id
}

/** Counts by the person, who may have several names, unless they have logged in from this network before. */
async function countGuess(
  { sql, state, directory: { issuer } }: DirectoryServices,
  exchange: Pick<Exchange, 'limits' | 'claimed'>,
  username: string,
  person: DirectoryPerson | undefined,
): Promise<void> {
  const { limits } = exchange
  const linkedId = person && (await findLinkedUserId(sql, { issuer, subject: person.subject }))
  const id = linkedId ?? person?.emails.map((email) => state.findUserByEmail(email)?.id).find(Boolean)
  if (id !== undefined) exchange.claimed = id
  const isKnown = await isLoginAddress(sql, id ?? (0 as UserId), limits.network)
  if (!isKnown || limits.isInOwnNetwork) limits.countAccount(person?.subject ?? username)
}

/** A directory verifies addresses by itself: its administrators entered them. */
function identityOf({ state, directory: { issuer } }: DirectoryServices, person: KnownPerson): Identity {
  const { subject, emails, fullName, groups } = person
  const email = emails.find((one) => state.findUserByEmail(one)) ?? emails[0]
  return { issuer, subject, email, fullName, groups }
}

function reasonOf(account: Exclude<FoundAccount, { kind: 'found' | 'deactivated' }>): string {
  switch (account.kind) {
    case 'refused':
      return account.error.message
    case 'taken':
    case 'unverified':
      return account.kind
    case 'absent':
    case 'other_address':
      return 'absent'
  }
}
