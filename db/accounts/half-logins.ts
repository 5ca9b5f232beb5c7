/** Log-ins whose password was right and whose code is awaited, as the hashes of the browsers' tokens. */

import type { UserId } from '../../server/domain/ids.ts'
import type { WaitingApp } from '../../server/domain/accounts/waiting-apps.ts'
import type { Sql } from '../connection/connect.ts'

/** A log-in that awaits its code. */
export interface HalfLogin {
  readonly userId: UserId
  readonly passwordHash: string
  /** The one-time pad of an app, hidden; null for the log-in of a browser. */
  readonly hiddenPad: string | null
  /** Null for a mobile app of an earlier release, too. */
  readonly app: WaitingApp['kind'] | null
}

export async function storeHalfLogin(
  sql: Sql,
  tokenHash: string,
  { userId, passwordHash, hiddenPad, app }: HalfLogin,
  expiresAt: number,
): Promise<void> {
  await sql`insert into half_logins (token_hash, user_id, password_hash, hidden_pad, app, expires_at)
    values (${tokenHash}, ${userId}, ${passwordHash}, ${hiddenPad}, ${app}, ${expiresAt})`
}

/** The log-in of a token at a time, in UNIX seconds. */
export async function findHalfLogin(
  sql: Sql,
  tokenHash: string,
  nowSeconds: number,
): Promise<HalfLogin | undefined> {
  const [row] = await sql<HalfLogin[]>`
    select user_id as "userId", password_hash as "passwordHash", hidden_pad as "hiddenPad", app from half_logins
    where token_hash = ${tokenHash} and expires_at > ${nowSeconds}`
  return row
}

/** Ends a log-in; false if another request has ended it. */
export async function endHalfLogin(sql: Sql, tokenHash: string): Promise<boolean> {
  const { count } = await sql`delete from half_logins where token_hash = ${tokenHash}`
  return count === 1
}

/** Removes log-ins that ended without a code. */
export async function removeOldHalfLogins(sql: Sql, nowSeconds: number, lengthMax: number): Promise<number> {
  const { count } = await sql`
    with old as materialized (
      select token_hash from half_logins where expires_at <= ${nowSeconds} order by expires_at limit ${lengthMax}
      for update skip locked
    )
    delete from half_logins where token_hash in (table old)`
  return count
}
