/** Stores edits and moves of messages, with the previous versions. */

import type { ChannelEnds, MessagesUpdated } from '../../server/domain/events/messages.ts'
import type { ChannelId, EventId, MessageId } from '../../server/domain/ids.ts'
import { EDITS_SHOWN_MAX, EDITS_TEXT_LENGTH_MAX, STAYS_MAX } from '../../server/domain/limits.ts'
import { findResolution } from '../../packages/rules/topics.ts'
import { UPLOADS_BASE } from '../../server/domain/files/uploads.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import { relinkUploads } from '../files/message-uploads.ts'
import { replacePreviews } from './link-previews.ts'
import { storePending } from '../notifications/pending-notifications.ts'
import { wakeForGone } from '../notifications/wake-workers.ts'
import { storeMentions } from './messages.ts'
import { StaleMessageError } from './stale-message.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'

/** Stores an edit or a move of messages that still have the event's previous place and content. */
export function storeMessageUpdate(writes: WriteBatch, id: InSql<EventId>, event: MessagesUpdated): void {
  requireEnds(writes, event)
  noteEdits(writes, id, event)
  if (event.content) storeContent(writes, event)
  storePending(writes, event.messageId, event.pending)
  if (event.move) storeMove(writes, id, event)
  // Readers of the former channel may not be readers of the other one.
  if (event.move?.toChannel) wakeForGone(writes, event.messageIds)
}

/** Stores the previous versions; the log is locked, so they stay current until the transaction ends. */
function noteEdits(writes: WriteBatch, id: InSql<EventId>, event: MessagesUpdated): void {
  const { messageId, messageIds, channelId, userId, editedAt, content, move } = event
  const newTopic = move && move.topic !== move.previousTopic ? move.topic : null
  const newChannelId = move?.toChannel?.channelId ?? null
  writes.change(
    writes.sql`
    insert into message_edits (message_id, id, user_id, edited_at, prev_content, prev_rendered, prev_topic, topic,
      prev_channel_id, channel_id)
    select m.id, ${id}, ${userId}, ${editedAt},
      case when m.id = ${messageId} then ${content?.previous ?? null}::text end,
      case when m.id = ${messageId} then ${content?.previousRendered ?? null}::text end,
      case when ${newTopic}::text is not null then m.topic end, ${newTopic}::text,
      case when ${newChannelId}::int is not null then m.channel_id end, ${newChannelId}::int
    from messages m
    where m.id = any(${[...messageIds]}::bigint[]) and m.channel_id is not distinct from ${channelId}::int
      and (${move === undefined} or lower(m.topic) = lower(${move?.previousTopic ?? ''}::text))
      and (${content === undefined} or m.id <> ${messageId} or m.content = ${content?.previous ?? ''}::text)`,
    messageIds.length,
    () => new StaleMessageError(),
  )
}

function storeContent(writes: WriteBatch, event: MessagesUpdated): void {
  const { messageId, editedAt, content, mentions = [], isForAll = false, uploadIds = [] } = event
  writes.add(writes.sql`
    update messages set content = ${content?.content ?? ''}, rendered = ${content?.rendered ?? ''},
      mentions = ${mentions.length === 0 ? null : writes.sql.json(mentions as never)}, is_for_all = ${isForAll},
      edited_at = ${editedAt}
    where id = ${messageId}`)
  // An edit removes its old links, though the edit history still shows the text.
  if (uploadIds.length > 0 || content?.previous.includes(UPLOADS_BASE))
    relinkUploads(writes, messageId, uploadIds)
  replacePreviews(writes, messageId, { waiting: event.links, pictureIds: event.pictureIds })
  writes.add(writes.sql`delete from mentions where message_id = ${messageId}`)
  if (mentions.length === 0) return
  storeMentions(writes, messageId, mentions)
}

function storeMove(
  writes: WriteBatch,
  id: InSql<EventId>,
  { messageIds, editedAt, move }: MessagesUpdated,
): void {
  if (!move) return
  const { previousTopic, topic, toChannel } = move
  const ids = [...messageIds]
  // Null if the topic was only resolved or unresolved, which clients do not show as a move.
  const movedAt = findResolution(previousTopic, topic) && !toChannel ? null : editedAt
  const whenMoved = writes.sql`moved_at = coalesce(${movedAt}::bigint, moved_at, 0),
    topic = case when ${topic !== previousTopic} then ${topic}::text else topic end`
  if (!toChannel) {
    writes.add(writes.sql`update messages set ${whenMoved} where id = any(${ids}::bigint[])`)
    return
  }
  writes.add(writes.sql`
    update messages set ${whenMoved}, channel_id = ${toChannel.channelId}, placed_id = ${id},
      passed = (case when jsonb_array_length(coalesce(passed, '[]')) < ${STAYS_MAX} then coalesce(passed, '[]')
          else passed - 1 end)
        || jsonb_build_array(jsonb_build_object('channelId', channel_id, 'placedId', coalesce(placed_id, id)))
    where id = any(${ids}::bigint[])`)
}

