/** Converts rows to messages. */

import type { Destination, Message, MessageEdit, Reaction, Submessage } from '../../server/domain/entities.ts'
import type { ChannelId, ConversationId, EventId, UserId } from '../../server/domain/ids.ts'
import type { Mention } from '../../server/domain/messages/message-flags.ts'
import type { Moves, Stay } from '../../server/domain/messages/moves.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import { allEditsOf, editsOf } from './message-edits.ts'
import type { Statement } from '../log/write-batch.ts'
import { reactionsOf } from './reactions.ts'
import { submessagesOf } from './submessages.ts'

/** Parts that most messages lack. */
export type Details = Pick<Message, 'isForAll' | 'editedAt' | 'movedAt'> & {
  mentions: Mention[] | null
  unreadFor: UserId[] | null
  placedId: EventId | null
  passed: Stay[] | null
  reactions: Reaction[] | null
  edits: MessageEdit[] | null
  submessages: Submessage[] | null
}

/** A row of a message without its place. */
export type OwnRow = Pick<
  Message,
  'id' | 'senderId' | 'content' | 'rendered' | 'sentAt' | 'client' | 'readById'
> & {
  topic: string
  details: Details | null
}

/** A row of a message. */
export type Row = OwnRow & {
  channelId: ChannelId | null
  conversationId: ConversationId | null
  userIds: UserId[] | null
}

/** The columns of messages `m`. */
export const columns = (sql: Sql) => sql`${placeColumns(sql)}, ${ownColumns(sql)}`

/** The columns of messages `m` with all of their edits, however many and long they are. */
export const wholeColumns = (sql: Sql | Transaction) =>
  sql`${placeColumns(sql)}, ${columnsWith(sql, allEditsOf(sql))}`

const placeColumns = (sql: Sql | Transaction) =>
  sql`m.channel_id as "channelId", m.conversation_id as "conversationId", ${partners(sql)}`

/** The columns of messages `m` of a known channel. Rare parts come as one column, which is null for most messages. */
export const ownColumns = (sql: Sql) => columnsWith(sql, editsOf(sql))

const columnsWith = (
  sql: Sql | Transaction,
  edits: Statement,
) => sql`m.id, m.topic, m.sender_id as "senderId", m.content, m.rendered,
  m.sent_at as "sentAt", m.client, m.read_by_id as "readById",
  (case when m.has_parts or m.is_for_all or coalesce(m.edited_at, m.moved_at, m.placed_id) is not null
    or m.mentions is not null or m.unread_for is not null
  then json_build_object('mentions', m.mentions, 'unreadFor', m.unread_for, 'isForAll', m.is_for_all, 'placedId', m.placed_id,
    'passed', m.passed, 'editedAt', m.edited_at, 'movedAt', m.moved_at, 'reactions', ${reactionsOf(sql)},
    'edits', ${edits}, 'submessages', ${submessagesOf(sql)}) end) as details`

/** The partners of a direct message `m`. */
export const partners = (sql: Sql | Transaction) =>
  sql`(select user_ids from conversations c where c.id = m.conversation_id) as "userIds"`

/** The message of a row. */
export function toMessage(row: Row): Message {
  return completeMessage(row, destinationOf(row))
}

const NOTHING: readonly never[] = []

/** The message of a row, at `destination`. */
// Each field by name: a page has a hundred rows, and spreading one took as long as reading it.
export function completeMessage(row: OwnRow, destination: Destination): Message {
  const { details } = row
  return {
    id: row.id,
    destination,
    senderId: row.senderId,
    content: row.content,
    rendered: row.rendered,
    sentAt: row.sentAt,
    client: row.client,
    readById: row.readById,
    ...(details?.unreadFor ? { unreadFor: details.unreadFor } : {}),
    mentions: details?.mentions ?? NOTHING,
    isForAll: details?.isForAll ?? false,
    moves: movesOf(details?.placedId ?? null, details?.passed ?? null),
    editedAt: details?.editedAt ?? null,
    movedAt: details?.movedAt ?? null,
    reactions: details?.reactions ?? NOTHING,
    edits: details?.edits ?? NOTHING,
    submessages: details?.submessages ?? NOTHING,
  }
}

/** The destination of a row's message. */
export function destinationOf({
  channelId,
  conversationId,
  userIds,
  topic,
}: Pick<Row, 'channelId' | 'conversationId' | 'userIds' | 'topic'>): Destination {
  return channelId === null
    ? { kind: 'direct', conversationId: conversationId as ConversationId, userIds: userIds ?? [] }
    : { kind: 'channel', channelId, topic }
}

/** The moves of a message, or null if it never left its channel. */
export function movesOf(placedId: EventId | null, passed: readonly Stay[] | null): Moves | null {
  return placedId === null ? null : { placedId, passed: passed ?? [] }
}
