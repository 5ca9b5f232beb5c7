/** The background work of a node: it records who was seen, and changes what the passing time changes. */

import { RefusalsRecorder } from '../actors/refusals-recorder.ts'
import { SeenSessionsRecorder } from '../actors/seen-sessions-recorder.ts'
import { SeenUsersRecorder } from '../actors/seen-users-recorder.ts'
import { submitForServer } from '../changes/submit.ts'
import { endExpiredSessions } from '../changes/users/login-sessions.ts'
import { endExpiredKeys } from '../changes/users/named-keys.ts'
import { storeKeysSeen } from '../../db/accounts/named-keys.ts'
import type { EventQueues } from '../actors/event-queues.ts'
import { type Clock, nowSeconds } from '../domain/clock.ts'
import { isLiveKey } from '../domain/accounts/named-keys.ts'
import { factorDeadline } from '../domain/accounts/factor-rule.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { decideLowerBots } from '../decisions/bots/bot-roles.ts'
import { decideFullMembers } from '../decisions/users/change-roles.ts'
import type { Actors } from './actors.ts'
import type { Connections } from './connections.ts'
import type { NodeContext } from './node-context.ts'

/** The precision with which idle sessions end, and keys that are over leave the tables. */
const SESSION_EXPIRY_PERIOD_MS = 3_600_000
/** Milliseconds that a member may wait for their rights after the waiting period. */
const FULL_MEMBERS_PERIOD_MS = 60_000

/** Milliseconds for which a stream may go on after the time for a second factor, or its named key, is over. */
const FACTORS_PERIOD_MS = 60_000

/** The recorders of a node, which requests notify. */
export interface Upkeep {
  readonly seenUsers: SeenUsersRecorder
  readonly seenSessions: SeenSessionsRecorder
  readonly seenKeys: SeenSessionsRecorder
  readonly refusals: RefusalsRecorder
}

/** Starts the background work; resolves once the presences are loaded. */
export async function startUpkeep(
  { closers, logger, onError }: NodeContext,
  { sql, clock }: Connections,
  { state, committer, writer, presences, queues }: Actors,
): Promise<Upkeep> {
  const seenUsers = new SeenUsersRecorder({ state, committer, clock, onError })
  closers.push(() => seenUsers.stop())
  const seenSessions = new SeenSessionsRecorder({ sql, clock, onError })
  closers.push(() => seenSessions.stop())
  const seenKeys = new SeenSessionsRecorder({ sql, clock, onError, store: storeKeysSeen })
  closers.push(() => seenKeys.stop())
  const refusals = new RefusalsRecorder({ committer, clock, logger, onError })
  closers.push(() => refusals.close())
  const factors = watchFactors(state, queues, clock)
  closers.push(() => factors.stop())
  const keys = watchKeys(state, queues, clock)
  closers.push(() => keys.stop())
  await presences.exchange() // Load presences before the first request.
  await submitForServer(writer, decideLowerBots)
  const updateFullMembers = async () => submitForServer(writer, decideFullMembers)
  const sweep = clock.every(FULL_MEMBERS_PERIOD_MS, () => void updateFullMembers().catch(onError))
  closers.push(() => sweep.stop())
  const endExpired = () => {
    void endExpiredSessions({ ...writer, sql }).catch(onError)
    void endExpiredKeys(writer).catch(onError)
  }
  const expiry = clock.every(SESSION_EXPIRY_PERIOD_MS, endExpired)
  closers.push(() => expiry.stop())
  return { seenUsers, seenSessions, seenKeys, refusals }
}

/** Ends streams and polls of people who lack a second factor when their time for it is over; the door refuses the next. */
function watchFactors(state: OrganizationState, queues: EventQueues, clock: Clock): { stop(): void } {
  let { secondFactorGraceDays: days } = state.settings
  let checkedAt = nowSeconds(clock)
  return clock.every(FACTORS_PERIOD_MS, () => {
    const now = nowSeconds(clock)
    const { settings, appUsers } = state
    // A shorter time may have ended before.
    const since = settings.secondFactorGraceDays === days ? checkedAt : 0
    days = settings.secondFactorGraceDays
    checkedAt = now
    if (days === null) return
    for (const user of state.users.values()) {
      const deadline = factorDeadline(settings, user)
      if (deadline === undefined || deadline <= since || deadline > now || appUsers.has(user.id)) continue
      queues.recheckUser(user.id)
    }
  })
}

/** Ends streams and polls with a named key when it is over; the door refuses the next. */
function watchKeys(state: OrganizationState, queues: EventQueues, clock: Clock): { stop(): void } {
  let checkedAt = nowSeconds(clock)
  return clock.every(FACTORS_PERIOD_MS, () => {
    const since = checkedAt
    checkedAt = nowSeconds(clock)
    for (const [userId, keys] of state.namedKeys)
      if (keys.some((key) => isLiveKey(key, since) && !isLiveKey(key, checkedAt))) queues.recheckUser(userId)
  })
}
