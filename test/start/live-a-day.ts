/**
 * A server and its worker with default settings, whose clock stands still: SIGUSR2 lets six days pass at once, and then a day,
 * hour by hour, with all jobs of each. Then it prints the number of jobs that each queue has done.
 */

import { createLogger } from '../../server/logger.ts'
import type { Metric } from '../../server/measures/metric.ts'
import { startNode } from '../../server/node/node.ts'
import { readSettings, requireDatabase, runProcess } from '../../server/run-process.ts'
import { startWorker } from '../../workers/worker.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { pollUntil } from '../services/poll-until.ts'

const HOUR_MS = 3_600_000
const HOURS = 24
/** Queues with a job in each hour. */
const HOURLY = ['digests', 'retention', 'upkeep']

await runProcess(async () => {
  const config = requireDatabase(readSettings())
  const logger = createLogger(config.logLevel)
  const clock = new ManualClock()
  const node = await startNode({ config, logger, clock })
  const { publicUrl } = node.services
  const worker = await startWorker({ config: { ...config, publicUrl }, logger, clock })
  process.once('SIGUSR2', () => void liveADay(clock, worker.metrics))
  process.stdout.write(`Parley is ready at ${node.url}\n`)
  return {
    logger,
    async close() {
      await worker.close()
      await node.close()
    },
  }
})

async function liveADay(clock: ManualClock, metrics: readonly Metric[]): Promise<void> {
  clock.leap(6 * HOURS * HOUR_MS)
  const before = await readJobs(metrics, 'parley_jobs_total', 'result')
  for (let hour = 1; hour <= HOURS; hour++) {
    clock.leap(HOUR_MS)
    clock.advance(0) // Each job once, not each minute.
    await pollUntil('the jobs of an hour are done', async () => {
      const now = await readJobs(metrics, 'parley_jobs_total', 'result')
      return HOURLY.every((queue) => (now[queue]?.['done'] ?? 0) >= (before[queue]?.['done'] ?? 0) + hour)
    })
  }
  await pollUntil('no job is left', async () => {
    const now = await readJobs(metrics, 'parley_jobs', 'state')
    return Object.values(now).every(({ waiting = 0, running = 0 }) => waiting + running === 0)
  })
  const jobs = await readJobs(metrics, 'parley_jobs_total', 'result')
  process.stdout.write(`The day is over: ${JSON.stringify(jobs)}\n`)
}

/** The values of a metric by queue, and by another label. */
async function readJobs(
  metrics: readonly Metric[],
  name: string,
  label: string,
): Promise<Record<string, Record<string, number>>> {
  const read = await metrics.find((one) => one.name === name)?.read()
  const jobs: Record<string, Record<string, number>> = {}
  for (const { labels, value } of Array.isArray(read) ? read : [])
    (jobs[labels.queue] ??= {})[labels[label]] = value
  return jobs
}
