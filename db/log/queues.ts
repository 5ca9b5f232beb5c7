/** Event queues: the cursor and the options of each client. */

import type { EventId, QueueId, UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import type { WriteBatch } from './write-batch.ts'

/** A queue as stored, with the options of its registration. */
export interface StoredQueue<Options> {
  readonly id: QueueId
  readonly userId: UserId
  readonly options: Options
  readonly acknowledgedId: EventId
  readonly idleTimeoutSeconds: number
  readonly seenAtMs: number
}

/**
 * Stores a queue; beyond `countMax`, the user's oldest queues are removed. One that is locked, by another registration of
 * the user or since it is in use, is left to the next registration.
 */
export async function storeQueue<Options>(
  sql: Sql,
  queue: StoredQueue<Options>,
  countMax: number,
): Promise<void> {
  await sql`
    with removed as (
      delete from event_queues where id in (
        select id from event_queues where id in (
          select id from event_queues where user_id = ${queue.userId} order by seen_at desc offset ${countMax - 1})
        order by id for update skip locked))
    insert into event_queues (id, user_id, options, acknowledged_id, idle_timeout_seconds, seen_at)
    values (${queue.id}, ${queue.userId}, ${JSON.stringify(queue.options)}::text::json, ${queue.acknowledgedId},
      ${queue.idleTimeoutSeconds}, ${new Date(queue.seenAtMs)})`
}

/** The queue with an id, or undefined. */
export async function findQueue<Options>(sql: Sql, id: QueueId): Promise<StoredQueue<Options> | undefined> {
  const [row] = await sql<(Omit<StoredQueue<Options>, 'seenAtMs'> & { seenAt: Date })[]>`
    select id, user_id as "userId", options, acknowledged_id as "acknowledgedId",
      idle_timeout_seconds as "idleTimeoutSeconds", seen_at as "seenAt"
    from event_queues where id = ${id}`
  if (!row) return undefined
  const { seenAt, ...queue } = row
  return { ...queue, seenAtMs: seenAt.getTime() }
}

/** Whether any queue exists. */
export async function hasQueues(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ exists: boolean }[]>`select exists(select from event_queues)`
  return row?.exists === true
}

/** Removes a queue; returns whether it existed. */
export async function removeQueue(sql: Sql, id: QueueId): Promise<boolean> {
  const rows = await sql`delete from event_queues where id = ${id}`
  return rows.count > 0
}

/** Removes all queues of a user; locks them in the order of `touchQueues`. */
export function removeQueuesOf(writes: WriteBatch, userId: UserId): void {
  writes.add(writes.sql`
    delete from event_queues where id in (
      select id from event_queues where user_id = ${userId} order by id for update)`)
}

/**
 * Records that these queues are in use, with their acknowledged events; returns the ones that exist. Locks rows in a
 * fixed order, since several processes may have used the same queues.
 */
export async function touchQueues(
  sql: Sql,
  queues: readonly { id: QueueId; acknowledgedId: EventId; seenAtMs: number }[],
): Promise<QueueId[]> {
  if (queues.length === 0) return []
  const ids = queues.map(({ id }) => id)
  const rows = await sql<{ id: QueueId }[]>`
    with locked as materialized (
      select id from event_queues where id = any(${ids}::uuid[]) order by id for update
    )
    update event_queues set seen_at = greatest(event_queues.seen_at, touched.seen_at),
      acknowledged_id = greatest(event_queues.acknowledged_id, touched.acknowledged_id)
    from locked join unnest(${ids}::uuid[], ${queues.map(({ acknowledgedId }) => acknowledgedId)}::bigint[],
      ${queues.map(({ seenAtMs }) => new Date(seenAtMs).toISOString())}::timestamptz[])
      as touched (id, acknowledged_id, seen_at) on touched.id = locked.id
    where event_queues.id = locked.id returning event_queues.id`
  return rows.map((row) => row.id)
}

/**
 * Removes the queues that have been idle for too long at a time, plus `graceSeconds` for late records. Leaves a queue
 * alone while its use is being recorded.
 */
export async function removeExpiredQueues(sql: Sql, now: Date, graceSeconds: number): Promise<number> {
  const rows = await sql`
    delete from event_queues where id in (
      select id from event_queues
      where seen_at + make_interval(secs => idle_timeout_seconds + ${graceSeconds}) < ${now}
      for update skip locked)`
  return rows.count
}
