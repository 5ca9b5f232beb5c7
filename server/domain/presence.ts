/** Who is there: when each user's clients last reported, and what that makes of them. */

import type { UserId } from './ids.ts'

/** How often clients report, as they are told. */
export const PRESENCE_PING_SECONDS = 60
/** Seconds after their last report after which users are no longer there: three lost reports and some more. */
export const PRESENCE_OFFLINE_SECONDS = 200
/** Seconds for which a user stays active though another of their clients is idle: a report and its way. */
const ACTIVE_SECONDS = 70
/** How long it is known that somebody was there. */
const PRESENCE_DAYS_MAX = 14
/** Active users past whom nobody is told at once: each who comes would be told to all the others. */
export const PRESENCE_EVENT_USERS_MAX = 100
/** Whoever wants not to be seen was last there so many seconds before, as far as others see. */
const HIDDEN_SECONDS = PRESENCE_OFFLINE_SECONDS + 120

export type PresenceStatus = 'active' | 'idle'

/** When a user was last there; times are UNIX seconds. */
export interface Presence {
  readonly userId: UserId
  /** When they last did something; 0 for never. */
  readonly activeAt: number
  /** When a client of theirs last reported at all. */
  readonly idleAt: number
}

/** What clients are shown while the last report is not too old. */
export function presenceStatus({ activeAt, idleAt }: Presence): PresenceStatus {
  return activeAt + ACTIVE_SECONDS >= idleAt ? 'active' : 'idle'
}

/** When a user was last seen as they are shown. */
export function presenceTime(presence: Presence): number {
  return presenceStatus(presence) === 'active' ? presence.activeAt : presence.idleAt
}

/** Whether the last report is too old for the user to be there. */
export function isOffline({ idleAt }: Presence, nowSeconds: number): boolean {
  return nowSeconds - idleAt > PRESENCE_OFFLINE_SECONDS
}

/** The time before which nobody knows any more who was there. */
export function presenceKeptSince(nowSeconds: number): number {
  return nowSeconds - PRESENCE_DAYS_MAX * 24 * 3600
}

/** A presence with a client's report. */
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

/** A presence as of one who left a while ago. */
export function hidden({ userId, activeAt }: Presence, nowSeconds: number): Presence {
  const idleAt = nowSeconds - HIDDEN_SECONDS
  return { userId, activeAt: Math.min(activeAt, idleAt), idleAt }
}

/** What two know of the same user. */
export function latest(a: Presence, b: Presence): Presence {
  return {
    userId: a.userId,
    activeAt: Math.max(a.activeAt, b.activeAt),
    idleAt: Math.max(a.idleAt, b.idleAt),
  }
}
