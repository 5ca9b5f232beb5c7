/** The environment as one frozen, typed value. */

import { resolve } from 'node:path'
import type { RateLimits } from './api/rate-limit.ts'

/** What an operator sets. */
export interface Config {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  /** Where clients reach the server, without a slash at its end; by default where it listens. */
  readonly publicUrl: string | undefined
  /** Undefined: an embedded database under `dataFolder`. */
  readonly databaseUrl: string | undefined
  readonly databaseConnections: number
  /** Undefined: a private one from PATH where the server starts its own services, else none. */
  readonly redisUrl: string | undefined
  /** Stands before every name in Redis, so that several servers can share one. */
  readonly redisPrefix: string
  readonly dataFolder: string
  /** Whether the address in `X-Forwarded-For` is believed: set it behind a router only. */
  readonly isProxyTrusted: boolean
  readonly hasClientAliases: boolean
  readonly pollHoldSeconds: number
  /** Whether channels may be opened to visitors without an account. */
  readonly hasWebPublicChannels: boolean
  /** Whether guests who do not know all users see the presence of those alone whom they know. */
  readonly limitsPresence: boolean
  readonly rateLimits: RateLimits
  readonly renderThreads: number
  readonly renderMsMax: number
  readonly logLevel: string
}

/** A setting that cannot be used, said in one line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Reads the environment; throws a `ConfigError` that names the first setting that is wrong. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const read = (name: string) => (env[name] === '' ? undefined : env[name])
  const integer = (name: string, usual: number, min: number, max: number): number => {
    const text = read(name)
    if (text === undefined) return usual
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min && value <= max)) {
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not '${text}'`)
    }
    return value
  }
  const choice = (name: string, usual: string, options: readonly string[]): string => {
    const text = read(name) ?? usual
    if (!options.includes(text))
      throw new ConfigError(`${name} must be one of ${options.join(', ')}, not '${text}'`)
    return text
  }
  const url = (name: string, protocols: readonly string[]): string | undefined => {
    const text = read(name)
    if (text === undefined) return undefined
    const isRight = URL.canParse(text) && protocols.includes(new URL(text).protocol)
    // The value may hold a password, so it is not repeated.
    if (!isRight)
      throw new ConfigError(
        `${name} must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
      )
    return text
  }
  const redisUrl = read('REDIS_URL')?.startsWith('/')
    ? read('REDIS_URL')
    : url('REDIS_URL', ['redis:', 'rediss:'])
  return Object.freeze({
    host: read('HOST') ?? '127.0.0.1',
    port: integer('PORT', 8080, 0, 65_535),
    publicUrl: url('PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, ''),
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databaseConnections: integer('DATABASE_CONNECTIONS', 8, 2, 1_000),
    redisUrl,
    redisPrefix: read('REDIS_PREFIX') ?? 'parley',
    dataFolder: resolve(read('DATA_DIR') ?? 'data'),
    isProxyTrusted: choice('TRUST_PROXY', 'off', ['on', 'off']) === 'on',
    hasClientAliases: choice('CLIENT_ALIASES', 'on', ['on', 'off']) === 'on',
    // Heroku's router cuts a request that is silent for 30 s.
    pollHoldSeconds: integer('LONGPOLL_SECONDS', 25, 1, 80),
    hasWebPublicChannels: choice('WEB_PUBLIC_STREAMS_ENABLED', 'true', ['true', 'false']) === 'true',
    limitsPresence:
      choice('CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE', 'false', ['true', 'false']) === 'true',
    rateLimits: {
      perUser: integer('RATE_LIMIT_USER_PER_MINUTE', 1_000, 1, 1_000_000_000),
      perAddress: integer('RATE_LIMIT_ADDRESS_PER_MINUTE', 200, 1, 1_000_000_000),
      logins: integer('RATE_LIMIT_LOGINS_PER_MINUTE', 20, 1, 1_000_000_000),
    },
    renderThreads: integer('RENDER_THREADS', 1, 1, 64),
    renderMsMax: integer('RENDER_MS_MAX', 2_000, 1, 60_000),
    logLevel: choice('LOG_LEVEL', 'info', LOG_LEVELS),
  })
}
