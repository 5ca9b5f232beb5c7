/** The worker: runs the jobs, woken by BullMQ on Redis or, without one, on PostgreSQL. */

import { createPostgresBackend, Queue, runMigrations, withBackend, Worker } from 'bullmq'
import pg from 'pg'
import { connect } from '../db/connect.ts'
import { readLogName } from '../db/event-log.ts'
import { listMissingMigrations } from '../db/migrate.ts'
import { type Config, ConfigError } from '../server/config.ts'
import { connectRedis } from '../server/log/connect-redis.ts'
import { createPresenceStoreInRedis } from '../server/log/presence-store-redis.ts'
import type { Logger } from '../server/logger.ts'
import { cleanUp } from './jobs/clean-up.ts'
import { forgetPresence } from './jobs/forget-presence.ts'
import { indexMessages } from './jobs/index-messages.ts'

/** How often what is old is removed. */
const CLEAN_UP_PERIOD_MS = 60_000
/** How often those are forgotten who were there long ago: they are out of sight before. */
const FORGET_PERIOD_MS = 3_600_000
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

type Run = (job: { readonly name: string }) => Promise<unknown>
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
    const worker = bullmq.createWorker('upkeep', async ({ name }) => {
      if (name === 'forget-presence') return presenceStore && forgetPresence(presenceStore, new Date())
      const removed = await cleanUp(sql, new Date())
      const indexed = await indexMessages(sql)
      logger.debug({ ...removed, indexed }, 'cleaned up')
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
  } catch (error) {
    await close()
    throw error
  }
  return { close }
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
    createWorker: (name: string, run: Run) => new Worker(name, run, options),
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
    createWorker: (name: string, run: Run) => new backed.Worker(name, run, { connection }),
  }
}
