/** The worker: runs jobs, woken by BullMQ on Redis or, without one, on PostgreSQL. */

import { connect } from '../db/connection/connect.ts'
import { poolsMetrics } from '../db/connection/pool-metrics.ts'
import { readLogName } from '../db/log/event-log.ts'
import { checkSchema } from '../db/migrate.ts'
import type { Config } from '../server/config.ts'
import type { Clock } from '../server/domain/clock.ts'
import { type DatabaseClock, openDatabaseClock } from '../server/log/database-clock.ts'
import { openFileStore } from '../server/files/open-file-store.ts'
import { checkStore, filesUpMetric } from '../server/files/store-check.ts'
import { reportFailures } from '../server/log/report-failures.ts'
import type { Logger } from '../server/logger.ts'
import type { Metric } from '../server/measures/metric.ts'
import { openTraces } from '../server/measures/open-traces.ts'
import { followJobs } from './queues/follow-jobs.ts'
import { JobFigures } from './queues/job-figures.ts'
import { createWorkerId, followWorkers } from './jobs/follow-workers.ts'
import { createWorkerHealth } from './jobs/worker-health.ts'
import { startJobs } from './start-jobs.ts'
import { openPostgresBackend, openRedisBackend } from './queues/job-backends.ts'

/** Dependencies of a worker. */
export interface WorkerOptions {
  readonly config: Config & { readonly databaseUrl: string }
  readonly logger: Logger
  /** The clock for upkeep and sweeps; the system's by default. */
  readonly clock?: Clock
}

/** A running worker. */
export interface RunningWorker {
  /** The metrics of its jobs and its connections. */
  readonly metrics: readonly Metric[]
  /** Metrics that a web process has, too: for a worker in a process of its own. */
  readonly separateMetrics: readonly Metric[]
  /** The port of the door for mails; undefined without one. */
  readonly mailInPort: number | undefined
  /** Whether the parts that jobs need work. */
  isReady(): Promise<boolean>
  close(): Promise<void>
}

/**
 * Starts the jobs; they run when it resolves. Rejects with a `SchemaError` if the database belongs to another release.
 */
export async function startWorker({
  config,
  logger,
  clock: givenClock,
}: WorkerOptions): Promise<RunningWorker> {
  const { databaseUrl, redisUrl, redisPrefix } = config
  const onError = reportFailures(logger, 'the job queue has a fault', 'the job queue has a fault')
  const figures = new JobFigures()
  const traces = config.traces && openTraces(config.traces, onError)
  const closers: (() => unknown)[] = []
  closers.push(() => traces?.close())
  const close = async () => {
    for (const one of closers.splice(0).reverse()) await one()
  }
  try {
    const workerId = createWorkerId()
    const sql = connect(databaseUrl, 2, 'parley-worker', { work: 'jobs', workerId })
    closers.push(() => sql.end({ timeout: 5 }))
    const connections = poolsMetrics({ jobs: [sql] })
    await checkSchema(sql)
    const own = givenClock ? undefined : await openDatabaseClock(sql, onError)
    closers.push(() => own?.stop())
    const clock = givenClock ?? (own as DatabaseClock)
    await followWorkers(sql, workerId, { clock, onError, closers })
    const organizationId = await readLogName(sql)
    const backend =
      redisUrl === undefined
        ? await openPostgresBackend(databaseUrl, onError, closers)
        : await openRedisBackend(
            redisUrl,
            `${redisPrefix}:${organizationId}`,
            { onError, onBack: () => logger.info('Redis is there') },
            closers,
          )
    const follow = followJobs((record) => logger.debug(record, 'job'), traces?.tracer)
    const fileStore = await openFileStore(config)
    const storeCheck = config.objectStore && checkStore(fileStore, clock, logger)
    closers.push(() => storeCheck?.stop())
    const context = { backend, figures, follow, onError, closers }
    const jobs = await startJobs(context, { config, sql, clock, fileStore, organizationId, logger })
    return {
      close,
      metrics: [...figures.metrics, ...connections, ...jobs.metrics],
      separateMetrics: [filesUpMetric(storeCheck)],
      mailInPort: jobs.mailDoor?.port,
      isReady: createWorkerHealth({
        sql,
        isConnected: backend.isConnected,
        storeCheck,
        mailDoor: jobs.mailDoor,
      }),
    }
  } catch (error) {
    await close()
    throw error
  }
}
