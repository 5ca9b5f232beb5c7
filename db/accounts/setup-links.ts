/** The link that makes the organization: the newest one, as the hash of its token. */

import type { Sql } from '../connection/connect.ts'

/** Seconds for which a link is valid: a day's work; the next start or command makes another. */
const SETUP_SECONDS = 24 * 3_600

/** Stores the token of a new link, which replaces the one before; resolves to its end in UNIX seconds. */
export async function storeSetupLink(sql: Sql, tokenHash: string): Promise<number> {
  const [row] = await sql<{ expiresAt: number }[]>`
    insert into setup_links (token_hash, expires_at)
    values (${tokenHash}, now() + ${SETUP_SECONDS} * interval '1 second')
    on conflict (id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at
    returning floor(extract(epoch from expires_at))::float8 as "expiresAt"`
  return row?.expiresAt ?? 0
}

/** Whether there ever was a link: the operator wants no demo. */
export async function hasSetupLink(sql: Sql): Promise<boolean> {
  const [row] = await sql`select from setup_links`
  return row !== undefined
}

/** Whether a token is that of the newest link, and the link is valid. */
export async function isSetupToken(sql: Sql, tokenHash: string): Promise<boolean> {
  const [row] = await sql`select from setup_links where token_hash = ${tokenHash} and expires_at > now()`
  return row !== undefined
}
