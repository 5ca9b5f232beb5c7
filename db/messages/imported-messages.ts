/** Writes messages from other products, many at once: with their own times, and the history that they bring along. */

import type { Reaction } from '../../server/domain/entities.ts'
import type { MessageSent } from '../../server/domain/events/messages.ts'
import type { EventId } from '../../server/domain/ids.ts'
import type { StoreRun } from '../log/store-runs.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'

/** Consecutive imported messages; other messages are stored one by one. */
export const storeImportedRun: StoreRun = (writes, id, events, start) => {
  let end = start
  while (end < events.length && isImported(events[end]?.event)) end++
  if (end === start) return 0
  const { sql } = writes
  const rows = JSON.stringify(events.slice(start, end).map(({ event }) => event))
  writes.add(sql`
    with message as materialized (
      select ${id} + place - 1 as id, m.* from json_array_elements(${rows}::text::json) with ordinality as t (event, place),
        json_to_record(event) as m ("channelId" integer, "conversationId" integer, topic text, "senderId" integer,
          content text, rendered text, "sentAt" bigint, client text, "readById" integer, "unreadFor" integer[],
          mentions json, "isForAll" boolean, imported json)
    ), stored as (
      insert into messages (id, channel_id, conversation_id, topic, sender_id, content, rendered, sent_at, client,
        read_by_id, unread_for, mentions, is_for_all, edited_at, moved_at, has_parts)
      select id, "channelId", "conversationId", topic, "senderId", content, rendered, "sentAt", client, "readById",
        "unreadFor", mentions, coalesce("isForAll", false), (imported ->> 'editedAt')::bigint,
        (imported ->> 'movedAt')::bigint, json_array_length(imported -> 'reactions') > 0 from message
    ), broken as (
      insert into time_breaks (id)
      select id from (
        select id, "sentAt", lag("sentAt", 1, (
          select sent_at from messages where id < ${id} order by id desc limit 1)) over (order by id) as before
        from message) m
      where "sentAt" < before
    )
    insert into mentions (user_id, message_id, flags)
    select (mention ->> 0)::int, id, (mention ->> 1)::smallint
    from message, json_array_elements(mentions) mention where mentions is not null`)
  storeParts(
    writes,
    id,
    events.slice(start, end).map(({ event }) => event as MessageSent),
  )
  return end - start
}

/** Reactions, files, edits, and openings of polls and lists: statements of their own, since they refer to messages that must be stored by then. */
function storeParts(writes: WriteBatch, id: InSql<EventId>, events: readonly MessageSent[]): void {
  const { sql } = writes
  const reactions = rowsOf(events, ({ imported }) => imported?.reactions)
  if (reactions !== undefined)
    writes.add(sql`
      insert into reactions (message_id, user_id, emoji_code, reaction_type, emoji_name, added_id)
      select ${id} + place, r."userId", r."emojiCode", r."reactionType", r."emojiName", ${id} + place
      from json_to_recordset(${reactions}::text::json) as t (place integer, list json),
        json_to_recordset(list) as r ("emojiName" text, "emojiCode" text, "reactionType" text, "userId" integer)`)
  const uploads = rowsOf(events, ({ uploadIds }) => uploadIds)
  if (uploads !== undefined)
    writes.add(sql`
      insert into message_uploads (message_id, upload_id)
      select ${id} + place, u.id from json_to_recordset(${uploads}::text::json) as t (place integer, list json),
        json_array_elements_text(list) upload join uploads u on u.id = upload::int and u.state = 'whole'
      on conflict do nothing`)
  const edits = rowsOf(events, ({ imported }) => imported?.edits)
  // Numbers of events before the message: no event of this log made the edits.
  if (edits !== undefined)
    writes.add(sql`
      insert into message_edits (message_id, id, user_id, edited_at, prev_content, prev_rendered, prev_topic, topic,
        prev_channel_id, channel_id)
      select ${id} + place, ${id} + place - number, e."userId", e."editedAt", e.previous, e."previousRendered",
        e."previousTopic", e.topic, e."previousChannelId", e."channelId"
      from json_to_recordset(${edits}::text::json) as t (place integer, list json),
        json_array_elements(list) with ordinality as d (edit, number),
        json_to_record(edit) as e ("userId" integer, "editedAt" bigint, previous text, "previousRendered" text,
          "previousTopic" text, topic text, "previousChannelId" integer, "channelId" integer)`)
  const openings = rowsOf(events, ({ senderId, submessage: content }) =>
    content === undefined ? undefined : [{ senderId, content }],
  )
  if (openings !== undefined)
    writes.add(sql`
      insert into submessages (id, message_id, sender_id, type, content)
      select ${id} + place, ${id} + place, o."senderId", 'widget', o.content
      from json_to_recordset(${openings}::text::json) as t (place integer, list json),
        json_to_recordset(list) as o ("senderId" integer, content text)`)
}

/** The parts of those messages that have some, with their places in the list, as JSON; undefined if none has. */
function rowsOf(
  events: readonly MessageSent[],
  listOf: (event: MessageSent) => readonly unknown[] | undefined,
): string | undefined {
  const rows = events.flatMap((event, place) => {
    const list = listOf(event) ?? []
    return list.length > 0 ? [{ place, list }] : []
  })
  return rows.length > 0 ? JSON.stringify(rows) : undefined
}

function isImported(event: { readonly type: string } | undefined): boolean {
  return event?.type === 'message' && (event as MessageSent).imported !== undefined
}

/** The order of reactions that came together, for which nothing says which was first. */
export function compareImported(one: Reaction, other: Reaction): number {
  return (
    compareTexts(one.emojiCode, other.emojiCode) ||
    compareTexts(one.reactionType, other.reactionType) ||
    one.userId - other.userId
  )
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
