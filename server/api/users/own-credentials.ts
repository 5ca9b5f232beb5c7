/** What users sign in with, their address and password, as they change it themselves. */

import { findPasswordHash, replacePasswordHash } from '../../../db/users.ts'
import { isAdministrator } from '../../domain/channel-access.ts'
import { isEmailAddress, readStandInAddress } from '../../domain/email-addresses.ts'
import type { User } from '../../domain/entities.ts'
import {
  countCodePoints,
  EMAIL_LENGTH_MAX,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
} from '../../domain/limits.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { ErrorName, Fail } from '../../errors/api-error.ts'
import type { Services } from '../services.ts'
import { optional, text, type ValuesOf } from '../params.ts'

const passwordType = text({ lengthMax: PASSWORD_LENGTH_MAX })

/** Some clients send what is to stay as it is as empty texts. */
export const CREDENTIAL_PARAMS = {
  email: optional(
    text({ lengthMax: EMAIL_LENGTH_MAX, trim: true }),
    'A new email address, which is the user name of later requests; it needs `old_password`.',
  ),
  old_password: optional(passwordType, 'The password as it is; who has none needs none.'),
  new_password: optional(passwordType, 'A new password, of 8 characters at least; it needs `old_password`.'),
}

/** What can be wrong with new credentials. */
export const CREDENTIAL_ERRORS = [
  'BOT_REFUSED',
  'NEW_PASSWORD_TOO_WEAK',
  'OWN_PASSWORD_WRONG',
  'EMAIL_CHANGES_DISABLED',
  'EMAIL_INVALID',
  'EMAIL_TAKEN',
] as const satisfies readonly ErrorName[]
export type CredentialFail = Fail<(typeof CREDENTIAL_ERRORS)[number]>

/** What becomes another. */
export interface NewCredentials {
  /** Undefined where it stays. */
  readonly email: string | undefined
  /** Stores the new password, if there is one, as the last of all. */
  storePassword(): Promise<void>
}

/**
 * Looks at what a user wants, and asks for the password where they have one. What the organization says of addresses
 * must be asked again by `checkNewEmail` when it is decided.
 */
export async function readCredentials(
  params: ValuesOf<typeof CREDENTIAL_PARAMS>,
  user: User,
  { sql, state, passwords }: Services,
  fail: CredentialFail,
): Promise<NewCredentials> {
  const newPassword = params.new_password || undefined
  const email = params.email === user.email ? undefined : params.email || undefined
  if (email === undefined && newPassword === undefined) {
    return { email: undefined, storePassword: () => Promise.resolve() }
  }
  if (user.botType !== null) throw fail('BOT_REFUSED')
  if (newPassword !== undefined && countCodePoints(newPassword) < PASSWORD_LENGTH_MIN)
    throw fail('NEW_PASSWORD_TOO_WEAK')
  const before = await findPasswordHash(sql, user.id)
  if (before !== undefined) {
    const given = params.old_password || undefined
    if (given === undefined || !(await passwords.verify(given, before))) throw fail('OWN_PASSWORD_WRONG')
  }
  // Only now: that an address is somebody's may be asked no more often than a password may be guessed.
  if (email !== undefined) checkNewEmail(email, user, state, fail)
  const after = newPassword === undefined ? undefined : await passwords.hash(newPassword)
  return {
    email,
    async storePassword() {
      if (after === undefined) return
      // Who changed it meanwhile has another one than was asked for here.
      if (!(await replacePasswordHash(sql, user.id, before, after))) throw fail('OWN_PASSWORD_WRONG')
    },
  }
}

/** Throws where a user may not have an address, or may not change theirs. */
export function checkNewEmail(
  email: string,
  user: User,
  state: OrganizationState,
  fail: Fail<'EMAIL_CHANGES_DISABLED' | 'EMAIL_INVALID' | 'EMAIL_TAKEN'>,
): void {
  if (state.settings.emailChangesDisabled && !isAdministrator(user)) throw fail('EMAIL_CHANGES_DISABLED')
  if (!isEmailAddress(email)) throw fail('EMAIL_INVALID')
  // An address that stands for somebody may be nobody's own.
  const isStandIn = readStandInAddress(email, state.emailHost) !== undefined
  const holder = state.findUserByEmail(email)
  if (isStandIn || (holder && holder.id !== user.id)) throw fail('EMAIL_TAKEN', { email })
}
