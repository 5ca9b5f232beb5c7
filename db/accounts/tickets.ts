/** Issued tickets: each exists until it is used or expires. */

import type { UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'

/** Expired tickets removed with each new one: more than one, so that they cannot accumulate. */
const REMOVED_MAX = 10

/** The user of a ticket, and the hash of the API key or session token that it was made with. */
export interface TicketHolder {
  readonly userId: UserId
  readonly keyHash: string
}

/** A ticket by the SHA-256 hash of its text, in hex, and by its use. */
export interface TicketName {
  readonly hash: string
  readonly use: string
}

/** A new ticket; one without a holder names no user. */
export interface NewTicket extends TicketName {
  readonly holder: TicketHolder | undefined
  readonly expiresAtMs: number
}

/** Stores a ticket, and removes some expired ones. */
export async function storeTicket(
  sql: Sql,
  { hash, use, holder, expiresAtMs }: NewTicket,
  nowMs: number,
): Promise<void> {
  await sql`
    with old as materialized (
      select hash from tickets where expires_at < ${new Date(nowMs)}
      order by expires_at limit ${REMOVED_MAX} for update skip locked
    ), removed as (
      delete from tickets where hash in (table old))
    insert into tickets (hash, use, user_id, key_hash, expires_at)
    values (${hash}, ${use}, ${holder?.userId ?? null}, ${holder?.keyHash ?? null}, ${new Date(expiresAtMs)})`
}

/** The holder of an unused ticket; null if it names no user, undefined without such a ticket. */
export async function findTicket(
  sql: Sql,
  { hash, use }: TicketName,
  nowMs: number,
): Promise<TicketHolder | null | undefined> {
  const [row] = await sql<HolderRow[]>`
    select user_id as "userId", key_hash as "keyHash" from tickets
    where hash = ${hash} and use = ${use} and expires_at >= ${new Date(nowMs)}`
  return row && holderOf(row)
}

/** Uses a ticket: of several uses, in all processes, one gets its holder. */
export async function takeTicket(
  sql: Sql,
  { hash, use }: TicketName,
  nowMs: number,
): Promise<TicketHolder | null | undefined> {
  const [row] = await sql<HolderRow[]>`
    delete from tickets where hash = ${hash} and use = ${use} and expires_at >= ${new Date(nowMs)}
    returning user_id as "userId", key_hash as "keyHash"`
  return row && holderOf(row)
}

interface HolderRow {
  readonly userId: UserId | null
  readonly keyHash: string | null
}

function holderOf({ userId, keyHash }: HolderRow): TicketHolder | null {
  return userId === null || keyHash === null ? null : { userId, keyHash }
}
