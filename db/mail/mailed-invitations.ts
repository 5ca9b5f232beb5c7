/** Invitations by mail: each has one address, and a link that only its newest mail has. */

import type { InvitationChange } from '../../server/domain/events/invites.ts'
import type {
  InvitationContent,
  InvitationCounts,
  Invitee,
} from '../../server/domain/accounts/invitations.ts'
import type { EventId, InvitationId, UserId } from '../../server/domain/ids.ts'
import {
  INVITATION_MAILS_MAX,
  INVITATION_MAILS_OF_USER_MAX,
  INVITATION_MAILS_TO_ADDRESS_MAX,
  MAILED_INVITATIONS_MAX,
} from '../../server/domain/limits.ts'
import type { User } from '../../server/domain/entities.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import {
  DailyInvitationsError,
  MissingInvitationError,
  TooManyInvitationsError,
} from '../accounts/invitation-errors.ts'
import { MAIL_NOTICE } from './mails.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'

/** The counts of a user, for a refusal that does not lock the log. */
export async function countInvitations(
  sql: Sql,
  userId: UserId,
  nowSeconds: number,
): Promise<InvitationCounts> {
  const { held, sent, sentByAll } = countsOf(sql, userId, nowSeconds)
  const [row] = await sql<InvitationCounts[]>`
    select (${held})::int as held, (${sent})::int as sent, (${sentByAll})::int as "sentByAll"`
  if (!row) throw new Error('a query without a table has no row')
  return row
}

function countsOf(sql: Sql | Transaction, userId: UserId, nowSeconds: number) {
  const mails = sql`from mails where kind = 'invitation' and asked_at > now() - interval '1 day'`
  return {
    held: sql`select count(*) from invitations
      where inviter_id = ${userId} and email is not null and (expires_at is null or expires_at > ${nowSeconds})`,
    sent: sql`select count(*) ${mails} and user_id = ${userId}`,
    sentByAll: sql`select count(*) ${mails}`,
  }
}

/**
 * Stores invitations to some addresses, with consecutive ids, and their mails. The log is locked until the commit, so the
 * counts hold.
 */
export function storeMailedInvitations(
  writes: WriteBatch,
  firstId: InSql<EventId>,
  invitation: InvitationContent,
  invitees: readonly Invitee[],
): void {
  const { sql } = writes
  const { inviterId, invitedAt, role, channelIds, groupIds } = invitation
  const { held } = countsOf(sql, inviterId, invitedAt)
  writes.require(
    sql`(${held}) + ${invitees.length} <= ${MAILED_INVITATIONS_MAX}`,
    () => new TooManyInvitationsError(MAILED_INVITATIONS_MAX),
  )
  requireMails(writes, inviterId, invitees.length)
  const rows = JSON.stringify(invitees)
  writes.add(sql`
    with invitee as materialized (
      select ${firstId} + place - 1 as id, i.*
      from json_array_elements(${rows}::text::json) with ordinality as t (row, place),
        json_to_record(row) as i (email text, "printedHash" text, "notifiesInviter" boolean)
    ), invited as (
      insert into invitations (id, email, printed_hash, notifies_inviter, inviter_id, role, channel_ids, group_ids,
        has_default_channels, welcome_text, invited_at, expires_at)
      select id, email, "printedHash", "notifiesInviter", ${inviterId}::int, ${role}::smallint, ${[...channelIds]}::int[],
        ${[...groupIds]}::int[], ${invitation.hasDefaultChannels}::boolean, ${invitation.welcomeText}::text,
        ${invitedAt}::bigint, ${invitation.expiresAt}::bigint
      from invitee
    )
    insert into mails (kind, recipient, user_id, invitation_id)
    select 'invitation', email, ${inviterId}::int, id from invitee`)
  writes.add(sql`select pg_notify(${MAIL_NOTICE}, '')`)
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

/** Ends the batch if a user, or all together, would have sent too many mails today. */
function requireMails(writes: WriteBatch, senderId: UserId, count: number): void {
  const { sql } = writes
  const { sent, sentByAll } = countsOf(sql, senderId, 0)
  writes.require(
    sql`(${sent}) + ${count} <= ${INVITATION_MAILS_OF_USER_MAX} and (${sentByAll}) + ${count} <= ${INVITATION_MAILS_MAX}`,
    () => new DailyInvitationsError(`user ${senderId} has sent too many invitations`),
  )
}

/** Adds the mail of an invitation that is sent again; rejects one that has gone meanwhile. */
function addInvitationMail(writes: WriteBatch, id: InvitationId, senderId: UserId): void {
  const { sql } = writes
  requireMails(writes, senderId, 1)
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
