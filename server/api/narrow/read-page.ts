/** Pages around an anchor, which is a message's id or a keyword. */

import type { Sql } from '../../../db/connection/connect.ts'
import { findFirstSince, findFirstUnread } from '../../../db/messages/find-messages.ts'
import type { MessageRun } from '../../../db/messages/message-chunks.ts'
import { readMessagesAfter, readMessagesBefore } from '../../../db/messages/message-pages.ts'
import { isOpenChannel, type MessageQuery } from '../../../db/messages/message-query.ts'
import { NEWEST, NEWEST_MIN, type PageBounds } from '../../domain/messages/page-bounds.ts'

/** An ISO 8601 time in milliseconds; UTC by default. */
function parseTime(text: string): number | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/i.exec(
    text,
  )
  if (!match) return undefined
  const [, date, time = '00:00', zone = 'Z'] = match
  const ms = Date.parse(`${date}T${time}${zone.toUpperCase()}`)
  return Number.isNaN(ms) ? undefined : ms
}

/** The anchor of a text that needs no lookup. */
export function parseAnchor(text: string): number | undefined {
  if (text === 'newest') return NEWEST
  if (text === 'oldest') return 0
  if (!/^-?[0-9]{1,17}$/.test(text)) return undefined
  return Math.min(Math.max(Number(text), 0), NEWEST)
}

/** The anchor as a number; undefined if it is invalid, `no_date` if its date is missing. */
export async function resolveAnchor(
  text: string,
  date: string | undefined,
  sql: Sql,
  query: MessageQuery,
): Promise<number | 'no_date' | undefined> {
  if (text === 'first_unread') return (await findFirstUnread(sql, query)) ?? NEWEST
  if (text === 'date') {
    if (date === undefined) return 'no_date'
    const ms = parseTime(date)
    if (ms === undefined) return undefined
    return (await findFirstSince(sql, query, Math.ceil(ms / 1000))) ?? NEWEST
  }
  return parseAnchor(text)
}

const NOT_READ: MessageRun = { messages: [], isComplete: false }

/**
 * Connections for pages: `pageSql` plans a statement once; for a page of one channel, planning takes as long as
 * reading.
 */
export interface PageSource {
  readonly sql: Sql
  readonly pageSql: Sql
}

/** The messages around an anchor, ascending. */
export async function readPage(source: PageSource, query: MessageQuery, bounds: PageBounds) {
  const { anchor, before, after, isAnchorIncluded } = bounds
  const sql = isOpenChannel(query) ? source.pageSql : source.sql
  const isAtStart = anchor === 0
  const isAtEnd = anchor > query.reader.asOf
  // An id beyond the end is no promise: the next request may find newer messages before it.
  const isOfNewest = anchor >= NEWEST_MIN
  if (after === 0 && before > 0 && !isAtStart) {
    // The anchor's message belongs to the page, if it exists.
    const wanted = isAnchorIncluded ? before + 1 : before
    const older = await readMessagesBefore(sql, query, isAnchorIncluded ? anchor : anchor - 1, wanted)
    const messages = older.messages[0]?.id === anchor ? older.messages : older.messages.slice(0, before)
    return {
      messages: [...messages].reverse(),
      isOldestFound: older.isComplete && messages.length === older.messages.length,
      isNewestFound: isOfNewest,
    }
  }
  // The anchor's message is read with the later half.
  const isLaterRead = !isAtEnd && (after > 0 || isAnchorIncluded)
  const readOlder = async () =>
    before > 0 && !isAtStart ? readMessagesBefore(sql, query, anchor - 1, before) : NOT_READ
  const readNewer = async () => (isLaterRead ? readMessagesAfter(sql, query, anchor, after + 1) : NOT_READ)
  // A search has one connection, and one statement at a time that can be cancelled.
  const isSearch = query.filter.searches.length > 0
  const [older, newer] = isSearch
    ? [await readOlder(), await readNewer()]
    : await Promise.all([readOlder(), readNewer()])
  const isAnchorFound = newer.messages[0]?.id === anchor
  const atAnchor = isAnchorFound && isAnchorIncluded ? newer.messages.slice(0, 1) : []
  const afterAnchor = isAnchorFound ? newer.messages.slice(1) : newer.messages
  return {
    messages: [...[...older.messages].reverse(), ...atAnchor, ...afterAnchor.slice(0, after)],
    isOldestFound: isAtStart || older.isComplete,
    isNewestFound:
      isOfNewest || (after > 0 && (isAtEnd || (newer.isComplete && afterAnchor.length <= after))),
  }
}

/**
 * The ids between which a page of one channel has all messages; undefined if messages between them are missing. `asOf`
 * is the newest event that was checked.
 */
export function spanOf(
  { anchor, before, after, isAnchorIncluded }: PageBounds,
  { messages, isOldestFound, isNewestFound }: Awaited<ReturnType<typeof readPage>>,
  asOf: number,
): readonly [from: number, through: number] | undefined {
  if (!isAnchorIncluded && after > 0) return undefined
  const [first, last] = [messages[0]?.id, messages.at(-1)?.id]
  const from = before > 0 ? (isOldestFound ? 0 : first) : anchor
  const through = after > 0 ? (isNewestFound ? asOf : last) : isAnchorIncluded ? anchor : anchor - 1
  return from === undefined || through === undefined ? undefined : [from, Math.min(through, asOf)]
}
