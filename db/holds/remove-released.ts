/**
 * Removes what no hold keeps any more, after one was lifted. The row of a lifted hold goes last, so that a run which
 * stopped on the way begins again.
 */

import type { HoldId, MessageId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import { isKeptHeld, isMessageHeld, isOwnerHeld } from './legal-holds.ts'

/** Removes all of it, so many rows in each statement; returns the number of messages and files. Concurrent runs are safe. */
export async function removeReleased(sql: Sql, pageLength: number): Promise<number> {
  const lifted = await sql<{ id: HoldId }[]>`select id from legal_holds where is_lifted`
  if (lifted.length === 0) return 0
  const messages = await removeMessages(sql, pageLength)
  await removeLinks(sql, pageLength)
  const files = await removeFiles(sql, pageLength)
  await sql`delete from legal_holds where id = any(${lifted.map(({ id }) => id)}::bigint[])`
  return messages + files
}

/** The end of a page, and the rows of it that were removed. */
interface Page<Key> {
  readonly last: Key | null
  readonly removed: number
}

async function removeMessages(sql: Sql, pageLength: number): Promise<number> {
  let total = 0
  for (let after = 0 as MessageId | null; after !== null; ) {
    const [page]: Page<MessageId>[] = await sql<Page<MessageId>[]>`
      with page as materialized (
        select id, sender_id, user_ids, channel_ids
        from kept_messages where id > ${after} order by id limit ${pageLength} for update
      ), gone as (
        delete from kept_messages where id in (select k.id from page k where not ${isKeptHeld(sql)}) returning id)
      select (select max(id) from page) as last, (select count(*) from gone)::int as removed`
    total += page?.removed ?? 0
    after = page?.last ?? null
  }
  return total
}

/** After the messages: links of those that are still held stay. */
async function removeLinks(sql: Sql, pageLength: number): Promise<void> {
  for (let after: readonly [MessageId | 0, string] | null = [0, '']; after !== null; ) {
    const [page]: { messageId: MessageId; key: string }[] = await sql<
      { messageId: MessageId; key: string }[]
    >`
      with page as materialized (
        select * from kept_links where (message_id, key) > (${after[0]}::bigint, ${after[1]}::text)
        order by message_id, key limit ${pageLength} for update
      ), gone as (
        delete from kept_links d using page l where d.message_id = l.message_id and d.key = l.key
          and not exists (select from kept_messages k where k.id = l.message_id)
          and not exists (select from messages m where m.id = l.message_id and ${isMessageHeld(sql)}))
      select message_id as "messageId", key from page order by message_id desc, key desc limit 1`
    after = page ? [page.messageId, page.key] : null
  }
}

/** After the links. A job removes the bytes. */
async function removeFiles(sql: Sql, pageLength: number): Promise<number> {
  let total = 0
  for (let after: string | null = ''; after !== null; ) {
    const [page]: Page<string>[] = await sql<Page<string>[]>`
      with page as materialized (
        select * from kept_files where key > ${after} order by key limit ${pageLength} for update
      ), gone as (
        delete from kept_files where key in (
          select f.key from page f
          where not exists (select from kept_links l where l.key = f.key) and not ${isOwnerHeld(sql, sql`f.owner_id`)})
        returning key
      ), removed as (
        insert into removed_files (key) select key from gone order by key on conflict do nothing)
      select (select max(key) from page) as last, (select count(*) from gone)::int as removed`
    total += page?.removed ?? 0
    after = page?.last ?? null
  }
  return total
}
