/** Connections to Redis. */

import type { Cluster, Redis } from 'ioredis'
import { type RedisAddress, readRedisAddress } from '../domain/settings/redis-address.ts'

/** A connection to one server, which Sentinels may name, or to a Cluster. */
export type RedisClient = Redis | Cluster

/** Milliseconds that a start waits for Redis, so that a process with a reachable Redis uses it from the beginning. */
const CONNECT_MS_MAX = 5_000
/** Replies of a Redis that rejects the password: retries cannot succeed. */
const REFUSAL = /^(WRONGPASS|NOAUTH|NOPERM|ERR invalid password|ERR AUTH|ERR Client sent AUTH)/

/** Callbacks for the state of a connection. */
export interface RedisReports {
  /** The connection failed or was lost: called once per outage. */
  readonly onError: (error: unknown) => void
  /** The connection is up again. */
  readonly onBack?: () => void
}

/**
 * Opens a connection that reconnects by itself: nothing depends on Redis to work. Resolves when it is up, or cannot be
 * made for now. Rejects if Redis rejects the password.
 */
export async function connectRedis(url: string, name: string, reports: RedisReports): Promise<RedisClient> {
  const redis = await open(url, name)
  let isAway = false
  const reportOutage = (cause: Error) => {
    if (!isAway)
      reports.onError(
        new Error('the Redis of REDIS_URL cannot be reached: going on without it until it is there', {
          cause,
        }),
      )
    isAway = true
  }
  redis.on('ready', () => {
    if (isAway) reports.onBack?.()
    isAway = false
  })
  const tried = Promise.withResolvers<void>()
  redis.once('ready', tried.resolve)
  redis.on('error', (error: Error) => {
    // A Cluster tells the reason of one of its nodes.
    const reason = (error as Error & { readonly lastNodeError?: Error }).lastNodeError ?? error
    if (REFUSAL.test(reason.message))
      tried.reject(new Error('the Redis of REDIS_URL refuses its password', { cause: error }))
    reportOutage(error)
    tried.resolve()
  })
  // For a server that accepts the connection and never replies.
  const timer = setTimeout(() => {
    reportOutage(new Error('it does not answer'))
    tried.resolve()
  }, CONNECT_MS_MAX)
  try {
    await tried.promise
  } catch (error) {
    redis.disconnect()
    throw error
  } finally {
    clearTimeout(timer)
  }
  return redis
}

/** Milliseconds before an attempt to connect again, the first being 1. */
export const retryStrategy = (attempt: number) => Math.min(50 * attempt, 1_000)

async function open(url: string, connectionName: string): Promise<RedisClient> {
  const { Cluster, Redis } = await import('ioredis') // Not loaded by servers without Redis.
  const address = requireAddress(url)
  const common = { connectionName, connectTimeout: CONNECT_MS_MAX, maxRetriesPerRequest: null }
  if (address.kind === 'server') return new Redis(address.url, { ...common, retryStrategy })
  const { hosts, username, password } = address
  const credentials = {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
  }
  if (address.kind === 'cluster')
    return new Cluster([...hosts], {
      clusterRetryStrategy: retryStrategy,
      redisOptions: { ...common, ...credentials },
    })
  // Without its `failoverDetector`: a change of the primary while it connects ends the connection for ever (ioredis 6.0.0).
  return new Redis({
    ...common,
    ...credentials,
    retryStrategy,
    sentinels: [...hosts],
    name: address.name,
    db: address.database,
    ...(address.sentinelPassword === undefined ? {} : { sentinelPassword: address.sentinelPassword }),
    sentinelRetryStrategy: retryStrategy,
  })
}

function requireAddress(url: string): RedisAddress {
  const address = readRedisAddress(url)
  if (typeof address === 'string') throw new Error(`the address of Redis ${address}`)
  return address
}