/**
 * Rejects a move between channels whose ends differ from the event's: messages were sent or deleted since. It comes
 * before all writes, because the log waits for futile ones too.
 */
function requireEnds(writes: WriteBatch, { messageIds, channelId, move }: MessagesUpdated): void {
  if (!move?.toChannel || channelId === null) return
  const { left, joined, channelId: toId } = move.toChannel
  const { sql } = writes
  const first = messageIds[0] ?? 0
  const last = messageIds.at(-1) ?? 0
  const refusal = () => new StaleMessageError('messages were sent or deleted since the move was decided')
  writes.require(
    sql`exists (select from (${endsOf(sql, channelId, messageIds)}) ends
      where "firstMessageId" is not distinct from ${left.firstMessageId}::bigint
        and "lastMessageAt" is not distinct from ${left.lastMessageAt}::bigint)`,
    refusal,
  )
  writes.require(
    sql`exists (select from (${endsOf(sql, toId, [])}) ends, messages last
      where last.id = ${last} and least("firstMessageId", ${first}::bigint) is not distinct from ${joined.firstMessageId}::bigint
        and case when "lastMessageId" > last.id then "lastMessageAt" else last.sent_at end
          is not distinct from ${joined.lastMessageAt}::bigint)`,
    refusal,
  )
}

/** A channel's ends after messages are moved there, from their first and their last. */
export function joinEnds(
  { firstMessageId, lastMessageId, lastMessageAt }: Awaited<ReturnType<typeof readEnds>>,
  firstId: MessageId,
  last: { readonly id: MessageId; readonly sentAt: number },
): ChannelEnds {
  return {
    firstMessageId: firstMessageId === null || firstId < firstMessageId ? firstId : firstMessageId,
    lastMessageAt: lastMessageId === null || last.id > lastMessageId ? last.sentAt : lastMessageAt,
  }
}

/** A channel's oldest message, and the time of its newest, without the given messages. */
export async function readEnds(
  sql: Sql,
  channelId: ChannelId,
  leftOut: readonly MessageId[] = [],
): Promise<ChannelEnds & { readonly lastMessageId: MessageId | null }> {
  const [ends] = await sql<
    {
      firstMessageId: MessageId | null
      lastMessageId: MessageId | null
      lastMessageAt: number | null
    }[]
  >`${endsOf(sql, channelId, leftOut)}`
  return ends ?? { firstMessageId: null, lastMessageId: null, lastMessageAt: null }
}

function endsOf(sql: Sql | Transaction, channelId: ChannelId, leftOut: readonly MessageId[]) {
  // A range of the index by channel and id, whatever the planner's statistics say.
  const inChannel = sql`m.channel_id is not null
    and (m.channel_id, m.id) between (${channelId}, 0) and (${channelId}, ${Number.MAX_SAFE_INTEGER}::bigint)
    and m.id not in (select id from left_out)`
  return sql`
    with left_out as materialized (select unnest(${[...leftOut]}::bigint[]) as id),
    last as (select m.id, m.sent_at from messages m where ${inChannel} order by m.channel_id desc, m.id desc limit 1)
    select (select m.id from messages m where ${inChannel} order by m.channel_id, m.id limit 1) as "firstMessageId",
      (select id from last) as "lastMessageId", (select sent_at from last) as "lastMessageAt"`
}

/**
 * The edits of a message `m`, newest first; null for none. Leaves out the oldest of many or long ones, since a page
 * holds those of all its messages.
 */
export const editsOf = (sql: Sql | Transaction) =>
  sql`(case when m.edited_at is null and m.moved_at is null then null else (
    select json_agg(${editColumns(sql)} order by e.id desc)
    from (select n.*, row_number() over later as place,
        sum(coalesce(length(n.prev_content) + length(n.prev_rendered), 0)) over later as length
      from (select * from message_edits where message_id = m.id order by id desc limit ${EDITS_SHOWN_MAX}) n
      window later as (order by n.id desc)) e
    where e.place = 1 or e.length <= ${EDITS_TEXT_LENGTH_MAX}) end)`

/** All edits of a message `m`, newest first; null for none. */
export const allEditsOf = (sql: Sql | Transaction) =>
  sql`(select json_agg(${editColumns(sql)} order by e.id desc) from message_edits e where e.message_id = m.id)`

/** An edit `e`. */
const editColumns = (sql: Sql | Transaction) => sql`json_strip_nulls(json_build_object(
  'id', e.id, 'userId', e.user_id, 'editedAt', e.edited_at,
  'content', case when e.prev_content is not null
    then json_build_object('previous', e.prev_content, 'previousRendered', e.prev_rendered) end,
  'topic', case when e.prev_topic is not null then json_build_object('previous', e.prev_topic, 'now', e.topic) end,
  'channelId', case when e.prev_channel_id is not null
    then json_build_object('previous', e.prev_channel_id, 'now', e.channel_id) end))`
