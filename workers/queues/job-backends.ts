/** The storage of BullMQ's jobs: Redis or, without one, PostgreSQL. */

import { setTimeout } from 'node:timers/promises'
import {
  createPostgresBackend,
  type PgPool,
  Queue,
  RedisConnection,
  runMigrations,
  Worker,
  withBackend,
} from 'bullmq'
import type pg from 'pg'
import {
  connectRedis,
  type RedisClient,
  type RedisReports,
  retryStrategy,
} from '../../server/log/connect-redis.ts'
import { createPresenceStoreInRedis } from '../../server/log/presence-store-redis.ts'
import { openJobPool } from './job-pool.ts'

/** BullMQ's own tables have a separate schema. */
const BULLMQ_SCHEMA = 'bullmq'

/** The oldest Redis that runs the scripts of the queues. */
export const REDIS_VERSION_MIN = RedisConnection.minimumVersion

/** Runs one job; if it rejects, the job has failed. */
export type RunJob = (job: StartedJob) => Promise<unknown>

/** A job that a worker has taken. */
export interface StartedJob {
  readonly name: string
  readonly data: unknown
  /** When it was added, and the milliseconds that it should wait from then on. */
  readonly timestamp: number
  readonly delay: number
}

/** Stores jobs, distributes them and wakes workers for them. */
export type JobBackend = Awaited<ReturnType<typeof openRedisBackend> | ReturnType<typeof openPostgresBackend>>

/** Uses one connection, whether or not Redis is reachable; workers wait for jobs on further ones. */
export async function openRedisBackend(
  url: string,
  prefix: string,
  reports: RedisReports,
  closers: (() => unknown)[],
) {
  const connection = await connectRedis(url, 'parley-jobs', reports)
  closers.push(followDuplicates(connection))
  // The braces keep all keys on one node of a cluster, which runs no other scripts. Elsewhere there are queues without.
  const options = { connection, prefix: connection.isCluster ? `{${prefix}:jobs}` : `${prefix}:jobs` }
  return {
    presenceStore: createPresenceStoreInRedis(connection, prefix),
    isConnected: () => connection.status === 'ready',
    createQueue: (name: string) => new Queue(name, options),
    createWorker: (name: string, run: RunJob, concurrency: number) =>
      new Worker(name, run, { ...options, concurrency }),
  }
}

/**
 * Returns a function that ends a connection with all that BullMQ has duplicated from it. To close a worker, BullMQ disconnects
 * one and waits for its end, which ioredis does not announce between two attempts to connect: the worker would never be
 * closed, and its timers run forever. So here such a connection ends with its next attempt.
 */
function followDuplicates(connection: RedisClient): () => void {
  const duplicates: RedisClient[] = []
  let areEnded = false
  const own = connection as object as Duplicated
  const duplicate = own.duplicate.bind(connection)
  own.duplicate = (...options) => {
    let isLast = false
    const tryAgain = (attempt: number) => (isLast || areEnded ? null : retryStrategy(attempt))
    const one = connection.isCluster
      ? duplicate(options[0], { ...options[1], clusterRetryStrategy: tryAgain })
      : duplicate({ ...options[0], retryStrategy: tryAgain })
    const disconnect = one.disconnect.bind(one)
    one.disconnect = (reconnect) => {
      isLast = reconnect !== true && one.status === 'reconnecting'
      if (!isLast) disconnect(reconnect)
    }
    one.on('connect', () => {
      if (isLast || areEnded) disconnect()
    })
    one.on('end', () => {
      isLast = false // BullMQ connects some again.
    })
    duplicates.push(one)
    return one
  }
  return () => {
    areEnded = true
    connection.disconnect()
    for (const one of duplicates) one.disconnect()
  }
}

/** The options of a duplicate: of a server, or the nodes of a Cluster and its options. */
interface Duplicated {
  duplicate(...options: (object | undefined)[]): RedisClient
}

/** Uses BullMQ's own tables, which it creates or migrates first. */
export async function openPostgresBackend(
  databaseUrl: string,
  onError: (error: unknown) => void,
  closers: (() => unknown)[],
) {
  const pool = await openJobPool(databaseUrl, BULLMQ_SCHEMA)
  pool.on('error', onError)
  closers.push(() => pool.end())
  await runMigrations(pool, BULLMQ_SCHEMA)
  const connection = withoutListeners(pool)
  const backed = withBackend(createPostgresBackend)
  return {
    presenceStore: undefined, // Without Redis each process holds its own in memory.
    isConnected: () => true, // Its pool abandons a lost database by itself.
    createQueue: (name: string) => new backed.Queue(name, { connection }),
    createWorker: (name: string, run: RunJob, concurrency: number) =>
      new backed.Worker(name, run, { connection, concurrency }),
  }
}

/** Milliseconds before a failure is reported. */
export const FAILURE_MS = 1_000

/**
 * Reports a failure a moment later. BullMQ's workers try again at once, so a database without free connections would keep
 * the processor busy, and fill the log and the memory.
 */
async function failLater(error: unknown): Promise<never> {
  await setTimeout(FAILURE_MS)
  throw error
}

/**
 * A pool as queues and workers get it. Each would listen to the errors of idle connections; so each error would be
 * reported as often as there are queues and workers, and Node would warn of a leak.
 */
function withoutListeners(pool: pg.Pool): PgPool {
  const shared = {
    options: pool.options, // BullMQ reads if connections are kept alive.
    connect: () => pool.connect().catch(failLater),
    query: (text: string, values?: unknown[]) => pool.query(text, values).catch(failLater),
    end: () => pool.end(),
    on: () => shared,
    removeAllListeners: () => shared,
  }
  return shared as object as PgPool // The types of its clients are stricter about the names of events.
}
