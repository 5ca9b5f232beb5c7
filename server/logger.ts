/** The server's own log: JSON lines on standard output, without secrets. */

import { type Logger, pino } from 'pino'

export type { Logger }

/** Keys whose values never reach a log, at any depth. */
const SECRETS = ['authorization', 'password', 'api_key', 'apiKey', 'key', 'token', 'databaseUrl', 'redisUrl']

/** Creates a logger of a level. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  })
}
