/** Notifications that wait for their readers to be away: written with their message, claimed by one worker at a time. */

import type { EventId, GroupId, MessageId, UserId } from '../../server/domain/ids.ts'
import type { NotificationTrigger } from '../../packages/rules/notifications.ts'
import type { PendingNotification, PendingWay } from '../../server/domain/personal/pending-notifications.ts'
import type { Secret } from '../../server/domain/secret.ts'
import type { Sql } from '../connection/connect.ts'
import { encodeEntries, type EntryTable, storeEntries } from '../log/message-entries.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'
import { claimedFor, dueAgainIn, findNextDue } from '../due-work.ts'

/** The channel of the database that wakes workers; the notice is the way. */
export const PENDING_NOTICE = 'parley_pending'

type Pending = Secret<readonly PendingNotification[]>
/** Users who are notified of a message alike, as an array of the database: `{4,7}`. */
type Entry = readonly [
  place: number,
  way: PendingWay,
  NotificationTrigger,
  GroupId | null,
  delay: number,
  users: string,
]

/** The notifications of a batch of messages as JSON; undefined without any. Places count from 1. */
export function encodePending(batch: readonly (Pending | undefined)[]): string | undefined {
  const entries = batch.flatMap((pending, index): Entry[] => {
    const alike = Map.groupBy(
      pending?.reveal() ?? [],
      ({ way, trigger, groupId, delaySeconds }) => `${way} ${trigger} ${groupId} ${delaySeconds}`,
    )
    return [...alike.values()].flatMap((all) => {
      const [first] = all
      if (!first) return []
      const { way, trigger, groupId, delaySeconds } = first
      const users = `{${all.map(({ userId }) => userId).join(',')}}`
      return [[index + 1, way, trigger, groupId, delaySeconds, users]]
    })
  })
  return encodeEntries(entries)
}

/** The table of notifications that wait. */
export const PENDING: EntryTable = {
  // Each entry is read once: for a list of 63 users that takes two thirds of the time of an entry for each.
  insert: (entries) => `
  insert into pending_notifications (way, user_id, message_id, trigger, group_id, due_at)
  with alike as materialized (
    select message_id, entry ->> 1 as way, entry ->> 2 as trigger, (entry ->> 3)::int as group_id,
      now() + (entry ->> 4)::int * interval '1 second' as due_at, (entry ->> 5)::int[] as users
    from (${entries}) e
  )
  select way, user_id, message_id, trigger, group_id, due_at from alike, unnest(users) user_id
  on conflict do nothing
  returning way, due_at`,

  /**
   * For each way, unless an earlier row has set the alarm of its workers: then they find the others when it rings. A call
   * wakes them always, since an earlier one may wait for a slow receiver.
   */
  wake: (inserted) => `(
  select count(pg_notify('${PENDING_NOTICE}', way)) from (
    select way, min(due_at) as due_at from ${inserted} group by way) w
  where w.way = 'webhook' or not exists (select from pending_notifications p
    where p.way = w.way and p.due_at between now() - interval '1 minute' and w.due_at)) as woken`,
}

/** Stores the notifications of one message, in the batch that logs it. */
export const storePending = (
  writes: WriteBatch,
  id: InSql<EventId | MessageId>,
  pending: Pending | undefined,
) => storeEntries(writes, id, encodePending([pending]), PENDING)

/** Seconds after which a claim expires whose worker hangs. */
export const CLAIM_SECONDS = 120
/** Seconds after which a notification that is due is given up: nobody needs it any more. */
const AGE_SECONDS_MAX = 86_400

/** Whether a notification is not given up. A restored backup may have old ones. */
const isTimely = (sql: Sql) => sql`due_at > now() - ${AGE_SECONDS_MAX} * interval '1 second'`

/** The owner of a bot; 0 for none. */
export type BotOwner = UserId | 0

