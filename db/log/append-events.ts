/**
 * Appends to the log. Events get their numbers from the counter row, and are written together with the rows of their
 * facts. An update of the counter holds its lock until the commit. So everything goes in one statement, or in one batch
 * that ends with its commit: a stopped process blocks nobody.
 */

import type postgresType from 'postgres'
import { type ActorId, SERVER_ACTOR } from '../../server/domain/users/audit.ts'
import type { LogEvent, NewEvent } from '../../server/domain/events.ts'
import type { MessageSent } from '../../server/domain/events/messages.ts'
import type {
  ReminderRemoved,
  ScheduledMessageRemoved,
} from '../../server/domain/events/scheduled-messages.ts'
import type { EventId } from '../../server/domain/ids.ts'
import { APPEND_PARTS, appendStatement, CLOCK_SECONDS, stamped } from './append-statement.ts'
import { tryAgain } from '../connection/collisions.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import { encodePending } from '../notifications/pending-notifications.ts'
import { encodeWaiting } from '../messages/link-previews.ts'
import { StaleScheduledError } from '../messages/scheduled-messages.ts'
import { type InSql, isRefusal, together, WriteBatch } from './write-batch.ts'

/** Milliseconds from the lock of the log to the commit, for transactions with several batches. */
const LOCKED_MS_MAX = 5_000

/** The result of an append, or that its decision was stale. */
export type Appended =
  | {
      readonly kind: 'appended'
      /** The number before its first event. */
      readonly baseId: EventId
      /** The timestamp of its messages, in UNIX seconds. */
      readonly sentAt: number
    }
  | { readonly kind: 'stale' }

/** The events to append, and the state that they were decided on. */
export interface Append {
  /**
   * The last event that the decision knew: no structural event may have followed it, and the log must reach it. Left
   * out if the events depend on no structural event.
   */
  readonly seenId?: EventId
  /**
   * Timestamp for messages in UNIX seconds; the database's clock by default. No timestamp is earlier than the one
   * before.
   */
  readonly nowSeconds?: number | undefined
  /** The user or the provider that causes the events, for the audit log; the server itself by default. */
  readonly actorId?: ActorId | undefined
}

/**
 * Appends only messages, in one statement: one round trip and one sync for a whole batch. The batch travels as one JSON
 * text, which took a third of the CPU of column arrays. Throws the unique violation of `message_sends` if one is a
 * retry; then nothing is written. Stale if a structural event after `seenId` is committed, or if the log ends before
 * it.
 */
export async function appendMessages(
  sql: Sql,
  messages: readonly MessageSent[],
  { seenId, nowSeconds }: Append,
  removals: readonly SentRemoval[] = [],
): Promise<Appended> {
  const rows = `[${messages.map((message) => JSON.stringify(message)).join(',')}]`
  const values = [messages.length + removals.length, nowSeconds ?? null, seenId ?? null, rows]
  const pending = encodePending(messages.map((message) => message.pending))
  const links = encodeWaiting(messages.map((message) => message.links))
  const more = [
    ...(removals.length === 0 ? [] : [messages.length, ...valuesOf(removals)]),
    ...(pending === undefined ? [] : [pending]),
    ...(links === undefined ? [] : [links]),
  ]
  const text = appendStatement(partsOf(messages, removals))
  try {
    const [row] = await tryAgain(sql, () =>
      together(sql.unsafe<postgresType.Row[]>(text, [...values, ...more], { prepare: true }), true),
    )
    return row
      ? { kind: 'appended', baseId: row.base as EventId, sentAt: row.sentAt as number }
      : { kind: 'stale' }
  } catch (error) {
    throw isRefusal(error)
      ? new StaleScheduledError('something that is due is sent already, or was changed', { cause: error })
      : error
  }
}

/** The parts of the statement that a batch needs. */
function partsOf(messages: readonly MessageSent[], removals: readonly SentRemoval[]): number {
  let parts = removals.length > 0 ? APPEND_PARTS.removals : 0
  for (const { mentions, localId, submessage, pending, links } of messages) {
    if (mentions !== undefined) parts |= APPEND_PARTS.mentions
    if (localId !== null) parts |= APPEND_PARTS.marks
    if (submessage !== undefined) parts |= APPEND_PARTS.openings
    if (pending !== undefined) parts |= APPEND_PARTS.pending
    if (links !== undefined) parts |= APPEND_PARTS.links
  }
  return parts
}

/** A scheduled message or reminder that is sent. */
interface SentRemoval extends NewEvent {
  readonly event: (ScheduledMessageRemoved | ReminderRemoved) & { readonly sentAsOf: EventId }
}

/** The values of the removals of what is sent. */
function valuesOf(removals: readonly SentRemoval[]) {
  const text = JSON.stringify(removals.map((one) => ({ event: one.event, audience: encodeAudience(one) })))
  return [text, removals.map(({ event }) => event.scheduledId as number)]
}

/** Splits a list of messages without files, followed by removals of what was due; undefined for any other list. */
function splitDeliveries(events: readonly NewEvent[]): [MessageSent[], SentRemoval[]] | undefined {
  const first = events.findIndex(({ event }) => event.type !== 'message')
  if (first <= 0 || !events.slice(first).every(isSentRemoval) || events.some(linksUploads)) return undefined
  return [
    events.slice(0, first).map(({ event }) => event as MessageSent),
    events.slice(first) as SentRemoval[],
  ]
}

/** Whether a message links files; such messages are written separately. */
function linksUploads({ event }: NewEvent): boolean {
  return event.type === 'message' && event.uploadIds !== undefined
}

