/** The link of a mail about a new device with which its reader stops such mails. */

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { decideSettings } from '../../decisions/users/update-settings.ts'
import type { User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { submit, type Writer } from '../submit.ts'

/** Hex digits of a token: nobody guesses it, and mail programs do not break the link. */
const TOKEN_LENGTH = 32

/** A user, as a link names them. */
type Recipient = Pick<User, 'id' | 'email'>

/** The page behind the link; `secret` is the one that all processes share. */
export function stopMailsUrl(publicUrl: string, secret: Uint8Array, recipient: Recipient): string {
  return `${publicUrl}/accounts/unsubscribe/${recipient.id}/${tokenOf(secret, recipient)}/`
}

/**
 * The active user of a link; undefined if nobody made it, or if the account has another address by now. The address signs
 * it, so no row is needed: a mail that lies in a mailbox for years has a link that works, until the secret is replaced.
 */
export function findRecipient(
  state: OrganizationState,
  secret: Uint8Array,
  { userId, token }: { readonly userId: number; readonly token: string },
): User | undefined {
  const user = state.users.get(userId as UserId)
  // An unknown user is compared, too: absent and wrong look alike.
  const expected = Buffer.from(tokenOf(secret, user ?? { id: 0 as UserId, email: '' }))
  const given = Buffer.from(token)
  const isRight = given.length === expected.length && timingSafeEqual(given, expected)
  return isRight && user?.isActive ? user : undefined
}

/** Stops the mails of a user about log-ins from new devices; the user can turn them on again. */
export async function stopLoginMails(writer: Writer, { id }: User): Promise<void> {
  const settings = [{ name: 'enableLoginEmails', value: false }] as const
  const unchanged = { fullName: undefined, email: undefined, password: undefined }
  await submit(writer, id, decideSettings, { ...unchanged, settings })
}

function tokenOf(secret: Uint8Array, { id, email }: Recipient): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'links that stop mails', 32))
  return createHmac('sha256', key).update(`${id} ${email}`).digest('hex').slice(0, TOKEN_LENGTH)
}
