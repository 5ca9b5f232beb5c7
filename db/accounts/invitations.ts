/** Invitations: each exists until it is revoked, or is removed after it expired. */

import type { AddressProof, InvitationChange } from '../../server/domain/events/invites.ts'
import type {
  Invitation,
  InvitationContent,
  InvitationForm,
} from '../../server/domain/accounts/invitations.ts'
import type { EventId, InvitationId, UserId } from '../../server/domain/ids.ts'
import { INVITATIONS_MAX } from '../../server/domain/limits.ts'
import type { Secret } from '../../server/domain/secret.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import { MissingInvitationError, TooManyInvitationsError } from './invitation-errors.ts'
import { resendInvitation } from '../mail/mailed-invitations.ts'
import { hasToken } from '../mail/repeated-links.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'

/** Stores a change of an invitation. */
export function storeInvitationChange(
  writes: WriteBatch,
  id: InSql<EventId>,
  change: InvitationChange,
): void {
  switch (change.kind) {
    case 'made':
      return storeInvitation(writes, id, change.invitation, change.key)
    case 'mailed': // Stored together with others of its request.
      return
    case 'resent':
      return resendInvitation(writes, change)
    case 'linked':
      return storePrintedLink(writes, change)
    case 'accepted':
      return removeInvitationsTo(writes, change.email.reveal())
    case 'revoked':
      return removeInvitation(writes, change.invitationId)
    case 'inviter_left':
      writes.add(writes.sql`delete from invitations where inviter_id = ${change.inviterId}`)
  }
}

/** Stores a new invitation, and removes expired ones. The log is locked until the commit, so the count holds. */
function storeInvitation(
  writes: WriteBatch,
  id: InSql<EventId>,
  { channelIds, groupIds, ...invitation }: InvitationContent,
  key: Secret<string>,
): void {
  writes.add(writes.sql`delete from invitations where expires_at <= ${invitation.invitedAt}`)
  writes.change(
    writes.sql`
    insert into invitations (id, key, inviter_id, role, channel_ids, group_ids, has_default_channels, welcome_text,
      invited_at, expires_at)
    select ${id}, ${key.reveal()}, ${invitation.inviterId}, ${invitation.role}, ${[...channelIds]}::int[],
      ${[...groupIds]}::int[], ${invitation.hasDefaultChannels}, ${invitation.welcomeText}, ${invitation.invitedAt},
      ${invitation.expiresAt}::bigint
    where (
      select count(*) from invitations where inviter_id = ${invitation.inviterId} and key is not null
    ) < ${INVITATIONS_MAX}`,
    1,
    () => new TooManyInvitationsError(INVITATIONS_MAX),
  )
}

/** Replaces the link that somebody got before to hand over. */
function storePrintedLink(
  writes: WriteBatch,
  { invitationId, tokenHash }: Extract<InvitationChange, { readonly kind: 'linked' }>,
): void {
  writes.change(
    writes.sql`update invitations set printed_hash = ${tokenHash.reveal()}
      where id = ${invitationId} and email is not null`,
    1,
    () => new MissingInvitationError(`there is no invitation by mail ${invitationId}`),
  )
}

function removeInvitation(writes: WriteBatch, id: InvitationId): void {
  writes.change(
    writes.sql`delete from invitations where id = ${id}`,
    1,
    () => new MissingInvitationError(`there is no invitation ${id}`),
  )
}

/**
 * Uses an invitation; rejects one that is gone. The log is locked, so it lasts until the user has joined. A token works
 * once; with the account, all mails to its address lose their effect.
 */
