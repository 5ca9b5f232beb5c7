/** Pages of messages, with the reader's rights inside the query. */

import {
  type Destination,
  type Message,
  type MessageEdit,
  type Reaction,
  type Submessage,
  textLengthOf,
} from '../server/domain/entities.ts'
import type { ChannelId, ConversationId, EventId, MessageId, UserId } from '../server/domain/ids.ts'
import type { Mention } from '../server/domain/message-flags.ts'
import type { Moves, Stay } from '../server/domain/places.ts'
import type { Sql } from './connect.ts'
import { editsOf } from './message-edits.ts'
import { isPlace, type MessageFilter, matchingFilter, NO_FILTER } from './message-filter.ts'
import { findOwnLeader, idsOfOwn, type OwnProperty, withoutOwn } from './message-properties.ts'
import { findByLeader } from './message-search.ts'
import { reactionsOf } from './reactions.ts'
import { submessagesOf } from './submessages.ts'

/** Whose messages these are, and how much of them may be read. */
export interface Reader {
  readonly userId: UserId
  /** Channels whose content the reader may read now. */
  readonly readableChannelIds: readonly ChannelId[]
  /** A channel that is narrowed to and whose whole history the reader may read, subscribed or not. */
  readonly openChannelId: ChannelId | undefined
  /** The same of a kind of channels that is narrowed to. */
  readonly openChannelIds?: readonly ChannelId[]
  /** The event as of which the above holds; nothing later is read. */
  readonly asOf: EventId
}

/** What is asked for. */
export interface MessageQuery {
  readonly reader: Reader
  readonly filter: MessageFilter
}

/** Messages from one place on, in the direction asked for. */
export interface MessageRun {
  readonly messages: readonly Message[]
  /** Whether there are no more in that direction. */
  readonly isComplete: boolean
}

/** Rows read at a time: a page is ended early, not read into memory whole, where its messages are huge. */
const CHUNK_LENGTH = 250
/** Characters of content and HTML in one run: a page of the greatest length with messages ten times the usual. */
const RUN_TEXT_LENGTH_MAX = 16 * 1024 * 1024
/** Newest messages of everyone that are looked through before each source of the reader's own is asked. */
const WINDOW_LENGTH_MIN = 2_000

type Direction = 'before' | 'after'

/** What most messages have nothing of. */
export type Details = Pick<Message, 'isForAll' | 'editedAt' | 'movedAt'> & {
  mentions: Mention[] | null
  placedId: EventId | null
  passed: Stay[] | null
  reactions: Reaction[] | null
  edits: MessageEdit[] | null
  submessages: Submessage[] | null
}

/** A message as the columns have it, but for where it is. */
type OwnRow = Pick<Message, 'id' | 'senderId' | 'content' | 'rendered' | 'sentAt' | 'client' | 'readById'> & {
  topic: string
  details: Details | null
}

/** A message as the columns have it. */
export type Row = OwnRow & {
  channelId: ChannelId | null
  conversationId: ConversationId | null
  userIds: UserId[] | null
}

/** What is read of messages `m`. */
export const columns = (sql: Sql) => sql`m.channel_id as "channelId", m.conversation_id as "conversationId",
  ${partners(sql)}, ${ownColumns(sql)}`

/** What is read of messages `m` of a channel that is known. The rarer things come as one, and mostly as nothing. */
const ownColumns = (sql: Sql) => sql`m.id, m.topic, m.sender_id as "senderId", m.content, m.rendered,
  m.sent_at as "sentAt", m.client, m.read_by_id as "readById",
  (case when m.has_parts or m.is_for_all or coalesce(m.edited_at, m.moved_at, m.placed_id) is not null
    or m.mentions is not null
  then json_build_object('mentions', m.mentions, 'isForAll', m.is_for_all, 'placedId', m.placed_id,
    'passed', m.passed, 'editedAt', m.edited_at, 'movedAt', m.moved_at, 'reactions', ${reactionsOf(sql)},
    'edits', ${editsOf(sql)}, 'submessages', ${submessagesOf(sql)}) end) as details`

/** The partners of a direct message `m`. */
export const partners = (sql: Sql) =>
  sql`(select user_ids from conversations c where c.id = m.conversation_id) as "userIds"`