function isSentRemoval({ event }: NewEvent): boolean {
  const isRemoval = event.type === 'scheduled_messages/remove' || event.type === 'reminders/remove'
  return isRemoval && event.sentAsOf !== undefined
}

/** The statements of a batch before and after the rows of its events. */
interface ExtraStatements {
  readonly before?: (writes: WriteBatch) => void
  readonly after?: (writes: WriteBatch) => void
}

/** The answers that the log needs for each type of event. The table of types lies above, and gives them. */
export interface EventForms {
  /** Adds the writes for the rows of events; `idOf` answers each number as an expression. */
  readonly storeEvents: (
    writes: WriteBatch,
    events: readonly NewEvent[],
    idOf: (index: number) => InSql<EventId>,
  ) => void
  readonly isStructural: (event: LogEvent) => boolean
  /** The part that the audit log stores; undefined if it has none. */
  readonly auditPartOf: (event: LogEvent) => object | undefined
}

/** The functions that append events of these forms. */
export function appendersOf(forms: EventForms) {
  return {
    /** Appends events of any type, all or none. */
    appendEvents: (
      sql: Sql,
      events: readonly NewEvent[],
      append: Append,
      besides?: ExtraStatements,
    ): Promise<Appended> => {
      const deliveries = splitDeliveries(events)
      if (deliveries) return appendMessages(sql, deliveries[0], append, deliveries[1])
      return toAppended(batchOf(sql, events, append, { ...forms, ...besides }).commit(sql))
    },
    /** Like `appendEvents`, as the end of a transaction, which it commits. */
    commitEvents: (
      tx: Transaction,
      events: readonly NewEvent[],
      append: Append,
      besides?: ExtraStatements,
    ): Promise<Appended> =>
      toAppended(batchOf(tx, events, append, { ...forms, ...besides }).commitWithin(tx)),
  }
}

/** The statements that append events. */
function batchOf(
  sql: Sql | Transaction,
  events: readonly NewEvent[],
  { seenId, nowSeconds, actorId }: Append,
  { storeEvents, isStructural, auditPartOf, before, after }: EventForms & ExtraStatements,
): WriteBatch {
  const writes = new WriteBatch(sql)
  const lastStructural = events.findLastIndex(({ event }) => isStructural(event))
  // The counter comes first: the rows carry the events' numbers.
  writes.add(
    sql`
      with numbered as (
        update event_counter set last_id = last_id + ${events.length},
          stamped_at = greatest(stamped_at, coalesce(${nowSeconds ?? null}::bigint, ${sql.unsafe(CLOCK_SECONDS)})),
          structural_id = case when ${lastStructural}::int >= 0 then last_id + ${lastStructural} + 1 else structural_id end
        where ${seenId === undefined ? sql`true` : sql`structural_id <= ${seenId} and last_id >= ${seenId}`}
        returning last_id - ${events.length} as base, stamped_at as stamp
      ), answer as (select (select base from numbered) as base, (select stamp from numbered) as stamp)
      select base, stamp as "sentAt", case when base is null then refuse_write() end from answer`,
    () => new StaleDecisionError(),
  )
  before?.(writes)
  storeEvents(
    writes,
    events,
    (index) => sql`(select last_id - ${events.length - index - 1} from event_counter)`,
  )
  after?.(writes)
  const entries = events.map((one) => ({
    event: one.event,
    audience: encodeAudience(one),
    // Imported messages have times of their own; all others get that of their commit.
    ...(one.event.type === 'message' && !one.event.imported ? { sentAt: one.event.sentAt } : {}),
    ...(auditPartOf(one.event) ? { actorId: actorId ?? SERVER_ACTOR } : {}),
  }))
  writes.add(sql`
    with entry as (
      select last_id - ${events.length} + place as id, stamped_at as stamp, e.*
      from event_counter, json_array_elements(${JSON.stringify(entries)}::text::json) with ordinality as t (entry, place),
        json_to_record(entry) as e (event json, audience text, "sentAt" bigint, "actorId" integer))
    insert into event_log (id, event, audience, actor_id)
    select id, ${sql.unsafe(stamped('coalesce("sentAt", stamp)'))}, audience, "actorId" from entry`)
  return writes
}

/** The result of the statements. */
async function toAppended(committed: Promise<postgresType.Row[]>): Promise<Appended> {
  try {
    const [row] = await committed
    return { kind: 'appended', baseId: row?.base as EventId, sentAt: row?.sentAt as number }
  } catch (error) {
    if (error instanceof StaleDecisionError) return { kind: 'stale' }
    throw error
  }
}

/** A structural event was committed after the state that a batch was decided on. */
class StaleDecisionError extends Error {
  override readonly name = 'StaleDecisionError'
}

/** Locks the counter until the transaction ends, so that no other writer commits meanwhile; returns the last number. */
export async function lockLog(tx: Transaction): Promise<EventId> {
  // PostgreSQL before 17 lacks this bound: only the bounds of statements and idle time apply.
  await tx`select set_config(name, ${LOCKED_MS_MAX}::text, true) from pg_settings where name = 'transaction_timeout'`
  const [row] = await tx<{ id: EventId }[]>`select last_id as id from event_counter for update`
  if (!row) throw new Error('the event counter has no row: the database is not migrated')
  return row.id
}

function encodeAudience({ event, audience }: NewEvent): string | null {
  switch (audience.kind) {
    case 'nobody':
      return ''
    case 'subscribers':
      if (event.type !== 'message') throw new Error(`the audience of ${event.type} cannot be derived from it`)
      return null
    case 'users':
      return audience.users.encode()
  }
}
