/** The queue that gathers messages into mails. */

import { PENDING_NOTICE } from '../../../db/notifications/pending-notifications.ts'
import type { Clock } from '../../../server/domain/clock.ts'
import { type JobContext, REMOVED_WHEN_FINISHED } from '../../queues/job-queue.ts'
import { startAnnounced } from '../start-announced.ts'
import { gatherMails, type GatherWork } from './gather-mails.ts'

const JOB = 'gather-mails'

/** Starts to gather mails; after it resolves, no notice is missed. */
export function startMailNotifications(context: JobContext, work: GatherWork, clock: Clock): Promise<void> {
  return startAnnounced(
    context,
    {
      queue: 'notification-mails',
      concurrency: 1,
      sweep: 'sweep-notification-mails',
      sql: work.sql,
      notice: PENDING_NOTICE,
      readNotice: (way) => (way === 'mail' ? { name: JOB, options: REMOVED_WHEN_FINISHED } : undefined),
      async run() {
        const due = await gatherMails(work)
        return due ? [{ name: JOB, due }] : []
      },
    },
    clock,
  )
}
