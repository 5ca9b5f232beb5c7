/** Wakes workers when a user ends or moves a pause of notifications, so that what waits for its end is mailed then. */

import type { UserId } from '../../server/domain/ids.ts'
import type { UserSettingChange } from '../../server/domain/users/user-settings.ts'
import type { WriteBatch } from '../log/write-batch.ts'
import { CLAIM_SECONDS, PENDING_NOTICE } from './pending-notifications.ts'

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
