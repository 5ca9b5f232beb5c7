/** Runs jobs so that log lines and spans follow them, together with the requests that asked for them. */

import { following, readRequestId } from '../../server/measures/following.ts'
import { readTraceParent, type Tracer } from '../../server/measures/tracer.ts'
import type { RunJob, StartedJob } from './job-backends.ts'

/** A job that has ended well, for the log. */
export interface JobRecord {
  readonly queue: string
  readonly job: string
  readonly durationMs: number
}

/** Runs a job of a queue. */
export type FollowJob = (queue: string, job: StartedJob, run: RunJob) => Promise<unknown>

/** Follows jobs by lines and, with a tracer, spans. */
export function followJobs(onJob: (record: JobRecord) => void, tracer: Tracer | undefined): FollowJob {
  return (queue, job, run) => {
    const startMs = performance.now()
    const { traceParent } = (job.data ?? {}) as { readonly traceParent?: unknown }
    const parent = typeof traceParent === 'string' ? readTraceParent(traceParent) : undefined
    const span = tracer?.begin(`job ${queue}`, 'consumer', parent)
    const attributes = { 'parley.job': job.name }
    return following.run({ requestId: requestIdOf(job), span }, async () => {
      try {
        const result = await run(job)
        span?.end(attributes)
        onJob({ queue, job: job.name, durationMs: performance.now() - startMs })
        return result
      } catch (error) {
        span?.end(attributes, true)
        throw error
      }
    })
  }
}

/** The request that asked for a job, if it says one. */
export function requestIdOf(job: Pick<StartedJob, 'data'> | undefined): string | undefined {
  const { requestId } = (job?.data ?? {}) as { readonly requestId?: unknown }
  return typeof requestId === 'string' ? readRequestId(requestId) : undefined
}
