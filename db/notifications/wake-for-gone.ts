/** Wakes workers when messages are deleted or leave their channel, so that their notifications are withdrawn. */

import type { MessageId } from '../../server/domain/ids.ts'
import type { WriteBatch } from '../log/write-batch.ts'
import { PENDING_NOTICE } from './pending-notifications.ts'

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
