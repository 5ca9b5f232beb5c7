/** Invitations by mail: each has one address, and a link that only its newest mail has. */

import type { InvitationChange } from '../server/domain/events/invites.ts'
import type { InvitationContent, Invitee } from '../server/domain/invitations.ts'
import type { EventId, InvitationId, UserId } from '../server/domain/ids.ts'
import {
  INVITATION_MAILS_MAX,
  INVITATION_MAILS_OF_USER_MAX,
  INVITATION_MAILS_TO_ADDRESS_MAX,
  MAILED_INVITATIONS_MAX,
} from '../server/domain/limits.ts'
import type { User } from '../server/domain/entities.ts'
import type { Sql } from './connect.ts'
import {
  DailyInvitationsError,
  MissingInvitationError,
  TooManyInvitationsError,
} from './invitation-errors.ts'
import { isRoomForMails, MAIL_NOTICE } from './mails.ts'
import type { InSql, WriteBatch } from './write-batch.ts'

/** Stores an invitation to an address, and its mail. The log is locked until the commit, so the counts hold. */
export function storeMailedInvitation(
  writes: WriteBatch,
  id: InSql<EventId>,
  { channelIds, groupIds, ...invitation }: InvitationContent,
  { email, notifiesInviter, printedHash }: Invitee,
): void {
  const { inviterId, invitedAt } = invitation
  writes.change(
    writes.sql`
    insert into invitations (id, email, printed_hash, notifies_inviter, inviter_id, role, channel_ids, group_ids,
      has_default_channels, welcome_text, invited_at, expires_at)
    select ${id}, ${email}, ${printedHash ?? null}, ${notifiesInviter}, ${inviterId}, ${invitation.role}, ${[...channelIds]}::int[],
      ${[...groupIds]}::int[], ${invitation.hasDefaultChannels}, ${invitation.welcomeText}, ${invitedAt},
      ${invitation.expiresAt}::bigint
    where (
      select count(*) from invitations
      where inviter_id = ${inviterId} and email is not null and (expires_at is null or expires_at > ${invitedAt})
    ) < ${MAILED_INVITATIONS_MAX}`,
    1,
    () => new TooManyInvitationsError(MAILED_INVITATIONS_MAX),
  )
  addInvitationMail(writes, id, inviterId)
}

/** Renews an invitation and sends its mail again; the link of the mail before stops working. */
export function resendInvitation(
  writes: WriteBatch,
  { invitationId, senderId, invitedAt, expiresAt }: Extract<InvitationChange, { readonly kind: 'resent' }>,
): void {
  writes.add(writes.sql`update invitations
    set token_hash = null, former_hash = null, printed_hash = null, invited_at = ${invitedAt},
      expires_at = ${expiresAt}::bigint where id = ${invitationId}`)
  addInvitationMail(writes, invitationId, senderId)
}

/** Adds the mail of an invitation; writes nothing if it has gone meanwhile. */
function addInvitationMail(writes: WriteBatch, id: InSql<EventId | InvitationId>, senderId: UserId): void {
  const { sql } = writes
  const sent = sql`from mails where kind = 'invitation' and asked_at > now() - interval '1 day'`
  writes.require(
    sql`(select count(*) ${sent} and user_id = ${senderId}) < ${INVITATION_MAILS_OF_USER_MAX}
      and (select count(*) ${sent}) < ${INVITATION_MAILS_MAX} and ${isRoomForMails(sql)}`,
    () => new DailyInvitationsError(`user ${senderId} has sent too many invitations`),
  )
  writes.change(
    sql`insert into mails (kind, recipient, user_id, invitation_id)
      select 'invitation', email, ${senderId}, id from invitations where id = ${id} and email is not null`,
    1,
    () => new MissingInvitationError('there is no such invitation'),
  )
  writes.add(sql`select pg_notify(${MAIL_NOTICE}, '')`)
}

/** The addresses among some to which a user has sent as many invitations as one may in a day, in lower case. */
export async function findFloodedAddresses(
  sql: Sql,
  userId: UserId,
  emails: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ email: string }[]>`
    select lower(recipient) as email from mails
    where user_id = ${userId} and kind = 'invitation' and asked_at > now() - interval '1 day'
      and lower(recipient) = any(${emails.map((email) => email.toLowerCase())})
    group by 1 having count(*) >= ${INVITATION_MAILS_TO_ADDRESS_MAX}`
  return new Set(rows.map(({ email }) => email))
}

/** An invitation whose mail is to be sent. */
export interface MailedInvitation
  extends Pick<InvitationContent, 'role' | 'expiresAt'>,
    Pick<Invitee, 'email'> {
  readonly inviter: Pick<User, 'fullName' | 'isActive' | 'role'>
}

/** A valid invitation by mail, unless its address has an account by now. */
export async function findMailedInvitation(
  sql: Sql,
  id: InvitationId,
  nowSeconds: number,
): Promise<MailedInvitation | undefined> {
  const [row] = await sql<MailedInvitation[]>`
    select i.email, i.role, i.expires_at as "expiresAt",
      json_build_object('fullName', u.full_name, 'isActive', u.is_active, 'role', u.role) as inviter
    from invitations i join users u on u.id = i.inviter_id
    where i.id = ${id} and i.email is not null and (i.expires_at is null or i.expires_at > ${nowSeconds})
      and not exists (select from users where lower(email) = lower(i.email))`
  return row
}

/** Stores the token of an invitation's newest mail; false if the invitation is gone. */
export async function storeInvitationToken(sql: Sql, id: InvitationId, tokenHash: string): Promise<boolean> {
  const { count } = await sql`
    update invitations set token_hash = ${tokenHash}, former_hash = null where id = ${id} and email is not null`
  return count === 1
}
