/** Reads the log. */

import type { Audience, LogEntry, LogEvent } from '../../server/domain/events.ts'
import type { ChannelId, EventId, UserId } from '../../server/domain/ids.ts'
import { readEvent } from '../../server/domain/read-event.ts'
import { UserSet } from '../../server/domain/users/user-set.ts'
import { type LeavingEvent, type PartOf, storeAudited } from './audit-log.ts'
import { transact } from '../connection/collisions.ts'
import type { Sql, Transaction } from '../connection/connect.ts'

/** The number of the last committed event; 0 for an empty log. */
export async function readLastEventId(sql: Sql | Transaction): Promise<EventId> {
  const [row] = await sql<{ id: EventId }[]>`select last_id as id from event_counter`
  if (!row) throw new Error('the event counter has no row: the database is not migrated')
  return row.id
}

/** The oldest event that the log still has. */
export async function readFirstEventId(sql: Sql): Promise<EventId | undefined> {
  const [row] = await sql<{ id: EventId | null }[]>`select min(id) as id from event_log`
  return row?.id ?? undefined
}

/** The identity of this log. */
export async function readLogName(sql: Sql): Promise<string> {
  const [row] = await sql<{ name: string }[]>`select log_id::text as name from event_counter`
  if (!row) throw new Error('the event counter has no row: the database is not migrated')
  return row.name
}

/** Up to `countMax` entries after a number, in order. */
export async function readLog(
  sql: Sql | Transaction,
  afterId: EventId,
  countMax: number,
): Promise<LogEntry[]> {
  const rows = await sql<{ id: EventId; event: LogEvent; audience: string | null }[]>`
    select id, event, audience from event_log where id > ${afterId} order by id limit ${countMax}`
  return rows.map(({ id, event, audience }) => ({
    id,
    event: readEvent(event),
    audience: decodeAudience(event, audience),
  }))
}

/** The channel's name at the event by which some users left it; undefined if the log does not have it. */
export async function readNameAtLeaving(
  sql: Sql,
  id: EventId,
  channelId: ChannelId,
): Promise<string | undefined> {
  const [row] = await sql<{ event: LogEvent }[]>`select event from event_log where id = ${id}`
  if (row?.event.type !== 'subscription/remove') return undefined
  return row.event.names[row.event.channelIds.indexOf(channelId)]
}

/** Decodes a stored audience; null means that it follows from the event. */
function decodeAudience(event: LogEvent, stored: string | null): Audience {
  if (stored !== null) {
    return stored === '' ? { kind: 'nobody' } : { kind: 'users', users: UserSet.decode(stored) }
  }
  return deriveAudience(event)
}

/** The recipients of a message: the channel's subscribers, or the partners. */
function deriveAudience(event: LogEvent): Audience {
  if (event.type !== 'message')
    throw new Error(`an event of type ${event.type} was logged without its audience`)
  if (event.channelId !== null) return { kind: 'subscribers', channelId: event.channelId }
  return { kind: 'users', users: UserSet.of((event.userIds ?? []) as readonly UserId[]) }
}

/**
 * The newest entries, which stay at any age: processes compare their last hundred with the log, and rows that live as
 * long as the log's entries are compared with its first one.
 */
const ENTRIES_MIN = 100
/** The advisory lock of their removal. */
const OLD_EVENTS_LOCK = 7_203_553_001

/**
 * Removes up to `countMax` of the oldest events, those logged before a time; returns their number. The audit log keeps its
 * part of them. The rest has no gaps, even if the clock of the database went back. Batches keep locks short.
 */
export function removeOldEvents(sql: Sql, before: Date, countMax: number, partOf: PartOf): Promise<number> {
  return transact(sql, async (tx) => {
    // One worker at a time: of two, one would wait for rows that the other has not reached.
    await tx`select pg_advisory_xact_lock(${OLD_EVENTS_LOCK})`
    const removed = await tx<LeavingRow[]>`
      with oldest as materialized (select id, logged_at from event_log order by id limit ${countMax}),
      rest as (
        select least((select min(id) from oldest where logged_at >= ${before}),
          (select max(id) from event_log) - ${ENTRIES_MIN - 1}) as id)
      delete from event_log where id in (select oldest.id from oldest, rest where oldest.id < rest.id)
      returning id, logged_at::text as "loggedAt", actor_id as "actorId",
        case when actor_id is not null then event end as event`
    await storeAudited(
      tx,
      removed.filter((row): row is LeavingEvent => row.actorId !== null),
      partOf,
    )
    return removed.length
  })
}

type LeavingRow = LeavingEvent | { readonly actorId: null }
