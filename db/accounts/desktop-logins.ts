/** Log-ins that a browser finished for the desktop application, as the hashes of their tokens. */

import type { UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'

/** A log-in that the application may redeem. */
export interface DesktopLogin {
  readonly userId: UserId
  readonly proofHash: string
  /** Null for a log-in by password or provider. */
  readonly passkeyId: string | null
}

export async function storeDesktopLogin(
  sql: Sql,
  tokenHash: string,
  { userId, proofHash, passkeyId }: DesktopLogin,
  expiresAt: number,
): Promise<void> {
  await sql`insert into desktop_logins (token_hash, user_id, proof_hash, passkey_id, expires_at)
    values (${tokenHash}, ${userId}, ${proofHash}, ${passkeyId}, ${expiresAt})`
}

/** Takes the log-in of a token at a time, in UNIX seconds: it counts once. */
export async function takeDesktopLogin(
  sql: Sql,
  tokenHash: string,
  nowSeconds: number,
): Promise<DesktopLogin | undefined> {
  const [row] = await sql<DesktopLogin[]>`
    delete from desktop_logins where token_hash = ${tokenHash} and expires_at > ${nowSeconds}
    returning user_id as "userId", proof_hash as "proofHash", passkey_id as "passkeyId"`
  return row
}

/** Removes log-ins that no application redeemed. */
export async function removeOldDesktopLogins(
  sql: Sql,
  nowSeconds: number,
  lengthMax: number,
): Promise<number> {
  const { count } = await sql`
    with old as materialized (
      select token_hash from desktop_logins where expires_at <= ${nowSeconds} order by expires_at limit ${lengthMax}
      for update skip locked
    )
    delete from desktop_logins where token_hash in (table old)`
  return count
}
