/** Connections to Redis. */

import { Redis } from 'ioredis'

/** Milliseconds that a start waits for Redis, so that a process whose Redis is there has it from the beginning. */
const CONNECT_MS_MAX = 5_000
/** What a Redis that is there says of a wrong password: no later try mends it. */
const REFUSAL = /^(WRONGPASS|NOAUTH|NOPERM|ERR invalid password|ERR AUTH|ERR Client sent AUTH)/

/** Who is told of a connection. */
export interface RedisReports {
  /** It cannot be made, or is lost: told once, until it is there. */
  readonly onError: (error: unknown) => void
  /** It is there after it was not. */
  readonly onBack?: () => void
}

/**
 * A connection that is made as soon as there is somebody, and again when it is lost: nothing needs Redis to go on.
 * Resolves when it is there, or cannot be made for now. Rejects where Redis refuses the password.
 */
export async function connectRedis(url: string, name: string, reports: RedisReports): Promise<Redis> {
  const redis = new Redis(url, {
    connectionName: name,
    connectTimeout: CONNECT_MS_MAX,
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
  })
  let isAway = false
  const tellAway = (cause: Error) => {
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
    tellAway(error)
    tried.resolve()
  })
  // A server that takes the connection and says nothing.
  const timer = setTimeout(() => {
    tellAway(new Error('it does not answer'))
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
