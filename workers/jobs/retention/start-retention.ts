/** Starts the deletion of expired messages, and of what follows from it. */

import { hasExpiringPlace } from '../../../db/messages/expired-messages.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import { type Clock, nowSeconds } from '../../../server/domain/clock.ts'
import { addEachPeriod, type JobContext, openJobQueue } from '../../queues/job-queue.ts'
import type { OpenSender } from '../share-sender.ts'
import { deleteExpired } from './delete-expired.ts'
import { forgetTopics } from './forget-topics.ts'

/**
 * Milliseconds between runs: messages that expired since go together, in one event for each topic, and a changed setting
 * takes effect this soon.
 */
const PERIOD_MS = 600_000
/** Milliseconds between passes over all followed topics: users gain some each day. */
const TOPICS_PERIOD_MS = 24 * 3_600_000

/** Dependencies of retention. */
export interface RetentionOptions {
  readonly sql: Sql
  readonly clock: Clock
  readonly openSender: OpenSender
  readonly onDone: (counts: Readonly<Record<string, unknown>>) => void
}

/** Starts retention; when it resolves, the first run is queued. A run ends soon after the process is asked to end. */
export async function startRetention(
  context: JobContext,
  { sql, clock, openSender, onDone }: RetentionOptions,
): Promise<void> {
  const ending = new AbortController()
  const queue = openJobQueue(context, 'retention')
  queue.work(async ({ name }) => {
    if (name === 'forget-topics') {
      const topics = await forgetTopics(sql, openSender, nowSeconds(clock), ending.signal)
      return onDone({ topics })
    }
    // Loads the organization only if there is something to delete.
    if (!(await hasExpiringPlace(sql, nowSeconds(clock)))) return 0
    const expired = await deleteExpired(await openSender(), ending.signal)
    onDone({ expired })
    return expired
  })
  context.closers.push(() => ending.abort())
  await addEachPeriod(queue, context, clock, { name: 'delete-expired', periodMs: PERIOD_MS })
  await addEachPeriod(queue, context, clock, { name: 'forget-topics', periodMs: TOPICS_PERIOD_MS })
}
