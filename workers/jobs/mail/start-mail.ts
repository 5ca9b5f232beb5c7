/** Mails: the database announces them at the commit. BullMQ distributes the work, and wakes workers for retries. */

import { MAIL_NOTICE } from '../../../db/mails.ts'
import type { Clock } from '../../../server/domain/clock.ts'
import {
  addEachPeriod,
  type JobContext,
  openJobQueue,
  REMOVED_WHEN_FINISHED,
} from '../../queues/job-queue.ts'
import { type MailWork, sendMails } from './send-mails.ts'

/** Milliseconds between sweeps for mails whose notice was lost. */
const SWEEP_PERIOD_MS = 60_000
/** Milliseconds after the due time: the clocks of the job queue and the database round differently. */
const WAKE_MARGIN_MS = 20
/** Concurrent jobs, each with its own batch: one slow batch does not hold up the others. */
const CONCURRENCY = 2

/** Starts to send mails; after it resolves, no notice is missed. */
export async function startMail(context: JobContext, work: MailWork, clock: Clock): Promise<void> {
  const { onError, closers } = context
  const queue = openJobQueue(context, 'mail')
  let isClosed = false
  const add = async (options: { jobId?: string; delay?: number }) => {
    if (!isClosed) await queue.add('send-mails', {}, { ...REMOVED_WHEN_FINISHED, ...options }).catch(onError)
  }
  queue.work(async () => {
    const next = await sendMails(work)
    if (next) void add({ jobId: `mails-at-${next.atMs}`, delay: next.delayMs + WAKE_MARGIN_MS })
  }, CONCURRENCY)
  closers.push(() => {
    isClosed = true
  })
  await addEachPeriod(queue, context, clock, { name: 'sweep-mails', periodMs: SWEEP_PERIOD_MS })
  // Every worker gets the notice; the claims in SQL share the mails.
  await work.sql.listen(
    MAIL_NOTICE,
    () => void add({}),
    () => void add({}), // Notices may have been lost.
  )
}
