/**
 * Appending to the log: events get their numbers from the counter row and are written with the rows
 * they stand for, in one transaction. Whoever updates the counter holds its lock until the commit.
 */

import type { LogEntry, NewEvent } from '../server/domain/events.ts'
import type { MessageSent } from '../server/domain/events/messages.ts'
import { isStructural } from '../server/domain/events.ts'
import type { EventId } from '../server/domain/ids.ts'
import type { Sql, Transaction } from './connect.ts'
import { storeEvent } from './store-event.ts'

/** Entries written by one statement: PostgreSQL takes 65,535 values in one, and each has three. */
const ENTRIES_PER_STATEMENT_MAX = 5_000

/** The answer of an append: the number before its first event, or that it was decided on old state. */
export type Appended = { readonly kind: 'appended'; readonly baseId: EventId } | { readonly kind: 'stale' }

/**
 * Appends messages only, in one statement: one round trip and one sync for a whole batch. The batch
 * travels as one JSON text, which took a third of the CPU here that arrays of columns did.
 * Throws the unique violation of `message_sends` where one is a retry; then nothing was written.
 * Stale where a structural event after `seenId` is committed already.
 */
export async function appendMessages(
  sql: Sql | Transaction,
  messages: readonly MessageSent[],
  seenId: EventId,
): Promise<Appended> {
  const openings = messages.some(({ submessage }) => submessage !== undefined)
    ? sql`, opened as (
      insert into submessages (id, message_id, sender_id, type, content)
      select id, id, "senderId", 'widget', submessage from message where submessage is not null
    )`
    : sql``
  const text = `[${messages.map((message) => JSON.stringify(message)).join(',')}]`
  const [row] = await sql<{ base: number }[]>`
    with numbered as (
      update event_counter set last_id = last_id + ${messages.length}
      where structural_id <= ${seenId} returning last_id - ${messages.length} as base
    ), message as materialized (
      select base + place as id, event, m.*
      from numbered, json_array_elements(${text}::text::json) with ordinality as t (event, place),
        json_to_record(event) as m ("channelId" integer, "conversationId" integer, topic text,
          "senderId" integer, content text, rendered text, "sentAt" bigint, client text,
          "readById" integer, mentions json, "isForAll" boolean, submessage text, "queueId" text,
          "localId" text)
    ), stored as (
      insert into messages (id, channel_id, conversation_id, topic, sender_id, content, rendered,
        sent_at, client, read_by_id, mentions, is_for_all)
      select id, "channelId", "conversationId", topic, "senderId", content, rendered, "sentAt", client,
        "readById", mentions, coalesce("isForAll", false) from message
    ), mentioned as (
      insert into mentions (user_id, message_id, flags)
      select (mention ->> 0)::int, id, (mention ->> 1)::smallint from message, json_array_elements(mentions) mention where mentions is not null
    ), marked as (
      insert into message_sends (sender_id, queue_id, local_id, message_id)
      select "senderId", "queueId", "localId", id from message where "localId" is not null
    ), logged as (
      insert into event_log (id, event) select id, event from message
    )${openings}
    select base from numbered`
  return row ? { kind: 'appended', baseId: row.base as EventId } : { kind: 'stale' }
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
  const lastStructural = events.findLastIndex(({ event }) => isStructural(event))
  const [row] = await tx<{ base: number }[]>`
    update event_counter set last_id = last_id + ${events.length},
      structural_id = case when ${lastStructural}::int >= 0 then last_id + ${lastStructural} + 1 else structural_id end
    where structural_id <= ${seenId} returning last_id - ${events.length} as base`
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

function encodeAudience({ event, audience }: LogEntry): string | null {
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
