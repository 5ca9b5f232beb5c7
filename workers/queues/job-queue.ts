/** A queue of jobs, with the worker that runs them. */

import type { JobsOptions } from 'bullmq'
import type { Clock } from '../../server/domain/clock.ts'
import { type FollowJob, requestIdOf } from './follow-jobs.ts'
import type { JobFigures } from './job-figures.ts'
import type { JobBackend, RunJob } from './job-backends.ts'

/** Finished jobs that stay, for inspection. */
export const RETAINED = { removeOnComplete: { count: 10 }, removeOnFail: { count: 100 } }
/** Removes finished jobs at once: the next job for the same time has the same id. */
export const REMOVED_WHEN_FINISHED = { removeOnComplete: true, removeOnFail: true }
/** Milliseconds for running jobs; then they are left to the next worker, as after a crash. */
const CLOSE_MS_MAX = 10_000
/** The same without a connection to Redis, for which BullMQ would wait forever. */
const CLOSE_WITHOUT_REDIS_MS_MAX = 1_000

/** Shared dependencies of a process's queues. */
export interface JobContext {
  readonly backend: JobBackend
  readonly figures: JobFigures
  readonly follow: FollowJob
  readonly onError: (error: unknown, requestId?: string) => void
  /** Called when the process ends, in reverse order. */
  readonly closers: (() => unknown)[]
}

/** The options of a job. */
export type JobOptions = JobsOptions

/** A queue that is open until the process ends. */
export interface JobQueue {
  /** False while Redis is unreachable: added jobs wait for it. */
  isConnected(): boolean
  /** Adds a job, unless one with its id exists. */
  add(name: string, data: object, options: JobOptions): Promise<unknown>
  /** Starts to run jobs, up to `concurrency` at once. */
  work(run: RunJob, concurrency?: number): void
}

/** Opens the queue with a name. */
export function openJobQueue(
  { backend, figures, follow, onError, closers }: JobContext,
  name: string,
): JobQueue {
  const queue = backend.createQueue(name)
  queue.on('error', onError)
  figures.addQueue(name, async () =>
    backend.isConnected() ? queue.getJobCounts('wait', 'delayed', 'active') : undefined,
  )
  /** Waits for its jobs if Redis is reachable; abandons those that do not end in time. */
  const close = (one: { close(isForced?: boolean): Promise<void> }) => {
    const isThere = backend.isConnected()
    return within(isThere ? CLOSE_MS_MAX : CLOSE_WITHOUT_REDIS_MS_MAX, one.close(!isThere)).catch(onError)
  }
  closers.push(() => close({ close: () => queue.close() }))
  return {
    isConnected: () => backend.isConnected(),
    add: (job, data, options) => queue.add(job, data, options),
    work(run, concurrency = 1) {
      const worker = backend.createWorker(
        name,
        (job) => follow(name, job, () => figures.measure(name, job, run)),
        concurrency,
      )
      worker.on('error', onError)
      worker.on('failed', (job, error) => onError(error, requestIdOf(job)))
      closers.push(() => close(worker))
    },
  }
}

/**
 * Adds a job now and in each period; several processes share one job. Uses its own timer, since a lost Redis has lost
 * its delayed jobs.
 */
export async function addEachPeriod(
  queue: JobQueue,
  { onError, closers }: JobContext,
  clock: Clock,
  { name, periodMs }: { readonly name: string; readonly periodMs: number },
): Promise<void> {
  const add = async () => {
    const jobId = `${name}-${Math.floor(clock.nowMs() / periodMs)}`
    if (queue.isConnected()) await queue.add(name, {}, { ...RETAINED, jobId })
  }
  await add()
  const timer = clock.every(periodMs, () => void add().catch(onError))
  closers.push(() => timer.stop())
}

/** Resolves when a promise does, or after the time limit. */
async function within(msMax: number, promise: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeIsUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, msMax)
  })
  try {
    await Promise.race([promise, timeIsUp])
  } finally {
    clearTimeout(timer)
  }
}
