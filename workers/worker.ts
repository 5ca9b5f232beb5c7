/** The worker: runs jobs, woken by BullMQ on Redis or, without one, on PostgreSQL. */

import { join } from 'node:path'
import { connect } from '../db/connection/connect.ts'
import { poolsMetrics } from '../db/connection/pool-metrics.ts'
import { readLogName } from '../db/log/event-log.ts'
import { readActivity as readActivityOf } from '../db/personal/last-activity.ts'
import { checkSchema } from '../db/migrate.ts'
import type { Config } from '../server/config.ts'
import type { Clock } from '../server/domain/clock.ts'
import { type DatabaseClock, openDatabaseClock } from '../server/log/database-clock.ts'
import { openFileStore } from '../server/files/open-file-store.ts'
import { checkStore, filesUpMetric } from '../server/files/store-check.ts'
import { reportFailures } from '../server/log/report-failures.ts'
import type { Logger } from '../server/logger.ts'
import type { Metric } from '../server/measures/metric.ts'
import { createMailTransport } from './jobs/mail/mail-transport.ts'
import { createMailInWork } from './jobs/mail-in/mail-in-work.ts'
import { startMailIn } from './jobs/mail-in/start-mail-in.ts'
import { startMail } from './jobs/mail/start-mail.ts'
import type { ReadActivity } from './jobs/notifications/gather-mails.ts'
import { startDigests } from './jobs/notifications/make-digests.ts'
import { NotificationFigures } from './jobs/notifications/notification-figures.ts'
import { startMailNotifications } from './jobs/notifications/start-mail-notifications.ts'
import { PushFigures } from './jobs/push/push-figures.ts'
import { startPushes } from './jobs/push/start-pushes.ts'
import { startPushWork } from './jobs/push/start-push-work.ts'
import { createWebPushWork } from './jobs/push/web/web-push-work.ts'
import { startRetention } from './jobs/retention/start-retention.ts'
import { startScheduled } from './jobs/scheduled/start-scheduled.ts'
import { shareSender } from './jobs/shared-sender.ts'
import { GuardedFetch } from '../server/outbound/guarded-fetch.ts'
import { OwnerTurns } from './jobs/webhooks/owner-turns.ts'
import { startWebhooks } from './jobs/webhooks/start-webhooks.ts'
import { WebhookFigures } from './jobs/webhooks/webhook-figures.ts'
import { startUpkeep } from './jobs/upkeep/start-upkeep.ts'
import { openTraces } from '../server/measures/open-traces.ts'
import { followJobs } from './queues/follow-jobs.ts'
import { JobFigures } from './queues/job-figures.ts'
import { createWorkerHealth } from './jobs/worker-health.ts'
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
  /** Those that a web process has, too: for a worker in a process of its own. */
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
  const { databaseUrl, redisUrl, redisPrefix, renderThreads, renderMsMax } = config
  const onError = reportFailures(logger, 'the job queue has a fault', 'the job queue has a fault')
  const figures = new JobFigures()
  const traces = config.traces && openTraces(config.traces, onError)
  const metrics = [...figures.metrics]
  const separateMetrics: Metric[] = []
  let isReady = async () => false
  let mailInPort: number | undefined
  const closers: (() => unknown)[] = []
  closers.push(() => traces?.close())
  const close = async () => {
    for (const one of closers.splice(0).reverse()) await one()
  }
  try {
    const sql = connect(databaseUrl, 2, 'parley-worker', { work: 'jobs' })
    closers.push(() => sql.end({ timeout: 5 }))
    metrics.push(...poolsMetrics({ jobs: [sql] }))
    await checkSchema(sql)
    const own = givenClock ? undefined : await openDatabaseClock(sql, onError)
    closers.push(() => own?.stop())
    const clock = givenClock ?? (own as DatabaseClock)
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
    separateMetrics.push(filesUpMetric(storeCheck))
    isReady = createWorkerHealth({ sql, isConnected: backend.isConnected, storeCheck })
    const context = { backend, figures, follow, onError, closers }
    const onDone = (counts: object) => logger.debug(counts, 'cleaned up')
    await startUpkeep(context, {
      sql,
      fileStore,
      organizationId,
      clock,
      onDone,
    })
    const publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`
    const canMail = config.mailServer !== undefined
    const sending = { clock, databaseUrl, publicUrl, canMail, renderThreads, renderMsMax }
    const openSender = shareSender(context, sending)
    const onDelivery = (record: object) => logger.debug(record, 'delivery')
    await startScheduled(context, sql, { clock, openSender, onDelivery })
    await startRetention(context, { sql, clock, openSender, onDone })
    const sender = config.mailSender ?? { name: '', address: `noreply@${new URL(publicUrl).hostname}` }
    const send = createMailTransport(config.mailServer, sender, join(config.dataFolder, 'mail'))
    const notified = new NotificationFigures()
    metrics.push(...notified.metrics)
    const { mailInPattern } = config
    const mails = { sql, publicUrl, clock, openSender, mailInPattern, send, notified, logger }
    await startMail(context, mails, clock)
    const { presenceStore } = backend
    const readActivity: ReadActivity = (ids) => presenceStore?.readActivity(ids) ?? readActivityOf(sql, ids)
    const gathering = { sql, clock, openSender, readActivity, figures: notified }
    await startMailNotifications(context, gathering, clock)
    await startDigests(context, { clock, openSender })
    const web = config.hasWebPush ? createWebPushWork(sql, config, publicUrl, sender.address) : undefined
    const pushFigures = new PushFigures()
    metrics.push(...pushFigures.metrics)
    const push = {
      sql,
      relay: config.pushRelay,
      web,
      organizationId,
      organizationUrl: publicUrl,
      figures: pushFigures,
      clock,
      openSender,
      readActivity,
    }
    await startPushWork(context, push, clock)
    await startPushes(context, push, clock)
    const webhookFigures = new WebhookFigures()
    metrics.push(...webhookFigures.metrics)
    // A way out of its own, so that slow receivers take no turns of pushes.
    await startWebhooks(context, {
      sql,
      clock,
      fetch: new GuardedFetch(config.outbound),
      openSender,
      figures: webhookFigures,
      turns: new OwnerTurns(),
    })
    if (mailInPattern) {
      const work = createMailInWork(config, { sql, fileStore, openSender, logger, onError }, closers)
      const ownHost = sender.address.slice(sender.address.lastIndexOf('@') + 1)
      const door = { pattern: mailInPattern, door: config.mailInDoor }
      const started = await startMailIn(context, { ...work, ownHost }, clock, door)
      metrics.push(...started.metrics)
      mailInPort = started.port
    }
  } catch (error) {
    await close()
    throw error
  }
  return { close, metrics, separateMetrics, mailInPort, isReady }
}
