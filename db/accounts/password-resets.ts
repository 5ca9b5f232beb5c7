/** Links for a new password: the newest of each account, as the hash of its token. */

import { ROLES } from '../../packages/rules/roles.ts'
import type { UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import { hasToken } from '../mail/repeated-links.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** Seconds for which a link is valid: long enough for a slow mail, short for a mailbox that others read later. */
const RESET_SECONDS = 3_600

/** A link for a new password is used, too old or replaced. */
export class MissingResetError extends Error {
  override readonly name = 'MissingResetError'
}

/** An account that may get a link. */
export interface ResettableUser {
  readonly id: UserId
  readonly email: string
  readonly fullName: string
}

/**
 * The active person with an address. The passwords of people of the company's directory, which an issuer of log-ins
 * names, are not ours to set, except those of owners.
 */
export async function findResettable(
  sql: Sql,
  email: string,
  directoryIssuer?: string,
): Promise<ResettableUser | undefined> {
  const [row] = await sql<ResettableUser[]>`
    select id, email, full_name as "fullName" from users
    where lower(email) = lower(${email}) and is_active and bot_type is null and not is_system
      and (role = ${ROLES.owner} or not exists (
        select from login_links where user_id = users.id and issuer = ${directoryIssuer ?? ''}))`
  return row
}

/**
 * Stores the token of a new link for the account of an address, which replaces the one before; false if the account has
 * another address by now. The lock waits for a change of the address that is under way: it voids links before its commit.
 */
export async function storeReset(
  sql: Sql,
  userId: UserId,
  email: string,
  tokenHash: string,
): Promise<boolean> {
  const { count } = await sql`
    insert into password_resets (user_id, token_hash, expires_at)
    select id, ${tokenHash}, now() + ${RESET_SECONDS} * interval '1 second'
    from users where id = ${userId} and email = ${email} and is_active for share
    on conflict (user_id) do update
      set token_hash = excluded.token_hash, former_hash = null, expires_at = excluded.expires_at`
  return count === 1
}

/** The user whose link has a token, if the link is valid. */
export async function findResetUserId(sql: Sql, tokenHash: string): Promise<UserId | undefined> {
  const [row] = await sql<{ id: UserId }[]>`
    select user_id as id from password_resets where ${hasToken(sql, tokenHash)} and expires_at > now()`
  return row?.id
}

/** Makes the links of a user invalid: for a new password, and for a new address. */
export function voidLinks(writes: WriteBatch, userId: UserId): void {
  writes.add(writes.sql`delete from address_changes where user_id = ${userId}`)
  writes.add(writes.sql`delete from password_resets where user_id = ${userId}`)
}
