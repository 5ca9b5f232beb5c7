/** Tries Redis: its version, its rights, and what it does when its memory is full. */

import { REDIS_VERSION_MIN } from '../../workers/queues/job-backends.ts'
import type { Config } from '../config.ts'
import { connectRedis } from '../log/connect-redis.ts'
import { type Checked, CheckError } from './finding.ts'

/** Seconds after which Redis forgets the value of the check if nobody removes it. */
const VALUE_SECONDS = 60

/** Throws what the start would report, or a `CheckError`. */
export async function checkRedis({ redisUrl, redisPrefix }: Config): Promise<Checked> {
  if (redisUrl === undefined) return { unused: 'REDIS_URL is not set: more than one web process needs it' }
  let outage: unknown
  const redis = await connectRedis(redisUrl, 'parley-check', {
    onError: (error) => {
      outage ??= error
    },
  })
  try {
    if (redis.status !== 'ready') throw outage
    const servers = 'nodes' in redis ? redis.nodes('master') : [redis]
    const all = await Promise.all(servers.map(async (one) => readFacts(await one.info())))
    for (const one of all) refuseFacts(one)
    const facts = all[0] as ReadonlyMap<string, string>
    const key = `${redisPrefix}:check:${process.pid}`
    await redis.set(key, '1', 'EX', VALUE_SECONDS)
    // The queues of jobs run scripts, and processes wake each other by channels.
    const value = await redis.eval("return redis.call('get', KEYS[1])", 1, key)
    await redis.publish(key, '')
    await redis.del(key)
    if (value !== '1') throw new CheckError('it does not give back what was stored: name another server')
    const storage = facts.get('aof_enabled') === '1' ? 'an append-only file' : 'no append-only file'
    const kind = 'nodes' in redis ? `a Cluster with ${all.length} primaries, ` : ''
    return `${kind}${facts.get('redis_version')}, maxmemory-policy ${facts.get('maxmemory_policy')}, ${storage} (nothing is lost with it)`
  } finally {
    redis.disconnect()
  }
}

/** The lines of INFO. */
function readFacts(info: string): ReadonlyMap<string, string> {
  return new Map(
    info.split('\r\n').flatMap((line) => {
      const colon = line.indexOf(':')
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1)] as const]
    }),
  )
}

function refuseFacts(facts: ReadonlyMap<string, string>): void {
  const version = facts.get('redis_version') ?? ''
  if (version.localeCompare(REDIS_VERSION_MIN, 'en', { numeric: true }) < 0)
    throw new CheckError(`Redis ${version} is too old: ${REDIS_VERSION_MIN} or later is needed`)
  const policy = facts.get('maxmemory_policy')
  if (policy !== undefined && policy !== 'noeviction')
    throw new CheckError(
      `maxmemory-policy is ${policy}, which removes waiting jobs when the memory is full: set it to noeviction`,
    )
}

/** The reason of a failure; those of `connectRedis` name the setting. */
export function explainRedis(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message} (${cause.message})` : `REDIS_URL: ${message}`
}
