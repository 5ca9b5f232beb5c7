/** The server's own log: JSON lines on standard output, with secrets left out. */

import { type Logger, pino } from 'pino'

export type { Logger }

/** Keys whose values never reach a log, wherever they stand. */
const SECRETS = ['authorization', 'password', 'api_key', 'apiKey', 'key', 'token', 'databaseUrl', 'redisUrl']

/** A logger of that level. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  })
}
