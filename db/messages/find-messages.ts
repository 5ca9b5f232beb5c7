/** Finds the message at which a page starts: the first unread, the first since a time, or the newest received. */

import type { Message } from '../../server/domain/entities.ts'
import type { MessageId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import { type matchingFilter, NO_FILTER } from './message-filter.ts'
import { type MessageQuery, type Reader, received } from './message-query.ts'
import { idsInRanges } from './message-ranges.ts'
import { searchMessages } from '../search/search-messages.ts'

/** The oldest matching message that the reader has not read, if there is one. */
export function findFirstUnread(sql: Sql, query: MessageQuery): Promise<MessageId | undefined> {
  const { userId } = query.reader
  const unread = { property: { name: 'unread', userId } as const, isNegated: false }
  const filter = { ...query.filter, properties: [...query.filter.properties, unread] }
  if (filter.searches.length > 0) return searchFirst(sql, { ...query, filter }, 0)
  return findFirst(sql, { ...query, filter }, 0, sql`true`)
}

/** Ids follow the order of commits, so times increase with them, except for clock differences, slow commits and imports. */
const DISORDER_SECONDS_MAX = 600

/** Breaks of the order that are looked at: an import has one, and one for each time that somebody wrote meanwhile. */
const BREAKS_MAX = 200

/** Consecutive ids whose times increase, and the id from which a search has to look there. */
interface Stretch {
  readonly fromId: number
  /** The first id behind it. */
  readonly endId: number
}

/** The oldest matching message sent at a time or later, if there is one. */
export async function findFirstSince(
  sql: Sql,
  query: MessageQuery,
  sentAt: number,
): Promise<MessageId | undefined> {
  const stretches = await findStretches(sql, query.reader.asOf, sentAt - DISORDER_SECONDS_MAX)
  const fromId = Math.min(...stretches.map((stretch) => stretch.fromId))
  if (query.filter.searches.length > 0)
    return searchFirst(sql, query, fromId, (message) => message.sentAt >= sentAt)
  if (stretches.length === 1) return findFirst(sql, query, fromId, sql`m.sent_at >= ${sentAt}`)
  const found: MessageId[] = []
  for (const stretch of stretches) {
    const isThere = sql`m.sent_at >= ${sentAt} and m.id < ${stretch.endId}`
    const id = await findFirst(sql, query, stretch.fromId, isThere)
    if (id !== undefined) found.push(id)
  }
  const [oldest] = await sql<{ id: MessageId }[]>`
    select id from messages where id = any(${found}::bigint[]) order by sent_at, id limit 1`
  return oldest?.id
}

/** Bisects the ids of each stretch for a message before which all are older. */
async function findStretches(sql: Sql, asOf: number, earlier: number): Promise<Stretch[]> {
  return sql<Stretch[]>`
    with recursive stretch as (
      select start, lead(start, 1, ${asOf + 1}::bigint) over (order by start) as stop from (
        select 0::bigint as start
        union all (select id from time_breaks where id <= ${asOf} order by id limit ${BREAKS_MAX})) s
    ), search (start, stop, low, high) as (
      select start, stop, start, stop from stretch
      union all
      select start, stop, case when probe.sent_at < ${earlier} then probe.id else low end,
        case when probe.sent_at < ${earlier} then high else mid end
      from (select start, stop, low, high, (low + high) / 2 as mid from search where high - low > 1) step
        left join lateral (
          select id, sent_at from messages where id >= step.mid and id < step.stop order by id limit 1) probe on true
    )
    select max(low) as "fromId", stop as "endId" from search group by start, stop order by start`
}

async function findFirst(
  sql: Sql,
  query: MessageQuery,
  fromId: number,
  condition: ReturnType<typeof matchingFilter>,
): Promise<MessageId | undefined> {
  const [row] = await sql<
    { id: MessageId }[]
  >`${idsInRanges(sql, query, { direction: 'after', fromId, count: 1 }, condition)}`
  return row?.id
}

async function searchFirst(
  sql: Sql,
  query: MessageQuery,
  fromId: number,
  accepts?: (message: Message) => boolean,
): Promise<MessageId | undefined> {
  const request = { query, direction: 'after', fromId, count: 1, ...(accepts && { accepts }) } as const
  const { messages } = await searchMessages(sql, request)
  return messages[0]?.id
}

/** Recent messages that contain almost everyone's newest: they are searched before all ranges. */
const RECENT_MAX = 256

/** The newest message that the reader received; 0 for none. */
export async function findNewestReceived(sql: Sql, reader: Reader): Promise<number> {
  const [recent] = await sql<[{ count: number; id: number | null }]>`
    with recent as materialized (
      select id, channel_id, conversation_id, placed_id from messages where id <= ${reader.asOf}
      order by id desc limit ${RECENT_MAX})
    select (select count(*)::int from recent) as count,
      (select m.id from recent m where ${received(sql, reader)} order by m.id desc limit 1) as id`
  if (recent.id !== null) return recent.id
  if (recent.count < RECENT_MAX) return 0
  const query = { reader, filter: NO_FILTER }
  const [row] = await sql<
    { id: number }[]
  >`${idsInRanges(sql, query, { direction: 'before', fromId: reader.asOf, count: 1 })}`
  return row?.id ?? 0
}
