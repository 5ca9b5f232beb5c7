/** Refuses passwords that an attacker tries first: the commonest ones, and the names of their user. */

import { readFile } from 'node:fs/promises'
import type { User } from '../../domain/entities.ts'
import { foldCase } from '../../../packages/rules/fold-case.ts'
import { isPersonalPassword, type PasswordOwner } from '../../domain/users/personal-password.ts'
import type { Fail } from '../../errors/api-error.ts'
import type { OrganizationState } from '../../state/organization-state.ts'

/** How a password of a valid length can be too easy to guess. */
export const NEW_PASSWORD_ERRORS = ['PASSWORD_COMMON', 'PASSWORD_PERSONAL'] as const

/** Some 49,000 passwords from published leaks, in lower case, as a JSON list without white space. */
const COMMON_PASSWORDS = new URL(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json'))

/** The names that a user's password must not be made of; before the set-up the request has that of the organization. */
export function passwordOwner(
  { organization }: Pick<OrganizationState, 'organization'>,
  { email, fullName }: Pick<User, 'email' | 'fullName'>,
): PasswordOwner {
  return { email, fullName, organization: organization?.name ?? '' }
}

/** Throws for a password that is easy to guess. Its length is the caller's to check. */
export async function checkNewPassword(
  password: string,
  owner: PasswordOwner,
  fail: Fail<(typeof NEW_PASSWORD_ERRORS)[number]>,
): Promise<void> {
  if (isPersonalPassword(password, owner)) throw fail('PASSWORD_PERSONAL')
  if (await isCommonPassword(password)) throw fail('PASSWORD_COMMON')
}

/**
 * Whether a password is among the commonest, in whatever case. The file is searched as bytes and then dropped: as a set it
 * would take some MiB of each process, and passwords are chosen rarely.
 */
async function isCommonPassword(password: string): Promise<boolean> {
  const bytes = await readFile(COMMON_PASSWORDS)
  return bytes.includes(JSON.stringify(foldCase(password.normalize('NFKC'))))
}
