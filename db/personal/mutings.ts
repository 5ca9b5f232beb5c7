/**
 * Muted users as spans of the log, which unmuting closes. So a send writes nothing for users who have muted its sender:
 * the time of sending decides that the message is read.
 */

import type { LogEvent } from '../../server/domain/events.ts'
import type { EventId, UserId } from '../../server/domain/ids.ts'
import type { MutedUser } from '../../server/domain/personal/muted-users.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'

/** A span in which a user had muted another: it covers messages after `fromId` and, once it ended, before `untilId`. */
export interface MutingSpan {
  readonly mutedId: UserId
  readonly fromId: EventId
  readonly untilId: EventId | null
}

/** Opens or closes a span. A span without messages is deleted, so there are never more spans than messages. */
export function storeMuting(
  writes: WriteBatch,
  id: InSql<EventId>,
  { userId, targetId, mutedUsers }: Extract<LogEvent, { type: 'muted_users' }>,
): void {
  const muted = mutedUsers.find((one) => one.userId === targetId)
  if (muted) {
    writes.add(writes.sql`insert into mutings (user_id, muted_id, from_id, muted_at)
      values (${userId}, ${targetId}, ${id}, ${muted.mutedAt})`)
    return
  }
  writes.add(writes.sql`update mutings set until_id = ${id}
    where user_id = ${userId} and muted_id = ${targetId} and until_id is null`)
  writes.add(writes.sql`delete from mutings u
    where u.user_id = ${userId} and u.muted_id = ${targetId} and u.until_id = ${id}
      and not exists (select 1 from messages m
        where m.sender_id = ${targetId} and m.id > u.from_id and m.id < u.until_id)`)
}

/** A user's spans that end after an event. */
export async function loadMutings(
  sql: Sql | Transaction,
  userId: UserId,
  afterId: EventId,
): Promise<MutingSpan[]> {
  return sql<MutingSpan[]>`
    select muted_id as "mutedId", from_id as "fromId", until_id as "untilId" from mutings
    where user_id = ${userId} and (until_id is null or until_id > ${afterId})`
}

/** Whether a message was sent within one of the spans of its sender. */
export function isInSpan(spans: readonly MutingSpan[], at: number): boolean {
  return spans.some(({ fromId, untilId }) => fromId < at && (untilId === null || at < untilId))
}

/** Users' currently muted users, in the order of muting. */
export async function loadMutedUsers(
  sql: Sql | Transaction,
): Promise<(MutedUser & { readonly muterId: UserId })[]> {
  return sql<(MutedUser & { muterId: UserId })[]>`
    select user_id as "muterId", muted_id as "userId", muted_at as "mutedAt" from mutings
    where until_id is null order by from_id`
}
