/** The worker: runs the jobs, woken by BullMQ on Redis or, without one, on PostgreSQL. */

import { join } from 'node:path'
import { createPostgresBackend, Queue, runMigrations, withBackend, Worker } from 'bullmq'
import pg from 'pg'
import { connect, type Sql } from '../db/connect.ts'
import { readLogName } from '../db/event-log.ts'
import { PUSH_WORK_NOTICE } from '../db/push-devices.ts'
import { listMissingMigrations } from '../db/migrate.ts'
import { type Config, ConfigError } from '../server/config.ts'
import { DiskFileStore } from '../server/files/disk-file-store.ts'
import { connectRedis } from '../server/log/connect-redis.ts'
import { createPresenceStoreInRedis } from '../server/log/presence-store-redis.ts'
import { type Sender, openSender } from '../server/api/open-sender.ts'
import { systemClock } from '../server/domain/clock.ts'
import type { Logger } from '../server/logger.ts'
import { cleanUp } from './jobs/clean-up.ts'
import { forgetPresence } from './jobs/forget-presence.ts'
import { indexMessages } from './jobs/index-messages.ts'
import { removeUnusedUploads } from './jobs/remove-unused-uploads.ts'
import { ScheduledAlarm } from './jobs/scheduled-alarm.ts'
import { sendScheduled } from './jobs/send-scheduled.ts'
import { type PushContext, type PushJob, readPushNotice, runPushWork } from './jobs/run-push-work.ts'

/** How often what is old is removed. */
const CLEAN_UP_PERIOD_MS = 60_000
/** How often those are forgotten who were there long ago: they are out of sight before. */
const FORGET_PERIOD_MS = 3_600_000
/** Finished jobs of what is scheduled are forgotten at once: the next of the same second may be needed. */
const FORGOTTEN = { removeOnComplete: true, removeOnFail: true }
/** How often push work is looked for of which no notice came. */
const SWEEP_PUSH_PERIOD_MS = 60_000
/** After what is due: the clocks of the job queue and of the database count milliseconds differently. */
const WAKE_MARGIN_MS = 20
/** Pieces of push work at once: each waits for the relay. */
const PUSH_CONCURRENCY = 10
/** BullMQ's own tables stand apart from ours. */
const BULLMQ_SCHEMA = 'bullmq'
/** Connections of BullMQ: for the queue and for the worker, one of each listens. */
const BULLMQ_CONNECTIONS = 2
/** Finished jobs kept, for a look at what happened. */
const KEPT = { removeOnComplete: { count: 10 }, removeOnFail: { count: 100 } }
/** Milliseconds for jobs under way; then they are left to the next worker, as after a crash. */
const CLOSE_MS_MAX = 10_000
/** The same without a connection to Redis, which BullMQ waits for without end. */
const CLOSE_WITHOUT_REDIS_MS_MAX = 1_000

/** What a worker is built from. */
export interface WorkerOptions {
  readonly config: Config & { readonly databaseUrl: string }
  readonly logger: Logger
}

/** A running worker. */
export interface RunningWorker {
  close(): Promise<void>
}

type Run = (job: { readonly name: string; readonly data: unknown }) => Promise<unknown>
type Closers = (() => unknown)[]

