/**
 * Moves read marks to the position with the fewest exceptions. This changes only how read state is stored, so no event
 * reports it. The search for positions runs without the lock of the log.
 */

import type { EventId, MessageId, UserId } from '../../server/domain/ids.ts'
import type { Place } from '../../server/domain/messages/places.ts'
import type { Sql } from '../connection/connect.ts'
import { placeOfMessage, unreadIds } from './unread.ts'

/** Attempts per move: changes of what may be unread are rare. The next read messages try again. */
const TRIES_MAX = 3

/** The target of a mark, and the mark when the target was found. */
interface PlannedMark {
  readonly place: Place
  readonly throughId: EventId
  readonly unreadIds: readonly MessageId[]
  /** The transaction that wrote the row. */
  readonly version: string
  /** The last event, other than the user's own, that could change what is unread. */
  readonly structuralId: EventId
}

/** Moves a user's marks of these places if there is a better position. */
export async function moveMarks(sql: Sql, userId: UserId, places: readonly Place[]): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const planned = await planMarks(sql, userId, places)
    const moved = await Promise.all(planned.map((mark) => moveMark(sql, userId, mark)))
    if (moved.every((isMoved) => isMoved)) return
  }
}

/**
 * Finds, for each place, the read message with the fewest exceptions: unread ones before it, and read ones after it.
 */
function planMarks(sql: Sql, userId: UserId, places: readonly Place[]): Promise<PlannedMark[]> {
  const wanted = sql`${[...places]}::bigint[]`
  return sql<PlannedMark[]>`
    with unread as materialized (
      select found.id, found.place from (
        select m.id, ${placeOfMessage(sql)} as place from messages m
        where m.id = any(array(${unreadIds(sql, userId, sql`(select last_id from event_counter)`)}))) found
      where found.place = any(${wanted})
    ), entry as (
      select r.place, e as id, 1 as is_read from read_marks r, unnest(r.read_ids) e
      where r.user_id = ${userId} and r.place = any(${wanted})
      union all
      select place, id, 0 from unread
    ), cost as (
      select place, id, is_read, sum(1 - is_read) over upto + sum(is_read) over (partition by place)
        - sum(is_read) over upto as exceptions
      from entry window upto as (partition by place order by id)
    ), best as (
      select distinct on (place) place, id, exceptions from cost where is_read = 1
      order by place, exceptions, id desc
    )
    select r.place, best.id as "throughId", r.xmin::text as version,
      (select structural_id from event_counter) as "structuralId",
      array(select u.id from unread u where u.place = r.place and u.id <= best.id
        union select unnest(r.unread_ids)) as "unreadIds"
    from best join read_marks r on r.place = best.place
    where r.user_id = ${userId} and best.exceptions < cardinality(r.read_ids) + cardinality(r.unread_ids)`
}

/**
 * Moves one mark; returns false if a change intervened, which shows only under the lock of the log. One statement, so a
 * stopped process blocks nobody.
 */
async function moveMark(sql: Sql, userId: UserId, planned: PlannedMark): Promise<boolean> {
  const { place, throughId, version, structuralId } = planned
  const { count } = await sql`
    with held as materialized (select structural_id from event_counter for update)
    update read_marks r set
      through_id = ${throughId},
      read_ids = array(select e from unnest(r.read_ids) e where e > ${throughId}),
      unread_ids = ${[...planned.unreadIds]}::bigint[]
    from held
    where held.structural_id = ${structuralId} and r.user_id = ${userId} and r.place = ${place}
      and r.xmin::text = ${version}`
  return count === 1
}
