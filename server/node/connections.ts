/** The connections of a node: to the database, to Redis, and to the other processes. */

import { connect, connectLog, isFirstOfName, type Sql } from '../../db/connection/connect.ts'
import { readLogName } from '../../db/log/event-log.ts'
import { checkSchema } from '../../db/migrate.ts'
import { type Clock, nowSeconds } from '../domain/clock.ts'
import { type Beginning, beginEpoch } from '../log/begin-epoch.ts'
import { createInProcessBroadcast } from '../log/broadcast-in-process.ts'
import { createRedisBroadcast } from '../log/broadcast-redis.ts'
import type { Broadcast } from '../log/broadcast.ts'
import { connectRedis, type RedisClient } from '../log/connect-redis.ts'
import { openDatabaseClock } from '../log/database-clock.ts'
import type { NodeContext } from './node-context.ts'

/** The name by which processes recognize each other in the database. */
const CONNECTION_NAME = 'parley-web'
/** Extra connections for pages of channels: each page takes less than a millisecond of one. */
const PAGE_CONNECTIONS = 2
/** For lists of unread messages: planning one takes ten times as long as reading a short one. */
const UNREAD_CONNECTIONS = 3
/** Connections for all searches together: other work goes first. */
const SEARCH_CONNECTIONS = 2

/** Two connections: one that subscribes can do nothing else. */
export interface RedisPair {
  readonly publisher: RedisClient
  readonly subscriber: RedisClient
}

/** The connections of a node. */
export interface Connections extends Beginning {
  readonly sql: Sql
  readonly logSql: Sql
  readonly pageSql: Sql
  readonly unreadSql: Sql
  readonly searchConnections: readonly Sql[]
  /** Whether no other web process was connected. */
  readonly isFirst: boolean
  readonly clock: Clock
  /** The start of this process, in seconds. */
  readonly startedAt: number
  /** Undefined without `REDIS_URL`. */
  readonly redis: RedisPair | undefined
  /** Precedes the names in Redis: servers may share one. */
  readonly redisPrefix: string
  readonly broadcast: Broadcast
}

/** Connects to the database and to Redis; the time is the database's unless a clock is given. */
export async function openConnections(
  context: NodeContext,
  givenClock: Clock | undefined,
): Promise<Connections> {
  const { config, logger, closers } = context
  const sql = connect(config.databaseUrl, config.databaseConnections, CONNECTION_NAME, { work: 'requests' })
  closers.push((timeout) => sql.end({ timeout }))
  const isFirst = await isFirstOfName(sql, CONNECTION_NAME) // Before it opens another connection.
  const clock = givenClock ?? (await openClock(sql, context))
  const startedAt = nowSeconds(clock)
  const logSql = connectLog(config.databaseUrl)
  closers.push((timeout) => logSql.end({ timeout }))
  const pageSql = connect(config.databaseUrl, PAGE_CONNECTIONS, 'parley-pages', {
    work: 'pages',
    plansOnce: true,
  })
  closers.push((timeout) => pageSql.end({ timeout }))
  const unreadSql = connect(config.databaseUrl, UNREAD_CONNECTIONS, 'parley-unread', {
    work: 'requests',
    plansOnce: true,
  })
  closers.push((timeout) => unreadSql.end({ timeout }))
  const searchConnections = Array.from({ length: SEARCH_CONNECTIONS }, () =>
    connect(config.databaseUrl, 1, 'parley-searches', { work: 'searches', plansOnce: true }),
  )
  closers.push((timeout) => Promise.all(searchConnections.map((one) => one.end({ timeout }))))
  await checkSchema(sql)

  const redis = await openRedis(context)
  const beginning = await beginEpoch(sql, (message) => logger.warn(message))
  const redisPrefix = `${config.redisPrefix}:${await readLogName(sql)}`
  const broadcast = redis
    ? // Ignore entries of another history, which may have the same numbers.
      createRedisBroadcast(redis.publisher, redis.subscriber, `${redisPrefix}:${beginning.epoch}`)
    : createInProcessBroadcast()
  closers.push(() => broadcast.close())
  return {
    ...beginning,
    sql,
    logSql,
    pageSql,
    unreadSql,
    searchConnections,
    isFirst,
    clock,
    startedAt,
    redis,
    redisPrefix,
    broadcast,
  }
}

async function openClock(sql: Sql, { closers, onError }: NodeContext) {
  const clock = await openDatabaseClock(sql, onError)
  closers.push(() => clock.stop())
  return clock
}

async function openRedis({
  config: { redisUrl },
  logger,
  closers,
  onError,
}: NodeContext): Promise<RedisPair | undefined> {
  if (redisUrl === undefined) return undefined
  const open = async (name: string): Promise<RedisClient> => {
    const onBack = () => logger.info({ connection: name }, 'Redis is there')
    const redis = await connectRedis(redisUrl, name, { onError, onBack })
    closers.push(() => redis.disconnect())
    return redis
  }
  return { publisher: await open('parley-publish'), subscriber: await open('parley-listen') }
}
