/** People who opened a link of an invitation, and confirm their address by a mail before they make an account. */

import type { InvitationId } from '../../server/domain/ids.ts'
import type { Role } from '../../packages/rules/roles.ts'
import type { Sql } from '../connection/connect.ts'
import { isRoomForMail, MAIL_NOTICE } from '../mail/mails.ts'
import { hasToken } from '../mail/repeated-links.ts'

/** Mails that one address may get in an hour: nobody may flood a mailbox. */
const JOINS_PER_ADDRESS_MAX = 5
/** Mails that one link may cause in an hour: a company may join, but a public link must not mail the world. */
const JOINS_PER_INVITATION_MAX = 500
/** Seconds for which a confirmation is valid: people may read mail the next morning. */
const JOINING_SECONDS = 24 * 3_600

/**
 * Asks for a mail by which the holder of an address joins. Does the same for every address, whether it has an account
 * or not; too many requests are ignored.
 */
export async function askToJoin(sql: Sql, invitationId: InvitationId, recipient: string): Promise<void> {
  const asked = sql`from mails where kind = 'join' and asked_at > now() - interval '1 hour'`
  await sql`
    with asked as (
      insert into mails (kind, recipient, invitation_id) select 'join', ${recipient}, ${invitationId}
      where (select count(*) ${asked} and lower(recipient) = lower(${recipient})) < ${JOINS_PER_ADDRESS_MAX}
        and (select count(*) ${asked} and invitation_id = ${invitationId}) < ${JOINS_PER_INVITATION_MAX}
        and ${isRoomForMail(sql, 'join')}
      returning 1
    )
    select pg_notify(${MAIL_NOTICE}, '') from asked`
}

/** The link by which somebody wants to join, and the account that the address has already. */
export interface JoinRequestFound {
  readonly role: Role
  readonly inviter: { readonly isActive: boolean; readonly role: Role }
  /** Null without an account. */
  readonly account: { readonly isActive: boolean; readonly isPerson: boolean } | null
}

/** A valid link and the account of an address; undefined if the link is no longer valid. */
export async function findJoinRequest(
  sql: Sql,
  invitationId: InvitationId,
  email: string,
  nowSeconds: number,
): Promise<JoinRequestFound | undefined> {
  const [row] = await sql<JoinRequestFound[]>`
    select i.role, json_build_object('isActive', u.is_active, 'role', u.role) as inviter, (
      select json_build_object('isActive', is_active, 'isPerson', bot_type is null and not is_system)
      from users where lower(email) = lower(${email})
    ) as account
    from invitations i join users u on u.id = i.inviter_id
    where i.id = ${invitationId} and i.key is not null and (i.expires_at is null or i.expires_at > ${nowSeconds})`
  return row
}

/** Stores the token of a mail, which replaces the one before to this address; false if the invitation is gone. */
export async function storeJoining(
  sql: Sql,
  invitationId: InvitationId,
  email: string,
  tokenHash: string,
): Promise<boolean> {
  const { count } = await sql`
    insert into joinings (email, invitation_id, token_hash, expires_at)
    select ${email}, id, ${tokenHash}, now() + ${JOINING_SECONDS} * interval '1 second'
    from invitations where id = ${invitationId} for key share -- Before the joining, as changes lock them.
    on conflict (lower(email)) do update set email = excluded.email, invitation_id = excluded.invitation_id,
      token_hash = excluded.token_hash, former_hash = null, expires_at = excluded.expires_at`
  return count === 1
}

/** A confirmed address. */
export interface Joining {
  readonly email: string
  readonly invitationId: InvitationId
}

/** The address that a token confirms, if the token is valid. */
export async function findJoining(sql: Sql, tokenHash: string): Promise<Joining | undefined> {
  const [row] = await sql<Joining[]>`
    select email, invitation_id as "invitationId" from joinings
    where ${hasToken(sql, tokenHash)} and expires_at > now()`
  return row
}

/** Removes tokens that expired. */
export async function removeExpiredJoinings(sql: Sql, lengthMax: number): Promise<number> {
  const { count } = await sql`
    with old as materialized (
      select token_hash from joinings where expires_at < now() limit ${lengthMax} for update skip locked
    )
    delete from joinings where token_hash in (table old)`
  return count
}
