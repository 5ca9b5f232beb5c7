/** Invitations: each exists until it is revoked, or is removed after it expired. */

import type { InvitationChange } from '../server/domain/events/invites.ts'
import type { Invitation, InvitationContent } from '../server/domain/invitations.ts'
import type { EventId, InvitationId, UserId } from '../server/domain/ids.ts'
import { INVITATIONS_MAX } from '../server/domain/limits.ts'
import type { Secret } from '../server/domain/secret.ts'
import type { Sql } from './connect.ts'
import type { InSql, WriteBatch } from './write-batch.ts'

/** A user has reached the limit of invitations. */
export class TooManyInvitationsError extends Error {
  override readonly name = 'TooManyInvitationsError'
}

/** An invitation does not exist any more. */
export class MissingInvitationError extends Error {
  override readonly name = 'MissingInvitationError'
}

/** Stores a change of an invitation. */
export function storeInvitationChange(
  writes: WriteBatch,
  id: InSql<EventId>,
  change: InvitationChange,
): void {
  switch (change.kind) {
    case 'made':
      return storeInvitation(writes, id, change.invitation, change.key)
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
    where (select count(*) from invitations where inviter_id = ${invitation.inviterId}) < ${INVITATIONS_MAX}`,
    1,
    () => new TooManyInvitationsError(`user ${invitation.inviterId} has ${INVITATIONS_MAX} invitations`),
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
 * Rejects an invitation that is gone when a user joins with it: the log is locked, so it lasts until they have joined.
 */
export function useInvitation(writes: WriteBatch, id: InvitationId, nowSeconds: number): void {
  writes.require(
    writes.sql`exists (
      select from invitations where id = ${id} and (expires_at is null or expires_at > ${nowSeconds}))`,
    () => new MissingInvitationError(`there is no invitation ${id}`),
  )
}

/** A selection: by key or id, those of a user, or all. */
type Wanted =
  | { readonly key: string }
  | { readonly id: InvitationId }
  | { readonly inviterId: UserId | undefined }

/** The valid invitations, oldest first. */
export async function readInvitations(sql: Sql, wanted: Wanted, nowSeconds: number): Promise<Invitation[]> {
  const condition =
    'key' in wanted
      ? sql`key = ${wanted.key}`
      : 'id' in wanted
        ? sql`id = ${wanted.id}`
        : wanted.inviterId === undefined
          ? sql`true`
          : sql`inviter_id = ${wanted.inviterId}`
  return sql<Invitation[]>`
    select id, key, inviter_id as "inviterId", role, channel_ids as "channelIds", group_ids as "groupIds",
      has_default_channels as "hasDefaultChannels", welcome_text as "welcomeText", invited_at as "invitedAt",
      expires_at as "expiresAt"
    from invitations where ${condition} and (expires_at is null or expires_at > ${nowSeconds}) order by id`
}
