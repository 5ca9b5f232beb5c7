/**
 * Which workers live, and the end of the claims of those that do not. Each session of a worker holds a lock that others can
 * share with it (`connection/worker-session.ts`), and PostgreSQL ends sessions with their process. So nobody else gets the
 * lock alone while a claim of the worker may still arrive.
 */

import type { Sql, Transaction } from './connection/connect.ts'
import { WORKERS_LOCK } from './connection/worker-session.ts'

/** The channel of the database that wakes workers to take over the work of one that is gone. */
export const WORKER_GONE_NOTICE = 'parley_worker_gone'

/**
 * Tries of work whose claim ends with its worker. After more, the claim lasts for its time: something about the work may end
 * its workers, and must not do so again and again without a pause.
 */
const QUICK_TRIES_MAX = 3
/** Seconds after a start of PostgreSQL in which nobody counts as gone: all workers come back one after another. */
const RETURN_SECONDS = 10

/** Tables with claims, and their keys. */
const CLAIMED: readonly { readonly table: string; readonly key: string; readonly tries?: string }[] = [
  { table: 'pending_notifications', key: 'way, user_id, message_id' },
  { table: 'pushes', key: 'id' },
  { table: 'mails', key: 'id' },
  { table: 'received_mails', key: 'id' },
  { table: 'waiting_previews', key: 'message_id' },
  { table: 'call_messages', key: 'message_id' },
  { table: 'client_devices', key: 'id', tries: 'attempts' },
  { table: 'push_tokens', key: 'user_id, kind, token', tries: 'attempts' },
]

/** Notes that a worker lives, and ends the claims of workers that are gone; returns how many of these there were. */
export async function lookAfterWorkers(sql: Sql, ownId: number): Promise<number> {
  const rows = await sql`
    with own as (insert into workers (id) values (${ownId}) on conflict do nothing)
    select id from workers where ${isGone(sql, ownId)}`
  return rows.length === 0 ? 0 : sql.begin((tx) => endClaims(tx, ownId))
}

/** The lock is free again at the end of the transaction. */
const isGone = (sql: Sql | Transaction, ownId: number) => sql`
  id <> ${ownId} and pg_postmaster_start_time() < clock_timestamp() - ${RETURN_SECONDS} * interval '1 second'
  and pg_try_advisory_xact_lock(${WORKERS_LOCK}::int, id)`

/** Makes the work of workers that are gone due now. Each statement sees all claims: none can come while we have the lock. */
async function endClaims(tx: Transaction, ownId: number): Promise<number> {
  const gone = await tx<{ id: number }[]>`select id from workers where ${isGone(tx, ownId)}`
  if (gone.length === 0) return 0 // Another worker was faster.
  const ids = gone.map(({ id }) => id)
  for (const { table, key, tries = 'tries' } of CLAIMED)
    await tx`
      update ${tx(table)} set due_at = now(), claimed_by = null where (${tx.unsafe(key)}) in (
        select ${tx.unsafe(key)} from ${tx(table)}
        where claimed_by = any(${ids}::int[]) and due_at > now() and ${tx(tries)} <= ${QUICK_TRIES_MAX}
        order by ${tx.unsafe(key)} for update)`
  await tx`delete from workers where id = any(${ids}::int[])`
  await tx`select pg_notify(${WORKER_GONE_NOTICE}, '')`
  return gone.length
}
