/** Wakes workers when what a notification says no longer holds, or when its time changes. */

import type { MessageId, UserId } from '../../server/domain/ids.ts'
import type { WriteBatch } from '../log/write-batch.ts'
import { PENDING_NOTICE, CLAIM_SECONDS } from './pending-notifications.ts'
import type { UserSettingChange } from '../../server/domain/users/user-settings.ts'

/** Lets a worker look at the shown pushes of messages that some users may no longer read, as part of the batch. */
export function wakeForGone(writes: WriteBatch, messageIds: readonly MessageId[]): void {
  writes.add(writes.sql`
    with due as (
      update pushes set due_at = now() where id in (
        select id from pushes where message_id = any(${[...messageIds]}::bigint[]) and shown_at is not null
          and tries = 0 and (due_at is null or due_at > now()) -- Others are claimed, or due.
        order by id for update)
      returning 1)
    select pg_notify(${PENDING_NOTICE}, 'push') from due limit 1`)
}

/** Lets a worker look at the shown pushes of a user who has read messages, as part of the batch. */
export function wakeForRead(writes: WriteBatch, userId: UserId): void {
  writes.add(writes.sql`
    with due as (
      update pushes set due_at = now() where id in (
        select id from pushes where user_id = ${userId} and shown_at is not null
          and tries = 0 and (due_at is null or due_at > now()) -- Others are claimed, or due.
        order by id for update)
      returning 1)
    select pg_notify(${PENDING_NOTICE}, 'push') from due limit 1`)
}

/** Lets a worker ask again when the postponed emails of a user are due, if these changes may matter for it. */
export function wakeForPause(
  writes: WriteBatch,
  userId: UserId,
  changes: readonly UserSettingChange[],
): void {
  const matters = ({ name }: UserSettingChange) =>
    name === 'notificationsPausedUntil' || name === 'quietHours'
  if (!changes.some(matters)) return
  // Others wait for the first time, or are claimed.
  writes.add(writes.sql`
    with due as (
      update pending_notifications set due_at = now() where (way, user_id, message_id) in (
        select way, user_id, message_id from pending_notifications
        where way = 'mail' and user_id = ${userId} and tries > 0
          and due_at > now() + ${CLAIM_SECONDS} * interval '1 second'
        order by way, user_id, message_id for update)
      returning 1)
    select pg_notify(${PENDING_NOTICE}, 'mail') from due limit 1`)
}