/** Up to `count` messages with an id of at most `throughId`, descending. */
export function readMessagesBefore(
  sql: Sql,
  query: MessageQuery,
  throughId: number,
  count: number,
): Promise<MessageRun> {
  return readRun(sql, query, 'before', throughId, count)
}

/** Up to `count` messages with an id of at least `fromId`, ascending. */
export function readMessagesAfter(
  sql: Sql,
  query: MessageQuery,
  fromId: number,
  count: number,
): Promise<MessageRun> {
  return readRun(sql, query, 'after', fromId, count)
}

async function readRun(
  sql: Sql,
  query: MessageQuery,
  direction: Direction,
  startId: number,
  count: number,
): Promise<MessageRun> {
  const messages: Message[] = []
  let textLength = 0
  let fromId = startId
  for (;;) {
    // One more than wanted tells whether there are more.
    const wanted = Math.min(CHUNK_LENGTH, count - messages.length + 1)
    const chunk = await readChunk(sql, query, direction, fromId, wanted)
    for (const message of chunk) {
      textLength += textLengthOf(message)
      if (messages.length === count || (textLength > RUN_TEXT_LENGTH_MAX && messages.length > 0)) {
        return { messages, isComplete: false }
      }
      messages.push(message)
    }
    if (chunk.length < wanted) return { messages, isComplete: true }
    fromId = (chunk.at(-1) as Message).id + (direction === 'before' ? -1 : 1)
  }
}

async function readChunk(
  sql: Sql,
  query: MessageQuery,
  direction: Direction,
  fromId: number,
  count: number,
): Promise<Message[]> {
  const { reader, filter } = query
  if (isOpenChannel(query)) return readChannelChunk(sql, query, direction, fromId, count)
  if (!isNarrowed(query)) {
    // Most readers received most of what was sent around here; those who did not are not made to read it all.
    const span = Math.max(WINDOW_LENGTH_MIN, count * 4)
    const isBefore = direction === 'before'
    const from = isBefore ? Math.min(fromId, reader.asOf) : fromId
    const until = isBefore ? from - span : from + span
    const near = await sql<Row[]>`
      select ${columns(sql)} from messages m
      where m.id between ${Math.min(from, until)} and ${Math.max(from, until)} and m.id <= ${reader.asOf}
        and ${received(sql, reader)} and ${matchingFilter(sql, filter)}
      order by m.id ${isBefore ? sql`desc` : sql`asc`} limit ${count}`
    if (near.length === count || (isBefore ? until <= 0 : until > reader.asOf)) return near.map(toMessage)
  }
  const rows = await sql<Row[]>`
    select ${columns(sql)} from messages m
    where m.id = any(array(${idsInRanges(sql, query, direction, fromId, sql`true`, count)}))
    order by m.id ${direction === 'before' ? sql`desc` : sql`asc`}`
  return rows.map(toMessage)
}

/** Whether a channel whose whole history may be read, or one topic of it, is all that is asked for. */
export function isOpenChannel({ reader, filter }: MessageQuery): boolean {
  return isPlace(filter) && filter.channelId === reader.openChannelId
}

/**
 * As `readChunk` for an open channel, which is most of what is asked for: planning the general query takes longer
 * than this. Each statement is written whole, since putting it together of pieces takes half as long as running it.
 */
async function readChannelChunk(
  sql: Sql,
  { reader, filter }: MessageQuery,
  direction: Direction,
  fromId: number,
  count: number,
): Promise<Message[]> {
  const channelId = filter.channelId as ChannelId
  const isBefore = direction === 'before'
  const low = isBefore ? 0 : fromId
  const high = isBefore ? Math.min(fromId, reader.asOf) : reader.asOf
  const select = sql`select ${ownColumns(sql)} from messages m`
  const order = isBefore ? sql`desc` : sql`asc`
  const rows =
    filter.topic === undefined
      ? await sql<OwnRow[]>`${select}
          where m.channel_id is not null and (m.channel_id, m.id) between (${channelId}, ${low}) and (${channelId}, ${high})
          order by m.channel_id ${order}, m.id ${order} limit ${count}`
      : await sql<OwnRow[]>`${select}
          where m.channel_id is not null and (m.channel_id, lower(m.topic), m.id)
            between (${channelId}, lower(${filter.topic}::text), ${low})
              and (${channelId}, lower(${filter.topic}::text), ${high})
          order by m.channel_id ${order}, lower(m.topic) ${order}, m.id ${order} limit ${count}`
  return rows.map((row) => completeMessage(row, { kind: 'channel', channelId, topic: row.topic }))
}

