/** Wakes workers when a user reads, so that notifications of what was read are withdrawn. */

import type { UserId } from '../../server/domain/ids.ts'
import type { WriteBatch } from '../log/write-batch.ts'
import { PENDING_NOTICE } from './pending-notifications.ts'

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
