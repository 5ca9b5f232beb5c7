/** Work that the database announces at the commit. BullMQ distributes it, and wakes workers for retries. */

import type { Sql } from '../../db/connection/connect.ts'
import type { NextDue } from '../../db/due-work.ts'
import { WORKER_GONE_NOTICE } from '../../db/living-workers.ts'
import type { Clock } from '../../server/domain/clock.ts'
import {
  addEachPeriod,
  type JobContext,
  type JobOptions,
  openJobQueue,
  REMOVED_WHEN_FINISHED,
} from '../queues/job-queue.ts'

/** Milliseconds between sweeps for work whose notice was lost. */
const SWEEP_PERIOD_MS = 60_000
/** Milliseconds after the due time: the clocks of the job queue and the database round differently. */
const WAKE_MARGIN_MS = 20

/** A job and its data. */
export interface AnnouncedJob {
  readonly name: string
  readonly data?: object
}

/** Work that becomes due again. */
export interface DueJob {
  readonly name: string
  readonly due: NextDue
}

/** The work of one queue. */
export interface AnnouncedWork {
  readonly queue: string
  /** Jobs that run at once. */
  readonly concurrency: number
  /** The job that finds work without a notice. */
  readonly sweep: string
  readonly sql: Sql
  /** The channel of the database with the notices. Every worker gets each. */
  readonly notice: string
  /** The job that a notice asks for, and its options; undefined for none. */
  readNotice(notice: string): (AnnouncedJob & { readonly options: JobOptions }) | undefined
  /** Does a job; returns the work that is due next, and its time. */
  run(job: AnnouncedJob): Promise<readonly DueJob[]>
}

/** Starts the work; after it resolves, no notice is missed. */
export async function startAnnounced(context: JobContext, work: AnnouncedWork, clock: Clock): Promise<void> {
  const { onError, closers } = context
  const queue = openJobQueue(context, work.queue)
  let isClosed = false
  const add = async ({ name, data = {} }: AnnouncedJob, options: JobOptions) => {
    if (!isClosed) await queue.add(name, data, options).catch(onError)
  }
  queue.work(async (job) => {
    for (const { name, due } of await work.run({ name: job.name, data: job.data as object })) {
      // All workers that find the same work due share one job, which never runs too early.
      const jobId = `${name}-at-${due.atMs}`
      void add({ name }, { ...REMOVED_WHEN_FINISHED, jobId, delay: due.delayMs + WAKE_MARGIN_MS })
    }
  }, work.concurrency)
  closers.push(() => {
    isClosed = true
  })
  const sweep = () => void add({ name: work.sweep }, REMOVED_WHEN_FINISHED)
  await addEachPeriod(queue, context, clock, { name: work.sweep, periodMs: SWEEP_PERIOD_MS })
  await work.sql.listen(
    work.notice,
    (notice) => {
      const found = work.readNotice(notice)
      if (found) void add(found, found.options)
    },
    sweep, // Notices may have been lost.
  )
  // Its rows are due now, and its jobs are lost with it.
  await work.sql.listen(WORKER_GONE_NOTICE, sweep)
}
