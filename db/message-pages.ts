/** Pages of messages, with the reader's rights inside the query. */

import { type Message, textLengthOf } from '../server/domain/entities.ts'
import type { ChannelId, EventId, MessageId } from '../server/domain/ids.ts'
import type { Sql } from './connect.ts'
import { matchingFilter } from './message-filter.ts'
import { isNarrowed, isOpenChannel, matching, type MessageQuery, received } from './message-query.ts'
import { type Direction, idsInRanges } from './message-ranges.ts'
import { columns, completeMessage, type OwnRow, ownColumns, type Row, toMessage } from './message-rows.ts'

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