export function useInvitation(
  writes: WriteBatch,
  id: InvitationId,
  nowSeconds: number,
  proof: AddressProof | undefined,
): void {
  const { sql } = writes
  const missing = () => new MissingInvitationError(`there is no invitation ${id}`)
  if (!proof) throw new Error(`a user joins by invitation ${id} without a proof of the address`)
  const { kind, email } = proof
  // Invitations are locked before joinings: the end of an invitation deletes both in that order.
  writes.add(
    sql`select from invitations where id = ${id} or lower(email) = lower(${email}) order by id for update`,
  )
  const isValid = sql`id = ${id} and (expires_at is null or expires_at > ${nowSeconds})`
  if (kind === 'provider') {
    const isTheirs = sql`(key is not null or lower(email) = lower(${email}))`
    writes.require(sql`exists (select from invitations where ${isValid} and ${isTheirs})`, missing)
  } else if (kind === 'word') {
    writes.require(sql`exists (select from invitations where ${isValid} and key is not null)`, missing)
  } else if (kind === 'mail') {
    writes.change(
      sql`delete from invitations where ${isValid} and ${hasInvitationToken(sql, proof.tokenHash)}`,
      1,
      missing,
    )
  } else {
    writes.require(sql`exists (select from invitations where ${isValid})`, missing)
    writes.change(
      sql`delete from joinings
        where invitation_id = ${id} and ${hasToken(sql, proof.tokenHash)} and expires_at > clock_timestamp()`,
      1,
      missing,
    )
  }
  removeInvitationsTo(writes, email)
}

/** The condition that an invitation has a token, as that of its mail or of the link that the operator got. */
const hasInvitationToken = (sql: Sql | Transaction, tokenHash: string) =>
  sql`(${hasToken(sql, tokenHash)} or printed_hash = ${tokenHash})`

/** Removes what mails to an address offer. */
function removeInvitationsTo(writes: WriteBatch, email: string): void {
  const { sql } = writes
  writes.add(sql`delete from invitations where lower(email) = lower(${email})`)
  writes.add(sql`delete from joinings where lower(email) = lower(${email})`)
}

/** A selection: by the secret of a link or its hash, by id or address, those of a user, or all. */
type Wanted =
  | { readonly key: string; readonly tokenHash: string }
  | { readonly id: InvitationId }
  | { readonly email: string }
  | { readonly inviterId: UserId | undefined }

type InvitationRow = Omit<Invitation, 'form'> & {
  readonly key: string | null
  readonly email: string
  readonly notifiesInviter: boolean
}

/** The valid invitations, oldest first. */
export async function readInvitations(sql: Sql, wanted: Wanted, nowSeconds: number): Promise<Invitation[]> {
  const condition =
    'key' in wanted
      ? sql`(key = ${wanted.key} or ${hasInvitationToken(sql, wanted.tokenHash)})`
      : 'id' in wanted
        ? sql`id = ${wanted.id}`
        : 'email' in wanted
          ? sql`lower(email) = lower(${wanted.email})`
          : wanted.inviterId === undefined
            ? sql`true`
            : sql`inviter_id = ${wanted.inviterId}`
  const rows = await sql<InvitationRow[]>`
    select id, key, inviter_id as "inviterId", role, channel_ids as "channelIds", group_ids as "groupIds",
      has_default_channels as "hasDefaultChannels", welcome_text as "welcomeText", invited_at as "invitedAt",
      expires_at as "expiresAt", email, notifies_inviter as "notifiesInviter"
    from invitations where ${condition} and (expires_at is null or expires_at > ${nowSeconds}) order by id`
  return rows.map(({ key, email, notifiesInviter, ...content }) => {
    const form: InvitationForm =
      key === null ? { kind: 'mail', email, notifiesInviter } : { kind: 'link', key }
    return { ...content, form }
  })
}

/** Removes invitations that expired by then. */
export async function removeExpiredInvitations(
  sql: Sql,
  nowSeconds: number,
  lengthMax: number,
): Promise<number> {
  const { count } = await sql`
    with old as materialized (
      select id from invitations where expires_at <= ${nowSeconds} limit ${lengthMax} for update skip locked
    )
    delete from invitations where id in (table old)`
  return count
}
