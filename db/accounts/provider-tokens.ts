/** Encrypted tokens with which users start calls at the provider; each user has at most one active token. */

import type { UserId } from '../../server/domain/ids.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** A token as stored. */
export interface StoredProviderToken {
  readonly id: string
  readonly sealed: Buffer
  /** Null if the provider gives no expiry. */
  readonly expiresAt: Date | null
}

/** A token is not the active one, or not any more. */
export class MissingProviderTokenError extends Error {
  override readonly name = 'MissingProviderTokenError'
}

/** Milliseconds after which tokens that no event names are removed. */
const ABANDONED_MS = 10 * 60_000
/** The namespace of the advisory locks for renewals. */
const RENEWAL_LOCK = 2_101

/** Stores an inactive token; an event activates it. */
export async function storeProviderToken(
  sql: Sql,
  userId: UserId,
  { id, sealed, expiresAt }: StoredProviderToken,
  nowMs: number,
): Promise<void> {
  await sql`
    with removed as (
      delete from provider_tokens where id in (
        select id from provider_tokens where user_id = ${userId} and not is_current
          and created_at < ${new Date(nowMs - ABANDONED_MS)}
        for update skip locked))
    insert into provider_tokens (id, user_id, sealed, expires_at, created_at)
    values (${id}, ${userId}, ${sealed}, ${expiresAt}, ${new Date(nowMs)})`
}

/** Activates a stored token in place of the user's other one. */
export function placeProviderToken(writes: WriteBatch, userId: UserId, id: string): void {
  writes.add(writes.sql`delete from provider_tokens where user_id = ${userId} and is_current and id <> ${id}`)
  writes.change(
    writes.sql`update provider_tokens set is_current = true where id = ${id} and user_id = ${userId}`,
    1,
    () => new MissingProviderTokenError(`user ${userId} has no token ${id}`),
  )
}

/** Removes the active token, if it is still this one. */
export function removeProviderToken(writes: WriteBatch, userId: UserId, id: string): void {
  writes.change(
    writes.sql`delete from provider_tokens where id = ${id} and user_id = ${userId} and is_current`,
    1,
    () => new MissingProviderTokenError(`user ${userId} has no token ${id} any more`),
  )
}

/** Whether a user has an active token. */
export async function hasProviderToken(sql: Sql, userId: UserId): Promise<boolean> {
  const rows = await sql`select from provider_tokens where user_id = ${userId} and is_current`
  return rows.length > 0
}

/** The active token. */
export async function findProviderToken(
  sql: Sql | Transaction,
  userId: UserId,
): Promise<StoredProviderToken | undefined> {
  const [row] = await sql<StoredProviderToken[]>`
    select id, sealed, expires_at as "expiresAt" from provider_tokens where user_id = ${userId} and is_current`
  return row
}

/**
 * Renews a user's token. Renewals run one at a time among all processes, since each invalidates the token before it.
 * `renew` gets the active token, and returns its replacement, or undefined if it is still good.
 */
export async function renewProviderToken(
  sql: Sql,
  userId: UserId,
  renew: (token: StoredProviderToken) => Promise<Omit<StoredProviderToken, 'id'> | undefined>,
): Promise<StoredProviderToken | undefined> {
  const renewed = await sql.begin(async (tx): Promise<StoredProviderToken | undefined> => {
    // Not a row lock: a writer of its events must not wait for the provider.
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
