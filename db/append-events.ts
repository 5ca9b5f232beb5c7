/**
 * Appending to the log: events get their numbers from the counter row and are written with the rows
 * they stand for, in one transaction. Whoever updates the counter holds its lock until the commit.
 */

import type { NewEvent } from '../server/domain/events.ts'
import type { MessageSent } from '../server/domain/events/messages.ts'
import { isStructural } from '../server/domain/events.ts'
import type { ReminderRemoved, ScheduledMessageRemoved } from '../server/domain/events/scheduled-messages.ts'
import type { EventId } from '../server/domain/ids.ts'
import type { Sql, Transaction } from './connect.ts'
import { StaleScheduledError } from './scheduled-messages.ts'
import { storeEvent } from './store-event.ts'

/** Entries written by one statement: PostgreSQL takes 65,535 values in one, and each has three. */
const ENTRIES_PER_STATEMENT_MAX = 5_000

/** The answer of an append: the number before its first event, or that it was decided on old state. */
export type Appended = { readonly kind: 'appended'; readonly baseId: EventId } | { readonly kind: 'stale' }

/**
 * Appends messages only, in one statement: one round trip and one sync for a whole batch. The batch
 * travels as one JSON text, which took a third of the CPU here that arrays of columns did.
 * Throws the unique violation of `message_sends` where one is a retry; then nothing was written.
 * Stale where a structural event after `seenId` is committed already, or the log ends before it.
 */
export async function appendMessages(
  sql: Sql | Transaction,
  messages: readonly MessageSent[],
  seenId: EventId,
  removals: readonly SentRemoval[] = [],
): Promise<Appended> {
  const count = messages.length + removals.length
  const openings = messages.some(({ submessage }) => submessage !== undefined)
    ? sql`, opened as (
      insert into submessages (id, message_id, sender_id, type, content)
      select id, id, "senderId", 'widget', submessage from message where submessage is not null
    )`
    : sql``
  const removed = removals.length === 0 ? sql`` : removeSent(sql, messages.length, removals)
  const text = `[${messages.map((message) => JSON.stringify(message)).join(',')}]`
  const [row] = await sql<{ base: number; removedCount?: number }[]>`
    with numbered as (
      update event_counter set last_id = last_id + ${count}
      where structural_id <= ${seenId} and last_id >= ${seenId} returning last_id - ${count} as base
    ), message as materialized (
      select base + place as id, event, m.*
      from numbered, json_array_elements(${text}::text::json) with ordinality as t (event, place),
        json_to_record(event) as m ("channelId" integer, "conversationId" integer, topic text,
          "senderId" integer, content text, rendered text, "sentAt" bigint, client text,
          "readById" integer, "unreadFor" integer[], mentions json, "isForAll" boolean, submessage text, "queueId" text,
          "localId" text)
    ), stored as (
      insert into messages (id, channel_id, conversation_id, topic, sender_id, content, rendered,
        sent_at, client, read_by_id, unread_for, mentions, is_for_all)
      select id, "channelId", "conversationId", topic, "senderId", content, rendered, "sentAt", client,
        "readById", "unreadFor", mentions, coalesce("isForAll", false) from message
    ), mentioned as (
      insert into mentions (user_id, message_id, flags)
      select (mention ->> 0)::int, id, (mention ->> 1)::smallint from message, json_array_elements(mentions) mention where mentions is not null
    ), marked as (
      insert into message_sends (sender_id, queue_id, local_id, message_id)
      select "senderId", "queueId", "localId", id from message where "localId" is not null
    ), logged as (
      insert into event_log (id, event) select id, event from message
    )${openings}${removed}
    select base${removals.length === 0 ? sql`` : sql`, (select count(*) from removed) as "removedCount"`} from numbered`
  if (row && removals.length > 0 && row.removedCount !== removals.length)
    throw new StaleScheduledError('something that is due is sent already, or was changed')
  return row ? { kind: 'appended', baseId: row.base as EventId } : { kind: 'stale' }
}

