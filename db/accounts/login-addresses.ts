/** The networks from which users have logged in, hashed; the latest ones per user. */

import { hash } from 'node:crypto'
import type { UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'

/** Addresses stored per user: at home, at work, and those of a phone. */
const ADDRESSES_MAX = 20

/** Whether the user has logged in from the address; unknown ids are looked up too, so that timing is the same. */
export async function isLoginAddress(sql: Sql, userId: UserId, address: string): Promise<boolean> {
  const rows = await sql`
    select from login_addresses where user_id = ${userId} and address_hash = ${hashOf(userId, address)}`
  return rows.count > 0
}

/** Records a login from the address, and removes the oldest if there are too many. */
export async function storeLoginAddress(
  sql: Sql,
  userId: UserId,
  address: string,
  nowMs: number,
): Promise<void> {
  const addressHash = hashOf(userId, address)
  await sql`
    with removed as (
      delete from login_addresses where user_id = ${userId} and address_hash in (
        select address_hash from login_addresses where user_id = ${userId} and address_hash in (
          select address_hash from login_addresses where user_id = ${userId} and address_hash <> ${addressHash}
          order by last_at desc offset ${ADDRESSES_MAX - 1})
        for update skip locked))
    insert into login_addresses (user_id, address_hash, last_at)
    values (${userId}, ${addressHash}, ${new Date(nowMs)})
    on conflict (user_id, address_hash) do update set last_at = excluded.last_at`
}

function hashOf(userId: UserId, address: string): Buffer {
  return hash('sha256', `${userId} ${address}`, 'buffer')
}
