/** Pages of messages, with the reader's rights as part of the query. */

import { type Message, textLengthOf } from '../../server/domain/entities.ts'
import type { ChannelId, EventId, MessageId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import { CHUNK_LENGTH, type MessageRun, readChunk, RUN_TEXT_LENGTH_MAX } from './message-chunks.ts'
import { matchInTurns } from '../search/match-in-turns.ts'
import { matching, type MessageQuery } from './message-query.ts'
import type { Stretch } from './message-ranges.ts'
import { columns, type Row, toMessage } from './message-rows.ts'
import { FOUND_TEXT_LENGTH_MAX, searchMessages } from '../search/search-messages.ts'

/** Up to `count` messages with an id of at most `throughId`, descending. */
export function readMessagesBefore(
  sql: Sql,
  query: MessageQuery,
  throughId: number,
  count: number,
): Promise<MessageRun> {
  return readRun(sql, query, { direction: 'before', fromId: throughId, count })
}

/** Up to `count` messages with an id of at least `fromId`, ascending. */
export function readMessagesAfter(
  sql: Sql,
  query: MessageQuery,
  fromId: number,
  count: number,
): Promise<MessageRun> {
  return readRun(sql, query, { direction: 'after', fromId, count })
}

async function readRun(sql: Sql, query: MessageQuery, stretch: Stretch): Promise<MessageRun> {
  if (query.filter.searches.length > 0) return searchMessages(sql, { query, ...stretch })
  const { direction, count } = stretch
  const messages: Message[] = []
  let textLength = 0
  let { fromId } = stretch
  for (;;) {
    // One more than requested shows whether there are more.
    const wanted = Math.min(CHUNK_LENGTH, count - messages.length + 1)
    const chunk = await readChunk(sql, query, { direction, fromId, count: wanted })
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

/** The given messages that the reader may read, ascending; undefined if their text is too long. */
export async function readMessagesById(
  sql: Sql,
  query: MessageQuery,
  ids: readonly MessageId[],
): Promise<Message[] | undefined> {
  const messages: Message[] = []
  const { searches } = query.filter
  const isFound = matchInTurns(searches)
  const lengthMax = searches.length > 0 ? FOUND_TEXT_LENGTH_MAX : RUN_TEXT_LENGTH_MAX
  const sorted = [...new Set(ids)].sort((a, b) => a - b)
  let textLength = 0
  for (let start = 0; start < sorted.length; start += CHUNK_LENGTH) {
    const rows = await sql<Row[]>`
      select ${columns(sql)} from messages m
      where m.id = any(${sorted.slice(start, start + CHUNK_LENGTH)}::bigint[]) and ${matching(sql, query)}
      order by m.id`
    for (const row of rows) {
      if (!(await isFound(row.topic, row.content))) continue
      const message = toMessage(row)
      textLength += textLengthOf(message)
      messages.push(message)
    }
    if (textLength > lengthMax) return undefined
  }
  return messages
}

/** Messages by their ids, whatever the rights of a reader; at most some hundred. */
export async function readMessagesForAll(sql: Sql, ids: readonly MessageId[]): Promise<Message[]> {
  const rows = await sql<
    Row[]
  >`select ${columns(sql)} from messages m where m.id = any(${[...ids]}::bigint[])`
  return rows.map(toMessage)
}

/** The newest messages of a channel as of an event, ascending, for any reader. */
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
