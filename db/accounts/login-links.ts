/** Links from accounts at providers of log-ins to accounts here. No event carries them, like password hashes. */

import type { UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'

/** An account at a provider: subjects are unique for each issuer, and never change. */
export interface ProviderAccount {
  readonly issuer: string
  readonly subject: string
}

/** The user that an account at a provider is linked to. */
export async function findLinkedUserId(
  sql: Sql,
  { issuer, subject }: ProviderAccount,
): Promise<UserId | undefined> {
  const [row] = await sql<{ id: UserId }[]>`
    select user_id as id from login_links where issuer = ${issuer} and subject = ${subject}`
  return row?.id
}

/** The users that are linked to accounts of an issuer, by subject. */
export async function readLinksOf(sql: Sql, issuer: string): Promise<ReadonlyMap<string, UserId>> {
  const rows = await sql<{ subject: string; id: UserId }[]>`
    select subject, user_id as id from login_links where issuer = ${issuer}`
  return new Map(rows.map(({ subject, id }) => [subject, id]))
}

/** Whether a user is linked to an account of an issuer. */
export async function isLinkedTo(sql: Sql, userId: UserId, issuer: string): Promise<boolean> {
  const [row] = await sql<{ isThere: boolean }[]>`
    select exists (select from login_links where user_id = ${userId} and issuer = ${issuer}) as "isThere"`
  return row?.isThere ?? false
}

/** Whether a user logs in without a password: by a provider or by a passkey. */
export async function hasOtherLogin(sql: Sql, userId: UserId): Promise<boolean> {
  const [row] = await sql<{ isThere: boolean }[]>`
    select exists (select from login_links where user_id = ${userId})
      or exists (select from passkeys where user_id = ${userId}) as "isThere"`
  return row?.isThere ?? false
}

/** Links an account at a provider to a user, unless either is linked already; returns the user that it belongs to. */
export async function linkAccount(
  sql: Sql,
  account: ProviderAccount,
  userId: UserId,
  nowMs: number,
): Promise<UserId | undefined> {
  await sql`
    insert into login_links (issuer, subject, user_id, linked_at)
    values (${account.issuer}, ${account.subject}, ${userId}, ${new Date(nowMs)}) on conflict do nothing`
  return findLinkedUserId(sql, account)
}