/** Starts the jobs; they run when this resolves. */
export async function startWorker({ config, logger }: WorkerOptions): Promise<RunningWorker> {
  const onError = (error: unknown) => logger.error({ err: error }, 'the job queue has a fault')
  const closers: Closers = []
  const close = async () => {
    for (const one of closers.splice(0).reverse()) await one()
  }
  try {
    const sql = connect(config.databaseUrl, 2, 'parley-worker')
    closers.push(() => sql.end({ timeout: 5 }))
    const missing = await listMissingMigrations(sql)
    if (missing.length > 0)
      throw new ConfigError(`the database lacks ${missing.join(', ')}: run the release command`)
    const bullmq =
      config.redisUrl === undefined
        ? await onPostgres(config.databaseUrl, onError)
        : await onRedis(config.redisUrl, `${config.redisPrefix}:${await readLogName(sql)}`, onError, closers)
    const queue = bullmq.createQueue('upkeep')
    queue.on('error', onError)
    closers.push(() => queue.close())
    const { presenceStore } = bullmq
    const fileStore = new DiskFileStore(join(config.dataFolder, 'uploads'))
    const worker = bullmq.createWorker('upkeep', async ({ name }) => {
      if (name === 'forget-presence') return presenceStore && forgetPresence(presenceStore, new Date())
      const removed = await cleanUp(sql, new Date())
      const unused = await removeUnusedUploads(sql, fileStore, new Date())
      const indexed = await indexMessages(sql)
      logger.debug({ ...removed, unused, indexed }, 'cleaned up')
      return removed
    })
    worker.on('error', onError)
    worker.on('failed', (_job, error) => onError(error))
    closers.push(() => closeWithin(worker, bullmq.isConnected() ? CLOSE_MS_MAX : CLOSE_WITHOUT_REDIS_MS_MAX))
    await queue.upsertJobScheduler(
      'clean-up',
      { every: CLEAN_UP_PERIOD_MS },
      { name: 'clean-up', opts: KEPT },
    )
    if (presenceStore) {
      await queue.upsertJobScheduler(
        'forget-presence',
        { every: FORGET_PERIOD_MS },
        { name: 'forget-presence', opts: KEPT },
      )
    }
    await startScheduled(bullmq, config, sql, onError, closers)
    if (config.pushRelay) {
      const context = { sql, relay: config.pushRelay, organizationId: await readLogName(sql) }
      await startPushWork(bullmq, context, onError, closers)
    }
  } catch (error) {
    await close()
    throw error
  }
  return { close }
}

