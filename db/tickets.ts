/** Issued tickets: each exists until it is used or expires. */

import type { Sql } from './connect.ts'

/** Expired tickets removed with each new one: more than one, so that they cannot accumulate. */
const REMOVED_MAX = 10

/** Stores a ticket, and removes some expired ones. */
export async function storeTicket(
  sql: Sql,
  { id, expiresAtMs }: { readonly id: string; readonly expiresAtMs: number },
  nowMs: number,
): Promise<void> {
  await sql`
    with removed as (
      delete from tickets where id in (
        select id from tickets where expires_at < ${new Date(nowMs)}
        order by expires_at limit ${REMOVED_MAX} for update skip locked))
    insert into tickets (id, expires_at) values (${id}, ${new Date(expiresAtMs)})`
}

/** Whether a ticket exists: it was not used yet. */
export async function hasTicket(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql`select from tickets where id = ${id}`
  return rows.count > 0
}

/** Uses a ticket; returns whether it existed, which is true once among all processes. */
export async function takeTicket(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql`delete from tickets where id = ${id}`
  return rows.count > 0
}
