/** Passkeys, and the challenges that browsers have not answered yet. */

import type { UserId } from '../../server/domain/ids.ts'
import { type NewPasskey, PASSKEYS_PER_USER_MAX } from '../../server/domain/accounts/passkeys.ts'
import type { Sql } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** A passkey as its user sees it; times are UNIX seconds. */
export interface PasskeyRow {
  readonly id: string
  readonly name: string
  readonly isSynced: boolean
  readonly createdAt: number
  /** Null if it was never used. */
  readonly usedAt: number | null
}

/** A passkey as a log-in needs it. */
export interface StoredPasskey {
  readonly id: string
  readonly userId: UserId
  readonly publicKey: Uint8Array<ArrayBuffer>
  readonly counter: number
}

/** A challenge for one browser or one caller. */
export interface Challenge {
  readonly challenge: string
  /** The user who adds a passkey; undefined for a log-in. */
  readonly userId: UserId | undefined
  /** UNIX seconds. */
  readonly expiresAt: number
}

/** The passkeys of a user, the oldest first. */
export async function readPasskeys(sql: Sql, userId: UserId): Promise<PasskeyRow[]> {
  return sql<PasskeyRow[]>`
    select id, name, is_synced as "isSynced", created_at as "createdAt", used_at as "usedAt"
    from passkeys where user_id = ${userId} order by created_at, id`
}

/** The credentials that a user's authenticators must not make again. */
export async function readCredentialIds(
  sql: Sql,
  userId: UserId,
): Promise<{ readonly id: string; readonly transports: string[] }[]> {
  return sql<{ id: string; transports: string[] }[]>`
    select credential_id as id, transports from passkeys where user_id = ${userId} order by created_at, id`
}

export async function findPasskey(sql: Sql, credentialId: string): Promise<StoredPasskey | undefined> {
  const [row] = await sql<StoredPasskey[]>`
    select id, user_id as "userId", public_key as "publicKey", counter
    from passkeys where credential_id = ${credentialId}`
  return row
}

/** Records a use; false if the passkey is gone, or if its count did not grow meanwhile: then there is a copy of it. */
export async function notePasskeyUse(sql: Sql, id: string, counter: number, at: number): Promise<boolean> {
  const { count } = await sql`
    update passkeys set counter = ${counter}, used_at = ${at}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`
  return count === 1
}

/** Renames a passkey of a user; false if there is none. */
export async function renamePasskey(sql: Sql, userId: UserId, id: string, name: string): Promise<boolean> {
  const { count } = await sql`update passkeys set name = ${name} where id = ${id} and user_id = ${userId}`
  return count === 1
}

/** Adds a passkey. Rejects with the refusal if it is there already, or if the user has too many. */
export function storePasskey(
  writes: WriteBatch,
  userId: UserId,
  passkey: NewPasskey,
  refusal: () => Error,
): void {
  const { id, credentialId, publicKey, counter, transports, name, isSynced, createdAt } = passkey
  writes.change(
    writes.sql`
      insert into passkeys
        (id, user_id, credential_id, public_key, counter, transports, name, is_synced, created_at)
      select ${id}, ${userId}::int, ${credentialId}, ${Buffer.from(publicKey)}::bytea, ${counter}::bigint,
        ${[...transports]}::text[], ${name}, ${isSynced}::boolean, ${createdAt}::bigint
      where (select count(*) from passkeys where user_id = ${userId}) < ${PASSKEYS_PER_USER_MAX}
      on conflict (credential_id) do nothing`,
    1,
    refusal,
  )
}

/** Removes a passkey of a user. Rejects with the refusal if there is none. */
export function removePasskey(writes: WriteBatch, userId: UserId, id: string, refusal: () => Error): void {
  writes.change(writes.sql`delete from passkeys where id = ${id} and user_id = ${userId}`, 1, refusal)
}

/** Stores a challenge, which replaces the one before. */
export async function storeChallenge(
  sql: Sql,
  browserHash: string,
  { challenge, userId, expiresAt }: Challenge,
): Promise<void> {
  await sql`
    insert into passkey_challenges (browser_hash, challenge, user_id, expires_at)
    values (${browserHash}, ${challenge}, ${userId ?? null}, ${expiresAt})
    on conflict (browser_hash) do update
    set challenge = excluded.challenge, user_id = excluded.user_id, expires_at = excluded.expires_at`
}

/** Takes a challenge away, so that it is answered once. */
export async function takeChallenge(
  sql: Sql,
  browserHash: string,
  userId: UserId | undefined,
  nowSeconds: number,
): Promise<string | undefined> {
  const [row] = await sql<{ challenge: string; isValid: boolean }[]>`
    delete from passkey_challenges where browser_hash = ${browserHash}
    returning challenge, expires_at > ${nowSeconds} and user_id is not distinct from ${userId ?? null} as "isValid"`
  return row?.isValid ? row.challenge : undefined
}

/** Removes challenges that nobody answered. */
export async function removeOldChallenges(sql: Sql, nowSeconds: number, lengthMax: number): Promise<number> {
  const { count } = await sql`
    with old as materialized (
      select browser_hash from passkey_challenges
      where expires_at <= ${nowSeconds} order by expires_at limit ${lengthMax} for update skip locked
    )
    delete from passkey_challenges where browser_hash in (table old)`
  return count
}
