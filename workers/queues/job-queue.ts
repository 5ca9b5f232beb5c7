/** A queue of jobs, and the worker that takes them from it. */

import type { JobsOptions } from 'bullmq'
import type { Clock } from '../../server/domain/clock.ts'
import type { JobBackend, RunJob } from './job-backends.ts'

/** Finished jobs kept, for a look at what happened. */
export const KEPT = { removeOnComplete: { count: 10 }, removeOnFail: { count: 100 } }
/** Finished jobs forgotten at once: the next of the same time, which has the same id, may be needed. */
export const FORGOTTEN = { removeOnComplete: true, removeOnFail: true }
/** Milliseconds for jobs under way; then they are left to the next worker, as after a crash. */
const CLOSE_MS_MAX = 10_000
/** The same without a connection to Redis, which BullMQ waits for without end. */
const CLOSE_WITHOUT_REDIS_MS_MAX = 1_000

/** What all queues of a process are opened with. */
export interface JobContext {
  readonly backend: JobBackend
  readonly onError: (error: unknown) => void
  /** Called when the process ends, the last one first. */
  readonly closers: (() => unknown)[]
}

/** A queue that is open until the process ends. */
export interface JobQueue {
  /** False while Redis is away: what is added waits for it to come back. */
  isConnected(): boolean
  /** Adds a job, unless there is one with its id. */
  add(name: string, data: object, options: JobsOptions): Promise<unknown>
  /** Begins to take jobs, so many at once. */
  work(run: RunJob, concurrency?: number): void
}

/** Opens the queue of a name. */
export function openJobQueue({ backend, onError, closers }: JobContext, name: string): JobQueue {
  const queue = backend.createQueue(name)
  queue.on('error', onError)
  /** After its jobs, where Redis is there; what has not ended in time is given up. */
  const close = (one: { close(isForced?: boolean): Promise<void> }) => {
    const isThere = backend.isConnected()
    return within(isThere ? CLOSE_MS_MAX : CLOSE_WITHOUT_REDIS_MS_MAX, one.close(!isThere)).catch(onError)
  }
  closers.push(() => close({ close: () => queue.close() }))
  return {
    isConnected: () => backend.isConnected(),
    add: (job, data, options) => queue.add(job, data, options),
    work(run, concurrency = 1) {
      const worker = backend.createWorker(name, run, concurrency)
      worker.on('error', onError)
      worker.on('failed', (_job, error) => onError(error))
      closers.push(() => close(worker))
    },
  }
}

/**
 * Adds a job now and in each period from now on; of several processes' one is enough. By a timer of our own, as a Redis
 * that was lost has forgotten what it was to wake for.
 */
export async function addEachPeriod(
  queue: JobQueue,
  { onError, closers }: JobContext,
  clock: Clock,
  { name, periodMs }: { readonly name: string; readonly periodMs: number },
): Promise<void> {
  const add = async () => {
    const jobId = `${name}-${Math.floor(clock.nowMs() / periodMs)}`
    if (queue.isConnected()) await queue.add(name, {}, { ...KEPT, jobId })
  }
  await add()
  const timer = clock.every(periodMs, () => void add().catch(onError))
  closers.push(() => timer.stop())
}

/** Resolves when a promise does, or after so long. */
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
