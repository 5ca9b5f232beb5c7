/** Push work: the database tells of it when it is committed, and BullMQ hands it out and wakes for what failed. */

import { PUSH_WORK_NOTICE } from '../../../db/push-devices.ts'
import type { Clock } from '../../../server/domain/clock.ts'
import { addEachPeriod, FORGOTTEN, type JobContext, KEPT, openJobQueue } from '../../queues/job-queue.ts'
import type { PushContext } from './push-context.ts'
import { type PushJob, readPushNotice, runPushWork } from './run-push-work.ts'

/** How often push work is looked for of which no notice came. */
const SWEEP_PERIOD_MS = 60_000
/** After what is due: the clocks of the job queue and of the database count milliseconds differently. */
const WAKE_MARGIN_MS = 20
/** Pieces of push work at once: each waits for the relay. */
const CONCURRENCY = 10

/** Starts it; no notice is missed from when this resolves. */
export async function startPushWork(context: JobContext, push: PushContext, clock: Clock): Promise<void> {
  const { onError, closers } = context
  const queue = openJobQueue(context, 'push')
  let isClosed = false
  const add = async ({ name, ...data }: PushJob, options: { jobId?: string; delay?: number }) => {
    if (!isClosed) await queue.add(name, data, { ...KEPT, ...options }).catch(onError)
  }
  queue.work(async ({ name, data }) => {
    for (const { name: work, due } of await runPushWork(push, { name, ...(data as object) } as PushJob)) {
      // All who find the same to be due are woken once, and surely not too early.
      const options = { ...FORGOTTEN, jobId: `${work}-at-${due.atMs}`, delay: due.delayMs + WAKE_MARGIN_MS }
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
      // Every worker hears it: by its id it is one job.
      if (found) void add(found.job, { jobId: found.jobId })
    },
    () => void add({ name: 'sweep-push' }, {}), // Notices may have been lost.
  )
}
