/** Runs of messages from a position, as many as one statement reads. */

import type { Message } from '../../server/domain/entities.ts'
import type { ChannelId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import { matchingFilter } from './message-filter.ts'
import { isNarrowed, isOpenChannel, type MessageQuery, received } from './message-query.ts'
import { idsInRanges, type Stretch } from './message-ranges.ts'
import { columns, completeMessage, type OwnRow, ownColumns, type Row, toMessage } from './message-rows.ts'

/** Messages from a position, in the requested direction. */
export interface MessageRun {
  readonly messages: readonly Message[]
  /** Whether there are no more in that direction. */
  readonly isComplete: boolean
}

/** Rows per read: a page of huge messages ends early instead of being read whole. */
export const CHUNK_LENGTH = 250
/** Characters of content and HTML in one run: a page of maximum length with messages of ten times the typical size. */
export const RUN_TEXT_LENGTH_MAX = 16 * 1024 * 1024
/** Newest messages of all users that are searched before each of the reader's own sources. */
const WINDOW_LENGTH_MIN = 2_000

/** Up to `count` messages from a position, for any query. */
export async function readChunk(sql: Sql, query: MessageQuery, stretch: Stretch): Promise<Message[]> {
  const { reader, filter } = query
  const { direction, fromId, count } = stretch
  if (isOpenChannel(query)) return readChannelChunk(sql, query, stretch)
  if (!isNarrowed(query)) {
    // Most readers received most recent messages; the bound protects the others.
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
    where m.id = any(array(${idsInRanges(sql, query, stretch)}))
    order by m.id ${direction === 'before' ? sql`desc` : sql`asc`}`
  return rows.map(toMessage)
}

/**
 * Like `readChunk`, for an open channel, which most requests are for: planning the general query takes longer than this
 * one runs. Each statement is written out, since composing it from fragments takes half as long as running it.
 */
async function readChannelChunk(
  sql: Sql,
  { reader, filter }: MessageQuery,
  { direction, fromId, count }: Stretch,
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
