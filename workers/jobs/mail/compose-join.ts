/** Composes the mail to somebody who wants to join by a link. Only the mail says whether the address has an account. */

import { findJoinRequest, storeJoining } from '../../../db/accounts/joinings.ts'
import type { ClaimedMail } from '../../../db/mail/mails.ts'
import { renewLink } from '../../../db/mail/repeated-links.ts'
import { joiningUrl } from '../../../server/changes/invitations/join-by-invitation.ts'
import { newApiKey } from '../../../server/changes/passwords.ts'
import { nowSeconds } from '../../../server/domain/clock.ts'
import { isBacked } from '../../../server/domain/accounts/invitations.ts'
import type { ComposedMail, MailContext } from './composed-mail.ts'
import { findMailFrame } from './mail-frame.ts'
import { renderMail } from './mail-layout.ts'
import { accountExistsMail, confirmJoiningMail } from './templates/join.ts'

/** A link to make an account, or to log in; nothing if the invitation has ended, or the account is a bot's. */
export async function composeJoin(
  { sql, publicUrl, clock }: MailContext,
  mail: ClaimedMail,
): Promise<ComposedMail | undefined> {
  const { recipient, invitationId, handed } = mail
  if (invitationId === null) return undefined
  const found = await findJoinRequest(sql, invitationId, recipient, nowSeconds(clock))
  if (!found || !isBacked(found, found.inviter)) return undefined
  const { organization, texts } = await findMailFrame(sql, null)
  const { account } = found
  if (account) {
    if (!account.isPerson) return undefined
    const { isActive } = account
    const content = { organization, email: recipient, isActive, url: `${publicUrl}/accounts/login` }
    return { to: recipient, ...renderMail(accountExistsMail(texts, content)) }
  }
  const { apiKey: token, keyHash } = newApiKey()
  const isStored =
    handed === 0
      ? await storeJoining(sql, invitationId, recipient, keyHash)
      : await renewLink(sql, mail, keyHash)
  if (!isStored) return undefined
  const content = { organization, email: recipient, url: joiningUrl(publicUrl, token) }
  return { to: recipient, ...renderMail(confirmJoiningMail(texts, content)) }
}