/** A notification that a worker has claimed. */
export interface ClaimedPending extends Pick<PendingNotification, 'way' | 'userId' | 'trigger' | 'groupId'> {
  readonly messageId: MessageId
  /** UNIX seconds: when the message was sent, or edited to notify the user. */
  readonly askedAt: number
  /** Counts this one. */
  readonly tries: number
}

/** Claims notifications of a way that are due, oldest first, but none for bots of some owners. Several workers share them. */
export function claimPending(
  sql: Sql,
  way: PendingWay,
  countMax: number,
  busyOwners: readonly BotOwner[] = [],
): Promise<ClaimedPending[]> {
  return sql<ClaimedPending[]>`
    with due as materialized (
      select way, user_id, message_id from pending_notifications where way = ${way} and due_at <= now() and ${isTimely(sql)}
        and ${isOwnerFree(sql, busyOwners)}
      order by due_at, message_id limit ${countMax} for update skip locked
    )
    update pending_notifications p set tries = tries + 1, ${claimedFor(sql, CLAIM_SECONDS)} from due
    where p.way = due.way and p.user_id = due.user_id and p.message_id = due.message_id
    returning p.way, p.user_id as "userId", p.message_id as "messageId", trigger, group_id as "groupId",
      extract(epoch from asked_at)::float8 as "askedAt", tries`
}

/** Ends notifications that are sent or no longer needed, unless their claim has expired. */
export async function settlePending(sql: Sql, claimed: readonly ClaimedPending[]): Promise<void> {
  if (claimed.length === 0) return
  await sql`
    with claimed as (${lockClaimed(sql, claimed)})
    delete from pending_notifications p using claimed c
    where p.way = c.way and p.user_id = c.user_id and p.message_id = c.message_id`
}

/** Makes claimed notifications due again after some seconds, unless their claim has expired. */
export async function postponePending(
  sql: Sql,
  claimed: readonly ClaimedPending[],
  seconds: number,
): Promise<void> {
  if (claimed.length === 0) return
  await sql`
    with claimed as (${lockClaimed(sql, claimed)})
    update pending_notifications p set ${dueAgainIn(sql, seconds)} from claimed c
    where p.way = c.way and p.user_id = c.user_id and p.message_id = c.message_id`
}

const lockClaimed = (sql: Sql, claimed: readonly ClaimedPending[]) => sql`
  select p.way, p.user_id, p.message_id
  from unnest(${claimed.map(({ way }) => way)}::text[], ${claimed.map(({ userId }) => userId)}::int[],
      ${claimed.map(({ messageId }) => messageId)}::bigint[], ${claimed.map(({ tries }) => tries)}::int[])
      c (way, user_id, message_id, tries)
    join pending_notifications p using (way, user_id, message_id, tries)
  order by p.way, p.user_id, p.message_id for update of p`

/** When the next notification of a way is due, but for bots of some owners; undefined for none. */
export const findNextPending = (sql: Sql, way: PendingWay, busyOwners: readonly BotOwner[] = []) =>
  findNextDue(
    sql,
    sql`pending_notifications where way = ${way} and ${isTimely(sql)} and ${isOwnerFree(sql, busyOwners)}`,
  )

/** By the table of users: the state of a worker may lack a new bot. */
const isOwnerFree = (sql: Sql, busyOwners: readonly BotOwner[]) =>
  busyOwners.length === 0
    ? sql`true`
    : sql`not exists (select from users bot where bot.id = pending_notifications.user_id
        and coalesce(bot.bot_owner_id, 0) = any(${[...busyOwners]}::int[]))`

/** Removes notifications that nobody has sent in a day; some at a time. */
export async function removeOldPending(sql: Sql, countMax: number): Promise<number> {
  const { count } = await sql`
    with old as materialized (
      select way, user_id, message_id from pending_notifications
      where due_at < now() - ${AGE_SECONDS_MAX} * interval '1 second'
      order by way, due_at limit ${countMax} for update skip locked
    )
    delete from pending_notifications where (way, user_id, message_id) in (table old)`
  return count
}
