/** Messages that were deleted while they were held: for people they are gone, and for owners they are kept. */

import type { Message } from '../../server/domain/entities.ts'
import type { HoldId, MessageId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'
import { type Row, toMessage, wholeColumns } from '../messages/message-rows.ts'
import { keepHeldLinks } from './kept-files.ts'
import { channelsOf, hasHolds, isKeptHeld, isMessageHeld, peopleOf } from './legal-holds.ts'

/** Messages in one read: each may have many edits. */
const MESSAGES_PAGE = 100

/** Keeps those of some messages that are held, before they are deleted. The log is locked, so no hold comes in between. */
export function keepHeldMessages(writes: WriteBatch, messageIds: readonly MessageId[]): void {
  const { sql } = writes
  const ids = sql`${[...messageIds]}::bigint[]`
  writes.add(sql`
    insert into kept_messages (id, sender_id, user_ids, channel_ids, message)
    select m.id, m.sender_id, ${peopleOf(sql)}, ${channelsOf(sql)},
      (select row_to_json(whole) from (select ${wholeColumns(sql)}) whole)
    from messages m where m.id = any(${ids}) and ${hasHolds(sql)} and ${isMessageHeld(sql)}`)
  keepHeldLinks(writes, sql`m.id = any(${ids})`)
}

/** A message that was deleted while it was held. */
export interface DeletedMessage {
  readonly message: Message
  /** In UNIX seconds. */
  readonly deletedAt: number
}

/** The deleted messages that a hold keeps, in ascending order. */
export async function* readKeptMessages(sql: Sql, holdId: HoldId): AsyncGenerator<DeletedMessage> {
  for (let afterId = 0; ; ) {
    const rows = await sql<{ id: MessageId; message: Row; deletedAt: number }[]>`
      select k.id, k.message, floor(extract(epoch from k.deleted_at))::bigint as "deletedAt"
      from kept_messages k where k.id > ${afterId} and ${isKeptHeld(sql, holdId)} order by k.id limit ${MESSAGES_PAGE}`
    for (const { message, deletedAt } of rows) yield { message: toMessage(message), deletedAt }
    const last = rows.at(-1)
    if (rows.length < MESSAGES_PAGE || !last) return
    afterId = last.id
  }
}

/** The messages that a hold holds and that are still there, in ascending order. */
export async function* readHeldMessages(sql: Sql, holdId: HoldId): AsyncGenerator<Message> {
  for (let afterId = 0; ; ) {
    const rows = await sql<Row[]>`
      select ${wholeColumns(sql)} from messages m
      where m.id > ${afterId} and ${isMessageHeld(sql, holdId)} order by m.id limit ${MESSAGES_PAGE}`
    for (const row of rows) yield toMessage(row)
    const last = rows.at(-1)
    if (rows.length < MESSAGES_PAGE || !last) return
    afterId = last.id
  }
}
