/** Log-in sessions. Events carry their tokens' hashes; their use and their devices are written beside the log. */

import type { UserId } from '../../server/domain/ids.ts'
import type {
  FoundSession,
  LoginSession,
  SessionDevice,
} from '../../server/domain/accounts/login-sessions.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** A session as its user sees it; times are UNIX seconds. */
export interface SessionRow extends SessionDevice {
  readonly id: string
  readonly createdAt: number
  readonly seenAt: number
}

/** Makes these the only sessions of a user; a session that is there already may have another token. */
export function storeLoginSessions(
  writes: WriteBatch,
  userId: UserId,
  sessions: readonly LoginSession[],
): void {
  const ids = sessions.map(({ id }) => id)
  writes.add(writes.sql`
    delete from login_sessions where id in (
      select id from login_sessions where user_id = ${userId} and id <> all(${ids}::text[]) order by id for update)`)
  for (const { id, tokenHash, createdAt, isByPasskey = false } of sessions) {
    writes.add(writes.sql`insert into login_sessions (id, user_id, token_hash, created_at, seen_at, by_passkey)
      values (${id}, ${userId}, ${tokenHash}, ${createdAt}, ${createdAt}, ${isByPasskey})
      on conflict (id) do update set token_hash = excluded.token_hash`)
  }
}

export function removeLoginSessions(writes: WriteBatch, userId: UserId): void {
  writes.add(writes.sql`
    delete from login_sessions where id in (
      select id from login_sessions where user_id = ${userId} order by id for update)`)
}

/** All sessions, without order. */
export async function loadLoginSessions(sql: Sql | Transaction): Promise<FoundSession[]> {
  const rows = await sql<(Omit<FoundSession, 'isByPasskey'> & { readonly byPasskey: boolean })[]>`
    select id, user_id as "userId", token_hash as "tokenHash", created_at as "createdAt", by_passkey as "byPasskey"
    from login_sessions`
  return rows.map(({ byPasskey, ...session }) => (byPasskey ? { ...session, isByPasskey: true } : session))
}

/** The sessions of a user, the one used last first. */
export async function readLoginSessions(sql: Sql, userId: UserId): Promise<SessionRow[]> {
  return sql<SessionRow[]>`
    select id, created_at as "createdAt", seen_at as "seenAt", client, address
    from login_sessions where user_id = ${userId} order by seen_at desc, created_at desc, id`
}

export async function storeSessionDevice(
  sql: Sql,
  id: string,
  { client, address }: SessionDevice,
): Promise<void> {
  await sql`update login_sessions set client = ${client}, address = ${address} where id = ${id}`
}

/** Records the use of sessions. */
export async function storeSessionsSeen(sql: Sql, ids: readonly string[], nowSeconds: number): Promise<void> {
  await sql`
    update login_sessions set seen_at = ${nowSeconds} where id in (
      select id from login_sessions where id = any(${[...ids]}::text[]) and seen_at < ${nowSeconds}
      order by id for update)`
}

/** Sessions that have not been used since a time, or are older than another. */
export async function findExpiredSessions(
  sql: Sql,
  { seenBefore, createdBefore }: { readonly seenBefore: number; readonly createdBefore: number },
  lengthMax: number,
): Promise<{ readonly id: string; readonly userId: UserId }[]> {
  return sql<{ id: string; userId: UserId }[]>`
    select id, user_id as "userId" from login_sessions
    where seen_at < ${seenBefore} or created_at < ${createdBefore} order by seen_at limit ${lengthMax}`
}
