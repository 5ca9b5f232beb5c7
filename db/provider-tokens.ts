/** Tokens by which users may start calls at the provider, sealed; each user has one at most that counts. */

import type { UserId } from '../server/domain/ids.ts'
import type { Sql, Transaction } from './connect.ts'
import type { WriteBatch } from './write-batch.ts'

/** A token as it is stored. */
export interface StoredProviderToken {
  readonly id: string
  readonly sealed: Buffer
  /** Null where the provider does not say when it is over. */
  readonly expiresAt: Date | null
}

/** Thrown where a token is no longer, or never was, the one that counts. */
export class MissingProviderTokenError extends Error {
  override readonly name = 'MissingProviderTokenError'
}

/** Those that were stored and never named by an event are removed after this. */
const LEFT_BEHIND_MS = 10 * 60_000
/** Names the locks under which tokens are renewed, among the database's other locks. */
const RENEWAL_LOCK = 2_101

/** Stores a token that does not count yet; an event makes it count. */
export async function storeProviderToken(
  sql: Sql,
  userId: UserId,
  { id, sealed, expiresAt }: StoredProviderToken,
  nowMs: number,
): Promise<void> {
  await sql`
    with removed as (
      delete from provider_tokens where user_id = ${userId} and not is_current
        and created_at < ${new Date(nowMs - LEFT_BEHIND_MS)})
    insert into provider_tokens (id, user_id, sealed, expires_at, created_at)
    values (${id}, ${userId}, ${sealed}, ${expiresAt}, ${new Date(nowMs)})`
}

/** Makes a stored token the one that counts, in place of the user's other. */
export function placeProviderToken(writes: WriteBatch, userId: UserId, id: string): void {
  writes.add(writes.sql`delete from provider_tokens where user_id = ${userId} and is_current and id <> ${id}`)
  writes.change(
    writes.sql`update provider_tokens set is_current = true where id = ${id} and user_id = ${userId}`,
    1,
    () => new MissingProviderTokenError(`user ${userId} has no token ${id}`),
  )
}

/** Removes the token that counts, where it still is this one. */
export function removeProviderToken(writes: WriteBatch, userId: UserId, id: string): void {
  writes.change(
    writes.sql`delete from provider_tokens where id = ${id} and user_id = ${userId} and is_current`,
    1,
    () => new MissingProviderTokenError(`user ${userId} has no token ${id} any more`),
  )
}

/** Whether a user may start calls at the provider. */
export async function hasProviderToken(sql: Sql, userId: UserId): Promise<boolean> {
  const rows = await sql`select from provider_tokens where user_id = ${userId} and is_current`
  return rows.length > 0
}

/** The token that counts. */
export async function findProviderToken(
  sql: Sql | Transaction,
  userId: UserId,
): Promise<StoredProviderToken | undefined> {
  const [row] = await sql<StoredProviderToken[]>`
    select id, sealed, expires_at as "expiresAt" from provider_tokens where user_id = ${userId} and is_current`
  return row
}

/**
 * Renews the token of a user, one renewal at a time among all processes, since each makes the one before it invalid.
 * `renew` is given what counts now, and answers what takes its place, or undefined where it is good as it is.
 */
export async function renewProviderToken(
  sql: Sql,
  userId: UserId,
  renew: (token: StoredProviderToken) => Promise<Omit<StoredProviderToken, 'id'> | undefined>,
): Promise<StoredProviderToken | undefined> {
  const renewed = await sql.begin(async (tx): Promise<StoredProviderToken | undefined> => {
    // Not a lock of the row: whoever writes an event about it must not wait for the provider.
    await tx`select pg_advisory_xact_lock(${RENEWAL_LOCK}::int, ${userId}::int)`
    const token = await findProviderToken(tx, userId)
    const next = token && (await renew(token))
    if (!token || !next) return token
    const { sealed, expiresAt } = next
    await tx`update provider_tokens set sealed = ${sealed}, expires_at = ${expiresAt} where id = ${token.id}`
    return { id: token.id, sealed, expiresAt }
  })
  return renewed as StoredProviderToken | undefined
}
