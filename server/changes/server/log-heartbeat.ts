/**
 * Logs heartbeats if nothing else gives clients a new number. Clients get only numbers of the log, each later than the
 * last one. So a silent log grows by one entry in the time of a held poll; all waiting polls of every process use that
 * entry. It has no recipients, changes nothing, and no decision depends on it.
 */

import { type Decision, done } from '../../decisions/decision.ts'
import type { ServerScope } from '../../decisions/scope.ts'
import { submitForServer, type Writer } from '../submit.ts'

/** A slower database is unavailable: polls then end without a heartbeat, before routers cut them after 30 s. */
const COMMIT_MS_MAX = 2_000

/** Resolves when the log has another entry; rejects if it gets none in time. */
export async function logHeartbeat(writer: Writer, commitMsMax = COMMIT_MS_MAX): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('no heartbeat could be logged in time')), commitMsMax)
  try {
    await Promise.race([submitForServer(writer, decideHeartbeat), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

function decideHeartbeat({ state }: ServerScope): Decision<void> {
  return done(state.organization ? [{ type: 'heartbeat' }] : [])
}
