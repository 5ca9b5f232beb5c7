/** Composes a mail when it is sent, from what is in the database by then. */

import { isIP } from 'node:net'
import { findMailedInvitation, storeInvitationToken } from '../../../db/mail/mailed-invitations.ts'
import { findResettable, storeReset } from '../../../db/accounts/password-resets.ts'
import { readAddressSecret } from '../../../db/accounts/signing-secrets.ts'
import { renewLink } from '../../../db/mail/repeated-links.ts'
import type { ClaimedMail } from '../../../db/mail/mails.ts'
import { findActiveAccount } from '../../../db/accounts/users.ts'
import { invitationUrl } from '../../../server/changes/invitations/join-by-invitation.ts'
import { newApiKey } from '../../../server/changes/passwords.ts'
import { askResetUrl, resetUrl } from '../../../server/changes/users/set-password.ts'
import { stopMailsUrl } from '../../../server/changes/users/stop-mails.ts'
import { nowSeconds } from '../../../server/domain/clock.ts'
import { isBacked } from '../../../server/domain/accounts/invitations.ts'
import { composeAddressChange, composeAddressChanged } from './compose-address.ts'
import { composeDigest } from './compose-digest.ts'
import { composeJoin } from './compose-join.ts'
import { composeMessages } from './compose-messages.ts'
import { composeFactorsChanged, composePasswordChanged } from './compose-warning.ts'
import type { ComposedMail, MailContext } from './composed-mail.ts'
import { findMailFrame } from './mail-frame.ts'
import { renderMail } from './mail-layout.ts'
import { timeIn } from './mail-times.ts'
import { plainName } from './plain-name.ts'
import { invitationMail } from './templates/invitation.ts'
import { mailRefusedMail } from './templates/mail-refused.ts'
import { newDeviceMail } from './templates/new-device.ts'
import { passwordResetMail } from './templates/password-reset.ts'
import { testMail } from './templates/test.ts'

/** Composes a claimed mail; undefined if nobody should get it. */
export function composeMail(context: MailContext, mail: ClaimedMail): Promise<ComposedMail | undefined> {
  switch (mail.kind) {
    case 'password_reset':
      return composeReset(context, mail)
    case 'invitation':
      return composeInvitation(context, mail)
    case 'new_device':
      return composeNewDevice(context, mail)
    case 'join':
      return composeJoin(context, mail)
    case 'address_change':
      return composeAddressChange(context, mail)
    case 'address_changed':
      return composeAddressChanged(context, mail)
    case 'password_changed':
      return composePasswordChanged(context, mail)
    case 'digest':
      return composeDigest(context, mail)
    case 'messages':
      return composeMessages(context, mail)
    case 'factors_changed':
      return composeFactorsChanged(context, mail)
    case 'mail_refused':
      return composeRefused(context, mail)
    case 'test':
      return composeTest(context, mail)
  }
}

/** Makes the link only now, so that its token is nowhere but in the mail. It goes to the address of the account. */
async function composeReset(
  { sql, publicUrl, directoryIssuer }: MailContext,
  mail: ClaimedMail,
): Promise<ComposedMail | undefined> {
  const user = await findResettable(sql, mail.recipient, directoryIssuer)
  if (!user) return undefined
  const { apiKey: token, keyHash } = newApiKey()
  const { email, fullName } = user
  const isStored =
    mail.handed === 0 ? await storeReset(sql, user.id, email, keyHash) : await renewLink(sql, mail, keyHash)
  if (!isStored) return undefined
  const { organization, texts } = await findMailFrame(sql, user.id)
  const content = { organization, name: plainName(fullName), email, url: resetUrl(publicUrl, token) }
  return { to: email, ...renderMail(passwordResetMail(texts, content)) }
}

/** The link replaces that of an earlier mail. Nobody gets one for an invitation that has ended. */
async function composeInvitation(
  { sql, publicUrl, clock }: MailContext,
  mail: ClaimedMail,
): Promise<ComposedMail | undefined> {
  const { invitationId, handed } = mail
  if (invitationId === null) return undefined
  const found = await findMailedInvitation(sql, invitationId, nowSeconds(clock))
  if (!found || !isBacked(found, found.inviter)) return undefined
  const { apiKey: token, keyHash } = newApiKey()
  const isStored =
    handed === 0
      ? await storeInvitationToken(sql, invitationId, keyHash)
      : await renewLink(sql, mail, keyHash)
  if (!isStored) return undefined
  const { organization, texts } = await findMailFrame(sql, null)
  const { email, expiresAt, inviter } = found
  const url = invitationUrl(publicUrl, token)
  const content = { organization, inviter: plainName(inviter.fullName), email, url, expiresAt }
  return { to: email, ...renderMail(invitationMail(texts, content)) }
}

/** It goes to the address at the time of the log-in, even if the account has another by now. */
async function composeNewDevice(
  { sql, publicUrl }: MailContext,
  { recipient, details }: ClaimedMail,
): Promise<ComposedMail | undefined> {
  if (!details || !('client' in details)) return undefined
  const account = await findActiveAccount(sql, details.userId)
  if (!account) return undefined
  const { client, at } = details
  // A proxy may have sent any text as the address.
  const address = isIP(details.address) === 0 ? undefined : details.address
  const { organization, texts } = await findMailFrame(sql, details.userId)
  const name = plainName(account.fullName)
  const time = timeIn(texts, at)
  const url = askResetUrl(publicUrl)
  const stopUrl = stopMailsUrl(publicUrl, await readAddressSecret(sql), {
    id: details.userId,
    email: recipient,
  })
  const content = { organization, name, email: recipient, client, address, time, url, stopUrl }
  return { to: recipient, ...renderMail(newDeviceMail(texts, content)) }
}

/** It goes to the address that the administrator had when they asked. */
async function composeTest(
  { sql, publicUrl }: MailContext,
  { recipient, userId }: ClaimedMail,
): Promise<ComposedMail | undefined> {
  const account = userId === null ? undefined : await findActiveAccount(sql, userId)
  if (!account) return undefined
  const { organization, texts } = await findMailFrame(sql, userId)
  const content = { organization, name: plainName(account.fullName), url: publicUrl }
  return { to: recipient, ...renderMail(testMail(texts, content)) }
}

/** It goes to the address that the account had when the mail was refused. */
async function composeRefused(
  { sql, publicUrl }: MailContext,
  { recipient, userId, details }: ClaimedMail,
): Promise<ComposedMail | undefined> {
  const account = userId === null ? undefined : await findActiveAccount(sql, userId)
  if (!account || !details || !('reason' in details)) return undefined
  const { organization, texts } = await findMailFrame(sql, userId)
  const subject = plainName(details.subject)
  const content = {
    organization,
    name: plainName(account.fullName),
    subject,
    reason: details.reason,
    url: publicUrl,
  }
  return { to: recipient, ...renderMail(mailRefusedMail(texts, content)) }
}