/** That a scheduled message or a reminder is sent. */
interface SentRemoval extends NewEvent {
  readonly event: (ScheduledMessageRemoved | ReminderRemoved) & { readonly sentAsOf: EventId }
}

/** The rest of that statement where what was due is sent: those rows and their entries, numbered after the messages. */
function removeSent(sql: Sql | Transaction, messageCount: number, removals: readonly SentRemoval[]) {
  const text = JSON.stringify(removals.map((one) => ({ event: one.event, audience: encodeAudience(one) })))
  // Named as a list, too, so that the rows are found by their index rather than by reading all that wait.
  const ids = removals.map(({ event }) => event.scheduledId as number)
  return sql`, removal as materialized (
      select base + ${messageCount} + place as id, r.value -> 'event' as event, r.value ->> 'audience' as audience,
        e."scheduledId", e."sentAsOf"
      from numbered, json_array_elements(${text}::text::json) with ordinality as r (value, place),
        json_to_record(r.value -> 'event') as e ("scheduledId" bigint, "sentAsOf" bigint)
    ), removed as (
      update scheduled_messages s set sent_id = r.id from removal r
      where s.id = any(${ids}::bigint[]) and s.id = r."scheduledId" and s.changed_id = r."sentAsOf" and s.sent_id is null and not s.has_failed
      returning s.id
    ), "loggedRemovals" as (
      insert into event_log (id, event, audience) select id, event, audience from removal
    )`
}

/** The parts of a list that are all messages, none with files, and then all removals of what was due; undefined of any other list. */
function splitDeliveries(events: readonly NewEvent[]): [MessageSent[], SentRemoval[]] | undefined {
  const first = events.findIndex(({ event }) => event.type !== 'message')
  if (first <= 0 || !events.slice(first).every(isSentRemoval) || events.some(linksUploads)) return undefined
  return [
    events.slice(0, first).map(({ event }) => event as MessageSent),
    events.slice(first) as SentRemoval[],
  ]
}

/** Whether it is a message that links files, which is written by itself. */
function linksUploads({ event }: NewEvent): boolean {
  return event.type === 'message' && event.uploadIds !== undefined
}

function isSentRemoval({ event }: NewEvent): boolean {
  const isRemoval = event.type === 'scheduled_messages/remove' || event.type === 'reminders/remove'
  return isRemoval && event.sentAsOf !== undefined
}

/**
 * Appends events of any kind within a transaction. The counter comes first, because the rows carry
 * the events' numbers; the limits of each operation keep the time short for which its lock is held.
 */
export async function appendEvents(
  tx: Transaction,
  events: readonly NewEvent[],
  seenId: EventId,
): Promise<Appended> {
  const deliveries = splitDeliveries(events)
  if (deliveries) return appendMessages(tx, deliveries[0], seenId, deliveries[1])
  const lastStructural = events.findLastIndex(({ event }) => isStructural(event))
  const [row] = await tx<{ base: number }[]>`
    update event_counter set last_id = last_id + ${events.length},
      structural_id = case when ${lastStructural}::int >= 0 then last_id + ${lastStructural} + 1 else structural_id end
    where structural_id <= ${seenId} and last_id >= ${seenId} returning last_id - ${events.length} as base`
  if (!row) return { kind: 'stale' }
  const entries = events.map((event, index) => ({ ...event, id: (row.base + index + 1) as EventId }))
  for (const entry of entries) await storeEvent(tx, entry)
  for (let start = 0; start < entries.length; start += ENTRIES_PER_STATEMENT_MAX) {
    await tx`insert into event_log ${tx(
      entries.slice(start, start + ENTRIES_PER_STATEMENT_MAX).map((entry) => ({
        id: entry.id,
        event: tx.json(entry.event as never), // A text would be stored as a JSON text.
        audience: encodeAudience(entry),
      })),
    )}`
  }
  return { kind: 'appended', baseId: row.base as EventId }
}

/** Locks the counter until the transaction ends, so that no other writer commits meanwhile; answers the last number. */
export async function lockLog(tx: Transaction): Promise<EventId> {
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
