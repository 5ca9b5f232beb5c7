/**
 * Gives heartbeats a number where nothing else does. Clients are told numbers of the log alone, and each is told a later
 * one than before, so a silent log grows by one entry in the time that a poll is held: that one serves all who wait, in
 * every process. It is told to nobody as such, changes nothing, and no decision stands on it.
 */

import { type Decision, done } from '../../decisions/decision.ts'
import type { ServerScope } from '../../decisions/scope.ts'
import { submitForServer, type Writer } from '../submit.ts'

/** A database that takes longer is away: polls are then ended without a heartbeat, in time for routers that cut after 30 s. */
const COMMIT_MS_MAX = 2_000

/** Resolves when the log has another entry; rejects where it does not get one in time. */
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
