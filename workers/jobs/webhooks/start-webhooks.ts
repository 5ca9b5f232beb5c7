/** Starts the calls of outgoing webhooks: the database announces them at the commit of their message. */

import { PENDING_NOTICE } from '../../../db/notifications/pending-notifications.ts'
import { type JobContext, REMOVED_WHEN_FINISHED } from '../../queues/job-queue.ts'
import { startAnnounced } from '../start-announced.ts'
import { runCalls, type WebhookWork } from './run-calls.ts'

const JOB = 'call-webhooks'
/** Jobs at once: each waits for one receiver. */
const CONCURRENCY = 24

/** Starts to call; after it resolves, no notice is missed. */
export function startWebhooks(context: JobContext, work: WebhookWork): Promise<void> {
  return startAnnounced(
    context,
    {
      queue: 'outgoing-webhooks',
      concurrency: CONCURRENCY,
      sweep: 'sweep-webhooks',
      sql: work.sql,
      notice: PENDING_NOTICE,
      readNotice: (way) => (way === 'webhook' ? { name: JOB, options: REMOVED_WHEN_FINISHED } : undefined),
      async run() {
        const due = await runCalls(work)
        return due ? [{ name: JOB, due }] : []
      },
    },
    work.clock,
  )
}
