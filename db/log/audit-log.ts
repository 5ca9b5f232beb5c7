/** The audit log: entries of the log, and what is stored of those that left it. */

import type { ActorId, AuditEntry } from '../../server/domain/users/audit.ts'
import type { LogEvent } from '../../server/domain/events.ts'
import type { EventId } from '../../server/domain/ids.ts'
import { readEvent } from '../../server/domain/read-event.ts'
import type { Sql, Transaction } from '../connection/connect.ts'

/** A selection of entries; what is left out does not limit it. */
export interface AuditQuery {
  /** Older entries only: the cursor. */
  readonly beforeId?: EventId | undefined
  readonly actorId?: ActorId | undefined
  readonly kinds: readonly AuditEntry['kind'][]
  /** UNIX seconds: entries at this time or later. */
  readonly since?: number | undefined
  /** UNIX seconds: entries before this time. */
  readonly until?: number | undefined
  readonly countMax: number
}

/** Entries, the newest first, and whether there are no older ones. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[]
  readonly isLast: boolean
}

/** The part of an event that the audit log stores; undefined if it has none. */
export type PartOf = (event: LogEvent) => object | undefined

interface Logged {
  readonly id: EventId
  readonly at: number
  readonly actorId: ActorId
  readonly event: LogEvent
}

/**
 * A page of the audit log. The log is read before the stored entries, since entries move from the log to those. Entries
 * of an earlier release that turn out not to belong here are left out, so a page may be shorter than asked for.
 */
export async function readAudit(sql: Sql, query: AuditQuery, partOf: PartOf): Promise<AuditPage> {
  const { countMax } = query
  const names = [...query.kinds]
  const logged = await sql<Logged[]>`
    select id, floor(extract(epoch from logged_at))::bigint as at, actor_id as "actorId", event from event_log
    where actor_id is not null and event ->> 'type' = any(${names}::text[]) and ${selected(sql, query)}
    order by id desc limit ${countMax + 1}`
  const stored =
    logged.length > countMax
      ? []
      : await sql<AuditEntry[]>`
          select id, floor(extract(epoch from logged_at))::bigint as at, actor_id as "actorId", kind, part
          from audit_log where kind = any(${names}::text[]) and ${selected(sql, query)}
          order by id desc limit ${countMax + 1}`
  const known = new Set(logged.map(({ id }) => id))
  const rows = [...logged, ...stored.filter(({ id }) => !known.has(id))]
  const entries = rows.slice(0, countMax).flatMap((row) => ('part' in row ? [row] : toEntries(row, partOf)))
  return { entries, isLast: rows.length <= countMax }
}

const selected = (sql: Sql, { beforeId, actorId, since, until }: AuditQuery) => sql`true
  ${beforeId === undefined ? sql`` : sql`and id < ${beforeId}::bigint`}
  ${actorId === undefined ? sql`` : sql`and actor_id = ${actorId}::bigint`}
  ${since === undefined ? sql`` : sql`and logged_at >= to_timestamp(${since}::bigint)`}
  ${until === undefined ? sql`` : sql`and logged_at < to_timestamp(${until}::bigint)`}`

/** The entry of an event, if the audit log has it. */
function toEntries({ event, ...row }: Logged, partOf: PartOf): AuditEntry[] {
  const read = readEvent(event)
  const part = partOf(read)
  return part ? [{ ...row, kind: read.type as AuditEntry['kind'], part }] : []
}

/** An event that leaves the log. */
export interface LeavingEvent {
  readonly id: EventId
  /** With microseconds. */
  readonly loggedAt: string
  readonly actorId: ActorId
  readonly event: LogEvent
}

/** Stores the audited parts of events that leave the log. */
export async function storeAudited(
  tx: Transaction,
  events: readonly LeavingEvent[],
  partOf: PartOf,
): Promise<void> {
  const rows = events.flatMap(({ event, id, loggedAt, actorId }) => {
    const read = readEvent(event)
    const part = partOf(read)
    return part ? [{ id, loggedAt, actorId, kind: read.type, part }] : []
  })
  if (rows.length === 0) return
  await tx`
    insert into audit_log (id, logged_at, actor_id, kind, part)
    select id, "loggedAt", "actorId", kind, part
    from json_to_recordset(${JSON.stringify(rows)}::text::json)
      as r (id bigint, "loggedAt" timestamptz, "actorId" integer, kind text, part json)
    on conflict (id) do nothing`
}

/** Removes up to `countMax` stored entries from before a time; returns their number. */
export async function removeOldAudited(sql: Sql, before: Date, countMax: number): Promise<number> {
  const rows = await sql`
    with old as materialized (
      select id from audit_log where logged_at < ${before} order by id limit ${countMax}
      for update skip locked
    )
    delete from audit_log where id in (table old)`
  return rows.count
}
