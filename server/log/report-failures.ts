/** Logs failures: an unavailable database only once a second, because every request fails then. */

import { isUnavailable } from '../../db/connection/unavailable.ts'

const OUTAGE_PERIOD_MS = 1_000

/** Creates the reporter for failures of background work and of the services below. */
export function reportFailures(
  logger: { error(record: object, message: string): void },
  message: string,
  outageMessage = 'the database is unavailable',
): (error: unknown, requestId?: string) => void {
  let lastOutageMs = Number.NEGATIVE_INFINITY
  return (error, requestId) => {
    const record = { err: error, ...(requestId === undefined ? {} : { requestId }) }
    if (!isUnavailable(error)) {
      logger.error(record, message)
      return
    }
    const nowMs = performance.now()
    if (nowMs - lastOutageMs < OUTAGE_PERIOD_MS) return
    lastOutageMs = nowMs
    logger.error(record, outageMessage)
  }
}