/** Whether something leads to the messages other than that the reader received them. */
function isNarrowed({ filter }: MessageQuery): boolean {
  const { isNothing, channelId, topic, conversationId, isDirect, senderId, onlyId, onlyConversationIds } =
    filter
  if (findOwnLeader(filter)) return true
  const leaders = [channelId, topic, conversationId, senderId, onlyId, onlyConversationIds]
  return isNothing || leaders.some((one) => one !== undefined) || isDirect === true
}

/** Those of the given messages that the reader may read, ascending; undefined where they are too much text. */
export async function readMessagesById(
  sql: Sql,
  query: MessageQuery,
  ids: readonly MessageId[],
): Promise<Message[] | undefined> {
  const messages: Message[] = []
  const sorted = [...new Set(ids)].sort((a, b) => a - b)
  let textLength = 0
  for (let start = 0; start < sorted.length; start += CHUNK_LENGTH) {
    const rows = await sql<Row[]>`
      select ${columns(sql)} from messages m
      where m.id = any(${sorted.slice(start, start + CHUNK_LENGTH)}::bigint[]) and ${matching(sql, query)}
      order by m.id`
    for (const row of rows) {
      const message = toMessage(row)
      textLength += textLengthOf(message)
      messages.push(message)
    }
    if (textLength > RUN_TEXT_LENGTH_MAX) return undefined
  }
  return messages
}

/** The oldest message that matches and that the reader has not read, if there is one. */
export function findFirstUnread(sql: Sql, query: MessageQuery): Promise<MessageId | undefined> {
  const { userId } = query.reader
  const unread = { property: { name: 'unread', userId } as const, isNegated: false }
  const filter = { ...query.filter, properties: [...query.filter.properties, unread] }
  return findFirst(sql, { ...query, filter }, 0, sql`true`)
}

/** Ids are in the order of commits, so times rise with them, but for clocks apart and for slow commits. */
const DISORDER_SECONDS_MAX = 600

/** The oldest message sent at a time or later that matches, if there is one. */
export async function findFirstSince(
  sql: Sql,
  query: MessageQuery,
  sentAt: number,
): Promise<MessageId | undefined> {
  const { asOf } = query.reader
  const earlier = sentAt - DISORDER_SECONDS_MAX
  // Halves the ids until a message is found before which all are older.
  const [bound] = await sql<{ id: number }[]>`
    with recursive search (low, high) as (
      select 0::bigint, ${asOf + 1}::bigint
      union all
      select case when probe.sent_at < ${earlier} then probe.id else low end,
        case when probe.sent_at < ${earlier} then high else mid end
      from (select low, high, (low + high) / 2 as mid from search where high - low > 1) step
        left join lateral (select id, sent_at from messages where id >= step.mid order by id limit 1) probe on true
    )
    select max(low) as id from search`
  return findFirst(sql, query, bound?.id ?? 0, sql`m.sent_at >= ${sentAt}`)
}

async function findFirst(
  sql: Sql,
  query: MessageQuery,
  fromId: number,
  condition: ReturnType<typeof matchingFilter>,
): Promise<MessageId | undefined> {
  const [row] = await sql<{ id: MessageId }[]>`${idsInRanges(sql, query, 'after', fromId, condition, 1)}`
  return row?.id
}