/** What is scheduled: BullMQ wakes at its time, and what is due is in the database. */
async function startScheduled(
  bullmq: Awaited<ReturnType<typeof onRedis> | ReturnType<typeof onPostgres>>,
  config: WorkerOptions['config'],
  sql: Sql,
  onError: (error: unknown) => void,
  closers: Closers,
): Promise<void> {
  const queue = bullmq.createQueue('scheduled-messages')
  queue.on('error', onError)
  closers.push(() => queue.close())
  let sender: Promise<Sender> | undefined
  closers.push(async () => (await sender)?.close())
  // The organization is loaded when the first is due: most workers of most days have none.
  const open = () => {
    const publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`
    const { databaseUrl, renderThreads, renderMsMax } = config
    sender ??= openSender({ databaseUrl, publicUrl, renderThreads, renderMsMax, clock: systemClock, onError })
    sender.catch(() => {
      sender = undefined // The next time it may succeed.
    })
    return sender
  }
  const alarm = new ScheduledAlarm({
    sql,
    clock: systemClock,
    send: async (now) => sendScheduled(await open(), now),
    setJob(atSeconds) {
      if (!bullmq.isConnected()) return
      const delay = Math.max(0, atSeconds * 1_000 - systemClock.nowMs())
      const options = { ...FORGOTTEN, jobId: `due-${atSeconds}`, delay }
      void queue.add('send-scheduled', { atSeconds }, options).catch(onError)
    },
    onError,
  })
  const run: Run = ({ data }) => alarm.ring((data as { atSeconds: number }).atSeconds)
  const worker = bullmq.createWorker('scheduled-messages', run)
  worker.on('error', onError)
  worker.on('failed', (_job, error) => onError(error))
  closers.push(async () => {
    await alarm.stop()
    await closeWithin(worker, bullmq.isConnected() ? CLOSE_MS_MAX : CLOSE_WITHOUT_REDIS_MS_MAX)
  })
  await alarm.start()
}

/** Push work: the database tells of it when it is committed, and BullMQ hands it out and wakes for what failed. */
async function startPushWork(
  bullmq: Awaited<ReturnType<typeof onRedis> | ReturnType<typeof onPostgres>>,
  context: PushContext,
  onError: (error: unknown) => void,
  closers: Closers,
): Promise<void> {
  const queue = bullmq.createQueue('push')
  queue.on('error', onError)
  closers.push(() => queue.close())
  let isClosed = false
  const add = async ({ name, ...data }: PushJob, options: { jobId?: string; delay?: number }) => {
    if (!isClosed) await queue.add(name, data, { ...KEPT, ...options }).catch(onError)
  }
  const run: Run = async ({ name, data }) => {
    for (const { name: work, due } of await runPushWork(context, { name, ...(data as object) } as PushJob)) {
      // All who find the same to be due are woken once, and surely not too early.
      const options = { ...FORGOTTEN, jobId: `${work}-at-${due.atMs}`, delay: due.delayMs + WAKE_MARGIN_MS }
      void add({ name: work }, options)
    }
  }
  const worker = bullmq.createWorker('push', run, PUSH_CONCURRENCY)
  worker.on('error', onError)
  worker.on('failed', (_job, error) => onError(error))
  closers.push(() => {
    isClosed = true
    return closeWithin(worker, bullmq.isConnected() ? CLOSE_MS_MAX : CLOSE_WITHOUT_REDIS_MS_MAX)
  })
  // A timer, as a Redis that was lost has forgotten what it was to wake for; of several workers' one is enough.
  const sweep = () => {
    const period = Math.floor(Date.now() / SWEEP_PUSH_PERIOD_MS)
    void add({ name: 'sweep-push' }, { jobId: `sweep-push-${period}` })
  }
  const timer = setInterval(sweep, SWEEP_PUSH_PERIOD_MS)
  closers.push(() => clearInterval(timer))
  await context.sql.listen(
    PUSH_WORK_NOTICE,
    (notice) => {
      const found = readPushNotice(notice)
      // Every worker hears it: by its id it is one job.
      if (found) void add(found.job, { jobId: found.jobId })
    },
    () => void add({ name: 'sweep-push' }, {}), // Notices may have been lost.
  )
}

/** Closes a worker after its jobs; one that has not ended by then is given up. */
async function closeWithin(worker: { close(): Promise<void> }, msMax: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeIsUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, msMax)
  })
  await Promise.race([worker.close(), timeIsUp])
  clearTimeout(timer)
}

/** BullMQ on Redis, by one connection that is tried first; the worker waits for jobs on a second like it. */
async function onRedis(url: string, prefix: string, onError: (error: unknown) => void, closers: Closers) {
  const connection = await connectRedis(url, 'parley-jobs', onError)
  closers.push(() => connection.disconnect())
  const options = { connection, prefix: `${prefix}:jobs` }
  return {
    presenceStore: createPresenceStoreInRedis(connection, prefix),
    isConnected: () => connection.status === 'ready',
    createQueue: (name: string) => new Queue(name, options),
    createWorker: (name: string, run: Run, concurrency = 1) =>
      new Worker(name, run, { ...options, concurrency }),
  }
}

async function onPostgres(databaseUrl: string, onError: (error: unknown) => void) {
  const url = new URL(databaseUrl)
  url.searchParams.set('uselibpqcompat', 'true') // `sslmode` then means what it means to libpq and to our own pool.
  const connection = {
    connectionString: url.href,
    max: BULLMQ_CONNECTIONS,
    options: `-c search_path=${BULLMQ_SCHEMA}`,
    application_name: 'parley-jobs',
  }
  const pool = new pg.Pool(connection)
  pool.on('error', onError)
  try {
    await runMigrations(pool, BULLMQ_SCHEMA)
  } finally {
    await pool.end()
  }
  const backed = withBackend(createPostgresBackend)
  return {
    presenceStore: undefined, // Without Redis each process keeps its own in memory.
    isConnected: () => true, // Its pool gives up on a database that is gone.
    createQueue: (name: string) => new backed.Queue(name, { connection }),
    createWorker: (name: string, run: Run, concurrency = 1) =>
      new backed.Worker(name, run, { connection, concurrency }),
  }
}
