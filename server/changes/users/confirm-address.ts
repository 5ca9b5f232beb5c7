/** Gives a user the address that they confirmed by the link of a mail. */

import { findConfirmedAddress, MissingAddressChangeError } from '../../../db/accounts/address-changes.ts'
import { decideConfirmedAddress } from '../../decisions/users/update-settings.ts'
import type { User } from '../../domain/entities.ts'
import { hashApiKey, isApiKey } from '../passwords.ts'
import type { Sending } from '../sending.ts'
import { submit } from '../submit.ts'

/** The page behind a link for a new address. */
export function addressUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/accounts/address/${token}/`
}

/** A user and the address that a token confirms. */
export interface ConfirmedAddress {
  readonly user: User
  readonly email: string
  readonly tokenHash: string
}

/** The user and the address of a token, if it is valid. */
export async function findNewAddress(
  { sql, state }: Pick<Sending, 'sql' | 'state'>,
  token: string,
): Promise<ConfirmedAddress | undefined> {
  if (!isApiKey(token)) return undefined
  const tokenHash = hashApiKey(token)
  const found = await findConfirmedAddress(sql, tokenHash)
  const user = found && state.users.get(found.userId)
  return found && user?.isActive ? { user, email: found.email, tokenHash } : undefined
}

/** Changes the address; false if the token is not valid any more. */
export async function confirmAddress(
  services: Pick<Sending, 'committer' | 'clock'>,
  { user, email, tokenHash }: ConfirmedAddress,
): Promise<boolean> {
  try {
    await submit(services, user.id, decideConfirmedAddress, { email, tokenHash })
    return true
  } catch (error) {
    if (error instanceof MissingAddressChangeError) return false
    throw error
  }
}