/** The newest messages of a channel as of an event, ascending, whoever reads. */
export async function readNewestOfChannel(
  sql: Sql,
  channelId: ChannelId,
  asOf: EventId,
  count: number,
): Promise<Message[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from messages m
    where m.channel_id = ${channelId} and m.id <= ${asOf} order by m.id desc limit ${count}`
  return rows.map(toMessage).reverse()
}

/** The newest message that the reader received; 0 without any. */
export async function findNewestReceived(sql: Sql, reader: Reader): Promise<number> {
  const query = { reader, filter: NO_FILTER }
  const [row] = await sql<{ id: number }[]>`${idsInRanges(sql, query, 'before', reader.asOf, sql`true`, 1)}`
  return row?.id ?? 0
}

/** The filter and the rights. */
function matching(sql: Sql, { reader, filter }: MessageQuery) {
  const { openChannelId } = reader
  const isAllowed = openChannelId === undefined ? received(sql, reader) : sql`m.channel_id = ${openChannelId}`
  return sql`m.id <= ${reader.asOf} and ${isAllowed} and ${matchingFilter(sql, filter)}`
}

/** Sent or moved to a channel while the reader was subscribed to it, as far as that is readable still, or to a conversation. */
export function received(sql: Sql, { userId, readableChannelIds, openChannelIds = [] }: Reader) {
  return sql`(
    m.channel_id = any(${[...openChannelIds]}::int[])
    or (m.channel_id = any(${[...readableChannelIds]}::int[]) and exists (
      select 1 from subscription_spans s
      where s.user_id = ${userId} and s.channel_id = m.channel_id and coalesce(m.placed_id, m.id) > s.from_id
        and (s.until_id is null or coalesce(m.placed_id, m.id) <= s.until_id)))
    or m.conversation_id in (select id from conversations where user_ids @> array[${userId}::int]))`
}

/**
 * The ids of what may be read and matches, by looking into each range of an index that may hold some:
 * a subscription, a conversation, a sender. So the work grows with these and with `count`, not with
 * what others were sent. The ranges are compared as rows, which only the index with these columns
 * serves: with equal columns and an order by id, the planner walked the whole table at times.
 */
function idsInRanges(
  sql: Sql,
  query: MessageQuery,
  direction: Direction,
  fromId: number,
  condition: ReturnType<typeof matchingFilter>,
  count: number,
) {
  const { reader, filter } = query
  const { userId, openChannelId, asOf } = reader
  const isBefore = direction === 'before'
  const order = isBefore ? sql`desc` : sql`asc`
  // Ids after `low`, up to and with `high`.
  const low = isBefore ? 0 : fromId - 1
  const high = isBefore ? Math.min(fromId, asOf) : asOf
  const matches = sql`${condition} and ${matchingFilter(sql, filter)}`
  const inChannels = () => {
    const { openChannelIds = [], readableChannelIds } = reader
    const opened = new Set(openChannelIds)
    const closedIds = (filter.onlyChannelIds ?? readableChannelIds).filter((id) => !opened.has(id))
    const spans =
      openChannelId === undefined
        ? sql`select channel_id, from_id, until_id, false as is_open from subscription_spans
            where user_id = ${userId} and channel_id = any(${[...readableChannelIds]}::int[])
              and channel_id = any(${closedIds}::int[])
              and (${filter.channelId ?? null}::int is null or channel_id = ${filter.channelId ?? null}::int)
            union all
            select id, 0::bigint, null::bigint, true from unnest(${[...openChannelIds]}::int[]) id
              where ${filter.channelId ?? null}::int is null or id = ${filter.channelId ?? null}::int`
        : sql`select ${openChannelId}::int as channel_id, 0::bigint as from_id, null::bigint as until_id, true as is_open`
    const [key, value, sorting] =
      filter.topic === undefined
        ? [sql`m.channel_id`, sql`s.channel_id`, sql`m.channel_id ${order}`]
        : [
            sql`m.channel_id, lower(m.topic)`,
            sql`s.channel_id, lower(${filter.topic}::text)`,
            sql`m.channel_id ${order}, lower(m.topic) ${order}`,
          ]
    // What was moved there lies by its id where the reader may not have been there yet: it is looked for by its move.
    return sql`(select found.id from (${spans}) s, lateral (
      select m.id from messages m
      where m.channel_id is not null and (${key}, m.id) > (${value}, greatest(s.from_id, ${low}::bigint))
        and (${key}, m.id) <= (${value}, least(s.until_id, ${high}::bigint))
        and (s.is_open or m.placed_id is null) and ${matches}
      order by ${sorting}, m.id ${order} limit ${count}) found)
    union all (select found.id from (${spans}) s, lateral (
      select m.id from messages m
      where not s.is_open and m.channel_id = s.channel_id and m.placed_id is not null
        and m.placed_id > s.from_id and (s.until_id is null or m.placed_id <= s.until_id)
        and m.id > ${low}::bigint and m.id <= ${high}::bigint
        and (${filter.topic === undefined} or lower(m.topic) = lower(${filter.topic ?? ''}::text)) and ${matches}
      order by m.id ${order} limit ${count}) found)`
  }
  const inConversations = () => sql`select found.id from conversations c, lateral (
      select m.id from messages m
      where m.conversation_id is not null and (m.conversation_id, m.id) > (c.id, ${low}::bigint)
        and (m.conversation_id, m.id) <= (c.id, ${high}::bigint) and ${matches}
      order by m.conversation_id ${order}, m.id ${order} limit ${count}) found
    where c.user_ids @> array[${userId}::int]
      and (${filter.conversationId ?? null}::int is null or c.id = ${filter.conversationId ?? null}::int)
      and (${filter.onlyConversationIds === undefined} or c.id = any(${[...(filter.onlyConversationIds ?? [])]}::int[]))`
  const ofSender = (senderId: UserId) => sql`select found.id from (
      select m.id from messages m
      where (m.sender_id, m.id) > (${senderId}::int, ${low}::bigint)
        and (m.sender_id, m.id) <= (${senderId}::int, ${high}::bigint) and ${received(sql, reader)} and ${matches}
      order by m.sender_id ${order}, m.id ${order} limit ${count}) found`
  const allowed = () =>
    openChannelId === undefined ? received(sql, reader) : sql`m.channel_id = ${openChannelId}`
  const ofId = () => sql`select m.id from messages m
      where m.id = ${filter.onlyId ?? 0}::bigint and m.id > ${low} and m.id <= ${high} and ${allowed()} and ${matches}`
  // All that the index finds, before anything is sorted: a word that many have was found in the newest already.
  const withLeader = () => sql`with found as materialized (${findByLeader(sql, filter.searches, low, high)})
      select m.id from found join messages m on m.id = found.id where ${allowed()} and ${matches}
      order by m.id ${order} limit ${count}`
  // What the reader marked, has not read or is mentioned in is less than what they may read.
  const own = findOwnLeader(filter)
  const withOwn = (name: OwnProperty) => sql`
      select m.id from messages m
      where m.id = any(array(${idsOfOwn(sql, name, userId, low, high)})) and m.id > ${low} and m.id <= ${high}
        and ${allowed()} and ${condition} and ${matchingFilter(sql, withoutOwn(filter, name))}
      order by m.id ${order} limit ${count}`
  const ranges = () => {
    if (filter.onlyId !== undefined) return ofId()
    if (filter.searches.some(({ isNegated }) => !isNegated)) return withLeader()
    if (own) return withOwn(own)
    if (filter.onlyConversationIds !== undefined) return inConversations()
    if (filter.onlyChannelIds !== undefined) return inChannels()
    if (filter.isDirect === true || filter.conversationId !== undefined) return inConversations()
    if (filter.channelId !== undefined || filter.topic !== undefined || filter.isDirect === false)
      return inChannels()
    if (filter.senderId !== undefined) return ofSender(filter.senderId)
    return sql`(${inChannels()}) union all (${inConversations()})`
  }
  return sql`select found.id from (${ranges()}) found order by found.id ${order} limit ${count}`
}

/** The message of a row. */
export function toMessage(row: Row): Message {
  return completeMessage(row, destinationOf(row))
}

const NOTHING: readonly never[] = []

// Each field by name: a page is a hundred of these, and spreading a row took as long as reading it.
function completeMessage(row: OwnRow, destination: Destination): Message {
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

/** Where the message of a row is. */
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

/** How a message came where it is, if it was not sent there. */
export function movesOf(placedId: EventId | null, passed: readonly Stay[] | null): Moves | null {
  return placedId === null ? null : { placedId, passed: passed ?? [] }
}
