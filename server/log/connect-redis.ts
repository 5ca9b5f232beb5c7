/** Connections to Redis. */

import type { Redis } from 'ioredis'

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
export async function connectRedis(url: string, name: string, reports: RedisReports): Promise<Redis> {
  const { Redis } = await import('ioredis') // Not loaded by servers without Redis.
  const redis = new Redis(url, {
    connectionName: name,
    connectTimeout: CONNECT_MS_MAX,
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
  })
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
    if (REFUSAL.test(error.message))
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
