/** Second factors: authenticator apps, recovery codes, and the count of wrong codes. */

import type { UserId } from '../../server/domain/ids.ts'
import {
  FACTOR_TRIES_MAX,
  FACTOR_TRIES_SECONDS,
  type FactorWrite,
  type Totp,
} from '../../server/domain/accounts/second-factors.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import { removePasskey, storePasskey } from './passkeys.ts'
import { warnUser } from '../mail/warning-mails.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** The second factors of a user changed since they were read. */
export class StaleFactorError extends Error {
  override readonly name = 'StaleFactorError'
}

/** The credentials that a log-in must match. */
export interface Credentials {
  readonly passwordHash: string | undefined
  readonly totp: Totp | undefined
}

/** The credentials of a user; none for an unknown id, which takes as long. */
export async function findCredentials(sql: Sql, userId: UserId): Promise<Credentials> {
  const [row] = await sql<{ hash: string | null; secret: string | null }[]>`
    select password_hash as hash, secret from users
    left join totp_factors on user_id = id and enabled_at is not null where id = ${userId}`
  const { hash = null, secret = null } = row ?? {}
  return { passwordHash: hash ?? undefined, totp: secret === null ? undefined : { secret } }
}

/** The users with an authenticator app. */
export async function loadAppUsers(sql: Sql | Transaction): Promise<UserId[]> {
  const rows = await sql<{ id: UserId }[]>`
    select user_id as id from totp_factors where enabled_at is not null order by user_id`
  return rows.map(({ id }) => id)
}

/** The second factors of a user, for the user. */
export async function readFactors(
  sql: Sql,
  userId: UserId,
): Promise<{ readonly hasTotp: boolean; readonly codesLeft: number }> {
  const [row] = await sql<{ hasTotp: boolean; codesLeft: number }[]>`
    select exists (select from totp_factors where user_id = ${userId} and enabled_at is not null) as "hasTotp",
      (select count(*)::int from recovery_codes where user_id = ${userId}) as "codesLeft"`
  return row ?? { hasTotp: false, codesLeft: 0 }
}

/** Stores the secret of an app that is not proved yet, instead of an earlier one; false if an app is enabled. */
export async function storeTotpStart(
  sql: Sql,
  userId: UserId,
  secret: string,
  nowSeconds: number,
): Promise<boolean> {
  const { count } = await sql`
    insert into totp_factors (user_id, secret, started_at) values (${userId}, ${secret}, ${nowSeconds})
    on conflict (user_id) do update set secret = excluded.secret, started_at = excluded.started_at
    where totp_factors.enabled_at is null`
  return count === 1
}

/** The secret of an app that is not proved yet, if it was made since a time. */
export async function findTotpStart(
  sql: Sql,
  userId: UserId,
  startedSince: number,
): Promise<Totp | undefined> {
  const [row] = await sql<Totp[]>`
    select secret from totp_factors
    where user_id = ${userId} and enabled_at is null and started_at >= ${startedSince}`
  return row
}

/** Accepts a code's time step once: false if it or a later one was accepted, or if the app has changed. */
export async function acceptStep(sql: Sql, userId: UserId, { secret }: Totp, step: number): Promise<boolean> {
  const { count } = await sql`
    update totp_factors set last_step = ${step}
    where user_id = ${userId} and secret = ${secret} and enabled_at is not null and last_step < ${step}`
  return count === 1
}

/** Uses up a recovery code; false if there is none, or another request has used it. */
export async function spendRecoveryCode(sql: Sql, userId: UserId, codeHash: string): Promise<boolean> {
  const { count } = await sql`
    delete from recovery_codes where user_id = ${userId} and code_hash = ${codeHash}`
  return count === 1
}

/** Counts a try to guess a code, exactly even among many at once; the result is when the next is possible, if this is not. */
export async function takeFactorTry(
  sql: Sql,
  userId: UserId,
  nowSeconds: number,
): Promise<number | undefined> {
  const oldest = nowSeconds - FACTOR_TRIES_SECONDS
  const { count } = await sql`
    insert into factor_tries as f (user_id, tries, since) values (${userId}, 1, ${nowSeconds})
    on conflict (user_id) do update set
      tries = case when f.since > ${oldest} then f.tries + 1 else 1 end,
      since = case when f.since > ${oldest} then f.since else excluded.since end
    where f.since <= ${oldest} or f.tries < ${FACTOR_TRIES_MAX}`
  if (count === 1) return undefined
  const [row] = await sql<{ since: number }[]>`select since from factor_tries where user_id = ${userId}`
  return (row?.since ?? nowSeconds) + FACTOR_TRIES_SECONDS
}

/** A right code ends the count of wrong ones. */
export async function clearFactorTries(sql: Sql, userId: UserId): Promise<void> {
  await sql`delete from factor_tries where user_id = ${userId}`
}

/** Stores a change of second factors, and warns their user. Rejects with a `StaleFactorError` if they changed since they were read. */
export function storeFactorChange(writes: WriteBatch, userId: UserId, write: FactorWrite): void {
  const { sql } = writes
  const stale = () => new StaleFactorError(`the second factors of user ${userId} changed meanwhile`)
  const isChanged =
    write.kind === 'reset'
      ? sql`(exists (select from totp_factors where user_id = ${userId} and enabled_at is not null)
          or exists (select from passkeys where user_id = ${userId}))`
      : undefined
  warnUser(writes, userId, { kind: 'factors_changed', details: { change: write.kind } }, isChanged)
  switch (write.kind) {
    case 'totp_on':
      writes.change(
        sql`update totp_factors set enabled_at = ${write.enabledAt}, last_step = ${write.step}
          where user_id = ${userId} and secret = ${write.secret} and enabled_at is null`,
        1,
        stale,
      )
      writes.add(sql`delete from factor_tries where user_id = ${userId}`)
      return storeCodes(writes, userId, write.codeHashes)
    case 'codes_renewed':
      writes.require(
        sql`exists (select from totp_factors where user_id = ${userId} and enabled_at is not null)`,
        stale,
      )
      return storeCodes(writes, userId, write.codeHashes)
    case 'totp_off':
      writes.change(
        sql`delete from totp_factors where user_id = ${userId} and enabled_at is not null`,
        1,
        stale,
      )
      return storeCodes(writes, userId, [])
    case 'passkey_added':
      return storePasskey(writes, userId, write.passkey, stale)
    case 'passkey_removed':
      return removePasskey(writes, userId, write.id, stale)
    case 'reset':
      writes.add(sql`delete from totp_factors where user_id = ${userId}`)
      writes.add(sql`delete from passkeys where user_id = ${userId}`)
      writes.add(sql`delete from factor_tries where user_id = ${userId}`)
      return storeCodes(writes, userId, [])
  }
}

function storeCodes(writes: WriteBatch, userId: UserId, hashes: readonly string[]): void {
  writes.add(writes.sql`delete from recovery_codes where user_id = ${userId}`)
  if (hashes.length === 0) return
  writes.add(writes.sql`insert into recovery_codes (user_id, code_hash)
    select ${userId}, unnest(${[...hashes]}::text[])`)
}
