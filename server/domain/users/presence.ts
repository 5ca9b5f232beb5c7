/** Presence: when each user's clients last reported, and the status that follows. */

import type { UserId } from '../ids.ts'

/** How often clients report; the registration asks them to. */
export const PRESENCE_PING_SECONDS = 60
/** Seconds after the last report until a user is offline: three lost reports and a margin. */
export const PRESENCE_OFFLINE_SECONDS = 200
/** Seconds for which a user stays active though another of their clients is idle: one report period and its delay. */
const ACTIVE_SECONDS = 70
/** Days for which the last report is stored. */
const PRESENCE_DAYS_MAX = 14
/** Active users up to which presence events are sent at once: each arrival goes to all the others. */
export const PRESENCE_EVENT_USERS_MAX = 100
/** Users who hide their presence appear to have left this many seconds ago. */
const HIDDEN_SECONDS = PRESENCE_OFFLINE_SECONDS + 120

export type PresenceStatus = 'active' | 'idle'

/** A user's last reports; times are UNIX seconds. */
export interface Presence {
  readonly userId: UserId
  /** The last report of activity; 0 for never. */
  readonly activeAt: number
  /** The last report of any of their clients. */
  readonly idleAt: number
}

/** The status that clients see while the last report is recent. */
export function presenceStatus({ activeAt, idleAt }: Presence): PresenceStatus {
  return activeAt + ACTIVE_SECONDS >= idleAt ? 'active' : 'idle'
}

/** The time of the status that clients see. */
export function presenceTime(presence: Presence): number {
  return presenceStatus(presence) === 'active' ? presence.activeAt : presence.idleAt
}

/** Whether the last report is so old that the user is offline. */
export function isOffline({ idleAt }: Presence, nowSeconds: number): boolean {
  return nowSeconds - idleAt > PRESENCE_OFFLINE_SECONDS
}

/** Older reports are deleted. */
export function presenceStoredSince(nowSeconds: number): number {
  return nowSeconds - PRESENCE_DAYS_MAX * 24 * 3600
}

/** A presence updated by a client's report. */
export function withReport(
  userId: UserId,
  before: Presence | undefined,
  status: PresenceStatus,
  nowSeconds: number,
): Presence {
  return {
    userId,
    activeAt: status === 'active' ? nowSeconds : (before?.activeAt ?? 0),
    idleAt: Math.max(nowSeconds, before?.idleAt ?? 0),
  }
}

/** The presence of a user who seems to have left a while ago. */
export function hidden({ userId, activeAt }: Presence, nowSeconds: number): Presence {
  const idleAt = nowSeconds - HIDDEN_SECONDS
  return { userId, activeAt: Math.min(activeAt, idleAt), idleAt }
}

/** The newer parts of two presences of the same user. */
export function latest(a: Presence, b: Presence): Presence {
  return {
    userId: a.userId,
    activeAt: Math.max(a.activeAt, b.activeAt),
    idleAt: Math.max(a.idleAt, b.idleAt),
  }
}
