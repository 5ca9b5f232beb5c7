/** Tells the server's own log of failures: of an unavailable database once a second, as every request has one then. */

import { isUnavailable } from '../../db/unavailable.ts'

const OUTAGE_PERIOD_MS = 1_000

/** Makes that to which failures of the background, and of what the server stands on, are reported. */
export function reportFailures(
  logger: { error(record: object, message: string): void },
  message: string,
  outageMessage = 'the database is unavailable',
): (error: unknown) => void {
  let lastOutageMs = Number.NEGATIVE_INFINITY
  return (error) => {
    if (!isUnavailable(error)) {
      logger.error({ err: error }, message)
      return
    }
    const nowMs = performance.now()
    if (nowMs - lastOutageMs < OUTAGE_PERIOD_MS) return
    lastOutageMs = nowMs
    logger.error({ err: error }, outageMessage)
  }
}
