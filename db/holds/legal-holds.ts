/** Legal holds, and what they hold. */

import type { EventId, HoldId } from '../../server/domain/ids.ts'
import type { LegalHold, NewHold } from '../../server/domain/organization/legal-holds.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { InSql, Statement, WriteBatch } from '../log/write-batch.ts'

/** Stores a hold. It holds what is deleted after it in the log. */
export function storeHold(
  writes: WriteBatch,
  id: InSql<EventId>,
  { name, reason, isForAll, userIds, channelIds, placedBy, placedAt }: NewHold,
): void {
  writes.add(writes.sql`
    insert into legal_holds (id, name, reason, is_for_all, user_ids, channel_ids, placed_by, placed_at)
    values (${id}, ${name}, ${reason}, ${isForAll}, ${[...userIds]}::int[], ${[...channelIds]}::int[], ${placedBy},
      ${placedAt})`)
}

/** Lifts a hold. Its row stays until a job has removed what it alone had kept. */
export function liftHold(writes: WriteBatch, id: HoldId): void {
  writes.add(writes.sql`update legal_holds set is_lifted = true where id = ${id}`)
}

/** The holds that are not lifted, by id. */
export async function loadHolds(sql: Sql | Transaction): Promise<LegalHold[]> {
  const rows = await sql<LegalHold[]>`
    select id, name, reason, is_for_all as "isForAll", user_ids as "userIds", channel_ids as "channelIds",
      placed_by as "placedBy", placed_at as "placedAt"
    from legal_holds where not is_lifted order by id`
  return [...rows] // Only the rows, without the driver's result metadata.
}

/** The columns of a message that decide whether it is held, as expressions. */
interface HeldColumns {
  readonly senderId: Statement
  /** An array: the people of a direct message. */
  readonly userIds: Statement
  /** An array: the channels that it is or was in. */
  readonly channelIds: Statement
}

/** The holds that count: all of them, or one. */
const holds = (sql: Sql | Transaction, id?: InSql<HoldId>) =>
  sql`legal_holds h where not h.is_lifted ${id === undefined ? sql`` : sql`and h.id = ${id}`}`

/** Whether a hold `h` holds a message. */
const holdsIt = (sql: Sql | Transaction, { senderId, userIds, channelIds }: HeldColumns) =>
  sql`(h.is_for_all or ${senderId} = any(h.user_ids) or h.user_ids && ${userIds} or h.channel_ids && ${channelIds})`

const isHeldBy = (sql: Sql | Transaction, columns: HeldColumns, id?: InSql<HoldId>) =>
  sql`exists (select from ${holds(sql, id)} and ${holdsIt(sql, columns)})`

/** The columns of a kept message `k`. */
const keptColumns = (sql: Sql | Transaction) => ({
  senderId: sql`k.sender_id`,
  userIds: sql`k.user_ids`,
  channelIds: sql`k.channel_ids`,
})

/** The people of a direct message `m`. */
export const peopleOf = (sql: Sql | Transaction) =>
  sql`coalesce((select c.user_ids from conversations c where c.id = m.conversation_id), '{}')`

/** The channels that a message `m` is or was in. */
export const channelsOf = (sql: Sql | Transaction) => sql`(array_remove(array[m.channel_id], null) || array(
  select e.prev_channel_id from message_edits e where e.message_id = m.id and e.prev_channel_id is not null))`

/** Whether a message `m` is held: by any hold, or by one. */
export const isMessageHeld = (sql: Sql | Transaction, id?: InSql<HoldId>) =>
  isHeldBy(sql, { senderId: sql`m.sender_id`, userIds: peopleOf(sql), channelIds: channelsOf(sql) }, id)

/** Whether a kept message `k` is held: by any hold, or by one. */
export const isKeptHeld = (sql: Sql | Transaction, id?: InSql<HoldId>) => isHeldBy(sql, keptColumns(sql), id)

/** The number of deleted messages that each hold keeps: one look at each message, however many holds there are. */
export async function countKept(sql: Sql): Promise<ReadonlyMap<HoldId, number>> {
  const rows = await sql<{ id: HoldId; count: number }[]>`
    select h.id, count(*)::int as count from kept_messages k join legal_holds h on ${holdsIt(sql, keptColumns(sql))}
    where not h.is_lifted group by h.id`
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Whether the files of a person are held: by any hold, or by one. */
export const isOwnerHeld = (sql: Sql | Transaction, ownerId: Statement, id?: InSql<HoldId>) =>
  sql`exists (select from ${holds(sql, id)} and (h.is_for_all or ${ownerId} = any(h.user_ids)))`

/** Whether there is any hold: nearly all servers have none. */
export const hasHolds = (sql: Sql | Transaction) => sql`exists (select from ${holds(sql)})`
