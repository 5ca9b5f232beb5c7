/** The server's own log: JSON lines on standard output, without secrets. */

import { type EventEmitter, once } from 'node:events'
import { type Logger, pino } from 'pino'
import { following } from './measures/following.ts'

export type { Logger }

/** Keys whose values never reach a log, at any depth. */
const SECRETS = ['authorization', 'password', 'api_key', 'apiKey', 'key', 'token', 'databaseUrl', 'redisUrl']

/** Creates a logger of a level. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    mixin: followed,
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  })
}

/** The fields of lines of a followed request or job; a line with another id belongs to another request. */
function followed(line: object): object {
  const { requestId, span } = following.getStore() ?? {}
  if ('requestId' in line && line.requestId !== requestId) return {}
  return {
    ...(requestId === undefined ? {} : { requestId }),
    ...(span ? { traceId: span.traceId } : {}),
  }
}

/** Milliseconds for the lines of an ending program: a reader that has stopped takes none. */
const WRITE_MS_MAX = 1_000

/** Resolves when the line just logged, and those before it, are written. */
export async function written(logger: Logger): Promise<void> {
  const stream = Reflect.get(logger, pino.symbols.streamSym) as EventEmitter
  await once(stream, 'drain', { signal: AbortSignal.timeout(WRITE_MS_MAX) }).catch(() => undefined)
}
