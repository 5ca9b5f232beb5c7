/** The queue of pushes of messages. */

import { PENDING_NOTICE } from '../../../db/notifications/pending-notifications.ts'
import type { Clock } from '../../../server/domain/clock.ts'
import { type JobContext, REMOVED_WHEN_FINISHED } from '../../queues/job-queue.ts'
import { startAnnounced } from '../start-announced.ts'
import type { PushContext } from './push-context.ts'
import { sendPushes } from './send-pushes.ts'

const JOB = 'send-pushes'
/** Concurrent jobs, each with its own batch: a push service that hangs holds up one of them (`silent-services.ts`). */
const CONCURRENCY = 8

/** Starts to send pushes of messages; after it resolves, no notice is missed. */
export function startPushes(context: JobContext, push: PushContext, clock: Clock): Promise<void> {
  return startAnnounced(
    context,
    {
      queue: 'pushes',
      concurrency: CONCURRENCY,
      sweep: 'sweep-pushes',
      sql: push.sql,
      notice: PENDING_NOTICE,
      readNotice: (way) => (way === 'push' ? { name: JOB, options: REMOVED_WHEN_FINISHED } : undefined),
      async run() {
        const due = await sendPushes(push)
        return due ? [{ name: JOB, due }] : []
      },
    },
    clock,
  )
}
