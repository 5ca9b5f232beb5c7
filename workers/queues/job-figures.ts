/** The jobs that a worker has run since its start, by queue. */

import { Histogram } from '../../server/measures/histogram.ts'
import { byLabel, counter, gauge, histogram, type Metric, type Sample } from '../../server/measures/metric.ts'
import type { RunJob, StartedJob } from './job-backends.ts'

interface QueueFigures {
  done: number
  failed: number
  readonly runSeconds: Histogram
  readonly lateSeconds: Histogram
  /** The jobs in the queue by state; undefined while Redis is away. */
  readonly count: () => Promise<Readonly<Record<string, number>> | undefined>
}

/** The states of jobs by BullMQ's names of them. */
const STATES: Readonly<Record<string, string>> = { wait: 'waiting', delayed: 'delayed', active: 'running' }

/** Counts and times jobs. */
export class JobFigures {
  readonly #queues = new Map<string, QueueFigures>()

  addQueue(name: string, count: QueueFigures['count']): void {
    const lateSeconds = new Histogram()
    this.#queues.set(name, { done: 0, failed: 0, runSeconds: new Histogram(), lateSeconds, count })
  }

  /** Runs a job of a queue. */
  async measure(queue: string, job: StartedJob, run: RunJob): Promise<unknown> {
    const figures = this.#queues.get(queue)
    if (!figures) return run(job)
    const startMs = performance.now()
    // By the clock of the process that added it; clocks of machines differ by less than jobs may be late.
    figures.lateSeconds.observe(Math.max(0, Date.now() - job.timestamp - job.delay) / 1000)
    try {
      const result = await run(job)
      figures.done++
      return result
    } catch (error) {
      figures.failed++
      throw error
    } finally {
      figures.runSeconds.observeSince(startMs)
    }
  }

  get metrics(): readonly Metric[] {
    return [
      counter('parley_jobs_total', 'Jobs that this process ran, by queue and result.', () =>
        this.#each((labels, { done, failed }) => [
          { labels: { ...labels, result: 'done' }, value: done },
          { labels: { ...labels, result: 'failed' }, value: failed },
        ]),
      ),
      gauge('parley_jobs', 'Jobs in a queue, by state; absent while Redis is away.', async () => {
        const samples: Sample[] = []
        for (const [queue, { count }] of this.#queues) {
          for (const { labels, value } of byLabel('state', (await count()) ?? {}))
            samples.push({ labels: { queue, state: STATES[labels['state'] ?? ''] ?? 'other' }, value })
        }
        return samples
      }),
      histogram('parley_job_run_seconds', 'Time of a job.', () =>
        this.#each((labels, { runSeconds }) => [{ labels, value: runSeconds }]),
      ),
      histogram('parley_job_late_seconds', 'Time from when a job was due until it started.', () =>
        this.#each((labels, { lateSeconds }) => [{ labels, value: lateSeconds }]),
      ),
    ]
  }

  #each(read: (labels: { readonly queue: string }, figures: QueueFigures) => Sample[]): Sample[] {
    return [...this.#queues].flatMap(([queue, figures]) => read({ queue }, figures))
  }
}
