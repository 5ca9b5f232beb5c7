/**
 * Removes ended spans of subscriptions and mutings that cover no message any more. They only say which messages a user
 * received or had muted, so nothing changes for anybody. Without this, spans would outlive their messages.
 *
 * Spans that the log still reaches stay: clients that are behind get events by them.
 */

import type { ChannelId, EventId, UserId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'

/** A place in the order of a table: where the next batch begins. */
type Key = readonly [number, number, number]
const START: Key = [0, 0, 0]

/** The number of removed rows of a batch, and its last row; null after the last batch. */
interface Batch {
  readonly removed: number
  readonly last: Key | null
}

/** Removes ended spans of subscriptions without messages; returns their number. */
export function removeEndedSubscriptions(sql: Sql, lengthMax: number): Promise<number> {
  return walk((after) => removeSubscriptions(sql, after, lengthMax))
}

/** Removes ended spans of mutings without messages; returns their number. */
export function removeEndedMutings(sql: Sql, lengthMax: number): Promise<number> {
  return walk((after) => removeMutings(sql, after, lengthMax))
}

async function walk(removeAfter: (after: Key) => Promise<Batch>): Promise<number> {
  let total = 0
  for (let after: Key | null = START; after; ) {
    const { removed, last } = await removeAfter(after)
    total += removed
    after = last
  }
  return total
}

/**
 * The last ended span of a user in a channel always stays: it says that they were subscribed. Messages that were moved
 * away count in the channels that they passed, where users may have read them.
 */
async function removeSubscriptions(sql: Sql, after: Key, lengthMax: number): Promise<Batch> {
  const [row] = await sql<{ removed: number; last: [ChannelId, UserId, EventId] | null }[]>`
    with batch as materialized (
      select channel_id, user_id, from_id, until_id from subscription_spans
      where (channel_id, user_id, from_id) > (${after[0]}, ${after[1]}, ${after[2]}::bigint)
      order by channel_id, user_id, from_id limit ${lengthMax}
    ), stay as materialized (
      select (stay ->> 'channelId')::int as channel_id, coalesce((stay ->> 'placedId')::bigint, m.id) as placed_id
      from messages m, jsonb_array_elements(m.passed) stay where m.channel_id is not null and m.placed_id is not null
    ), ended as materialized (
      select s.channel_id, s.user_id, s.from_id
      from subscription_spans s join batch b using (channel_id, user_id, from_id)
      where b.until_id < (select min(id) from event_log)
        and exists (select from subscription_spans later
          where later.channel_id = b.channel_id and later.user_id = b.user_id and later.until_id > b.until_id)
        and not exists (select from messages m
          where m.channel_id is not null and m.placed_id is null
            and (m.channel_id, m.id) > (b.channel_id, b.from_id) and (m.channel_id, m.id) <= (b.channel_id, b.until_id))
        and not exists (select from messages m
          where m.placed_id is not null and m.channel_id = b.channel_id
            and m.placed_id > b.from_id and m.placed_id <= b.until_id)
        and not exists (select from stay
          where stay.channel_id = b.channel_id and stay.placed_id > b.from_id and stay.placed_id <= b.until_id)
      for update of s skip locked
    ), gone as (
      delete from subscription_spans where (channel_id, user_id, from_id) in (table ended) returning 1
    )
    select (select count(*) from gone)::int as removed, (
      select array[channel_id, user_id, from_id]::bigint[] from batch
      order by channel_id desc, user_id desc, from_id desc limit 1) as last`
  return { removed: row?.removed ?? 0, last: row?.last ?? null }
}

async function removeMutings(sql: Sql, after: Key, lengthMax: number): Promise<Batch> {
  const [row] = await sql<{ removed: number; last: [UserId, UserId, EventId] | null }[]>`
    with batch as materialized (
      select user_id, muted_id, from_id, until_id from mutings
      where (user_id, muted_id, from_id) > (${after[0]}, ${after[1]}, ${after[2]}::bigint)
      order by user_id, muted_id, from_id limit ${lengthMax}
    ), ended as materialized (
      select u.user_id, u.muted_id, u.from_id
      from mutings u join batch b using (user_id, muted_id, from_id)
      where b.until_id < (select min(id) from event_log)
        and not exists (select from messages m
          where m.sender_id = b.muted_id and m.id > b.from_id and m.id < b.until_id)
      for update of u skip locked
    ), gone as (
      delete from mutings where (user_id, muted_id, from_id) in (table ended) returning 1
    )
    select (select count(*) from gone)::int as removed, (
      select array[user_id, muted_id, from_id]::bigint[] from batch
      order by user_id desc, muted_id desc, from_id desc limit 1) as last`
  return { removed: row?.removed ?? 0, last: row?.last ?? null }
}
