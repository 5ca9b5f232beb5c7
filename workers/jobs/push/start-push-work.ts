/** Push work: the database announces it at the commit. BullMQ distributes it, and wakes workers for retries. */

import { PUSH_WORK_NOTICE } from '../../../db/push-devices.ts'
import type { Clock } from '../../../server/domain/clock.ts'
import {
  addEachPeriod,
  REMOVED_WHEN_FINISHED,
  type JobContext,
  RETAINED,
  openJobQueue,
} from '../../queues/job-queue.ts'
import type { PushContext } from './push-context.ts'
import { type PushJob, readPushNotice, runPushWork } from './run-push-work.ts'

/** Milliseconds between sweeps for work whose notice was lost. */
const SWEEP_PERIOD_MS = 60_000
/** Milliseconds after the due time: the clocks of the job queue and the database round differently. */
const WAKE_MARGIN_MS = 20
/** Concurrent jobs: each waits for the relay. */
const CONCURRENCY = 10

/** Starts push work; after it resolves, no notice is missed. */
export async function startPushWork(context: JobContext, push: PushContext, clock: Clock): Promise<void> {
  const { onError, closers } = context
  const queue = openJobQueue(context, 'push')
  let isClosed = false
  const add = async ({ name, ...data }: PushJob, options: { jobId?: string; delay?: number }) => {
    if (!isClosed) await queue.add(name, data, { ...RETAINED, ...options }).catch(onError)
  }
  queue.work(async ({ name, data }) => {
    for (const { name: work, due } of await runPushWork(push, { name, ...(data as object) } as PushJob)) {
      // All workers that find the same work due share one job, which never runs too early.
      const options = {
        ...REMOVED_WHEN_FINISHED,
        jobId: `${work}-at-${due.atMs}`,
        delay: due.delayMs + WAKE_MARGIN_MS,
      }
      void add({ name: work }, options)
    }
  }, CONCURRENCY)
  closers.push(() => {
    isClosed = true
  })
  await addEachPeriod(queue, context, clock, { name: 'sweep-push', periodMs: SWEEP_PERIOD_MS })
  await push.sql.listen(
    PUSH_WORK_NOTICE,
    (notice) => {
      const found = readPushNotice(notice)
      // Every worker gets the notice; the id makes it one job.
      if (found) void add(found.job, { jobId: found.jobId })
    },
    () => void add({ name: 'sweep-push' }, {}), // Notices may have been lost.
  )
}
