/** Composes the mails about a new address of an account: to the new one, and once it is confirmed to both. */

import { findAddressChange, storeAddressToken } from '../../../db/accounts/address-changes.ts'
import type { ClaimedMail } from '../../../db/mail/mails.ts'
import { renewLink } from '../../../db/mail/repeated-links.ts'
import { findActiveAccount } from '../../../db/accounts/users.ts'
import { newApiKey } from '../../../server/changes/passwords.ts'
import { addressUrl } from '../../../server/changes/users/confirm-address.ts'
import type { ComposedMail, MailContext } from './composed-mail.ts'
import { findMailFrame } from './mail-frame.ts'
import { renderMail } from './mail-layout.ts'
import { plainName } from './plain-name.ts'
import { addressChangedMail, addressChangeMail, addressInUseMail } from './templates/address.ts'

/** Makes the link only now, so that its token is nowhere but in the mail. */
export async function composeAddressChange(
  { sql, publicUrl }: MailContext,
  mail: ClaimedMail,
): Promise<ComposedMail | undefined> {
  const { recipient, userId, handed } = mail
  const found = userId === null ? undefined : await findAddressChange(sql, userId, recipient)
  if (userId === null || !found) return undefined
  const { apiKey: token, keyHash } = newApiKey()
  const isStored =
    handed === 0
      ? await storeAddressToken(sql, userId, recipient, keyHash)
      : await renewLink(sql, mail, keyHash)
  if (!isStored) return undefined
  const { organization, texts } = await findMailFrame(sql, userId)
  const url = addressUrl(publicUrl, token)
  const content = { organization, name: plainName(found.fullName), email: recipient, url }
  return { to: recipient, ...renderMail(addressChangeMail(texts, content)) }
}

/** The former address learns nothing of the new one: others may read its mailbox by now. */
export async function composeAddressChanged(
  { sql, publicUrl }: MailContext,
  { recipient, userId }: ClaimedMail,
): Promise<ComposedMail | undefined> {
  const account = userId === null ? undefined : await findActiveAccount(sql, userId)
  if (!account) return undefined
  const { organization, texts } = await findMailFrame(sql, userId)
  const url = `${publicUrl}/accounts/login`
  const content = { organization, name: plainName(account.fullName), email: recipient, url }
  const compose = account.email === recipient ? addressInUseMail : addressChangedMail
  return { to: recipient, ...renderMail(compose(texts, content)) }
}
