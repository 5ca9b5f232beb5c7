/** Connections to Redis. */

import { Redis } from 'ioredis'

const CONNECT_MS_MAX = 5_000 // A Redis that does not answer at the start is a wrong setting, not a passing fault.

/** A connection that comes back by itself; rejects where the first try fails. */
export async function connectRedis(
  url: string,
  name: string,
  onError: (error: unknown) => void,
): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectionName: name,
    connectTimeout: CONNECT_MS_MAX,
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
  })
  let isConnected = false
  let firstError: unknown
  redis.on('error', (error) => {
    if (isConnected) onError(error)
    else firstError ??= error // The rejection below says only that the connection is closed.
  })
  // The library's own limit ends with the connection; a server that takes it and says nothing must not hold us.
  const timer = setTimeout(() => {
    firstError ??= new Error('it does not answer')
    redis.disconnect()
  }, CONNECT_MS_MAX)
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    redis.disconnect()
    throw new Error('the Redis of REDIS_URL cannot be reached', { cause: firstError ?? error })
  } finally {
    clearTimeout(timer)
  }
  isConnected = true
  return redis
}
