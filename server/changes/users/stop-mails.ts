/** The links of mails with which their readers stop mails of that kind. */

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { decideStopMessageMails } from '../../decisions/users/stop-message-mails.ts'
import { decideSettings } from '../../decisions/users/update-settings.ts'
import type { User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { submit, type Writer } from '../submit.ts'

/** Mails that a link stops: those about log-ins from new devices, or those about messages. */
export type StoppedMails = 'logins' | 'messages'

/** Hex digits of a token: nobody guesses it, and mail programs do not break the link. */
const TOKEN_LENGTH = 32
/** Uses of the derived keys, which keep the links apart: none stops anything else. */
const KEY_USES = {
  logins: 'links that stop mails',
  messages: 'links that stop mails about messages',
} as const

/** A user, as a link names them. */
type Recipient = Pick<User, 'id' | 'email'>

/** The page behind the link; `secret` is the one that all processes share. */
export function stopMailsUrl(publicUrl: string, secret: Uint8Array, recipient: Recipient): string {
  return `${publicUrl}/accounts/unsubscribe/${recipient.id}/${tokenOf('logins', secret, recipient)}/`
}

/** The same for mails about messages. */
export function stopMessageMailsUrl(publicUrl: string, secret: Uint8Array, recipient: Recipient): string {
  return `${publicUrl}/accounts/unsubscribe/messages/${recipient.id}/${tokenOf('messages', secret, recipient)}/`
}

/**
 * The active user of a link; undefined if nobody made it, or if the account has another address by now. The address signs
 * it, so no row is needed: a mail that lies in a mailbox for years has a link that works, until the secret is replaced.
 */
export function findRecipient(
  state: OrganizationState,
  secret: Uint8Array,
  { mails, userId, token }: { readonly mails: StoppedMails; readonly userId: number; readonly token: string },
): User | undefined {
  const user = state.users.get(userId as UserId)
  // An unknown user is compared, too: absent and wrong look alike.
  const expected = Buffer.from(tokenOf(mails, secret, user ?? { id: 0 as UserId, email: '' }))
  const given = Buffer.from(token)
  const isRight = given.length === expected.length && timingSafeEqual(given, expected)
  return isRight && user?.isActive ? user : undefined
}

/** Stops the mails of a user; the user can turn them on again. */
export async function stopMails(writer: Writer, { id }: User, mails: StoppedMails): Promise<void> {
  if (mails === 'messages') return submit(writer, id, decideStopMessageMails, undefined)
  const settings = [{ name: 'enableLoginEmails', value: false }] as const
  const unchanged = { fullName: undefined, email: undefined, password: undefined }
  await submit(writer, id, decideSettings, { ...unchanged, settings })
}

function tokenOf(mails: StoppedMails, secret: Uint8Array, { id, email }: Recipient): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', KEY_USES[mails], 32))
  return createHmac('sha256', key).update(`${id} ${email}`).digest('hex').slice(0, TOKEN_LENGTH)
}
