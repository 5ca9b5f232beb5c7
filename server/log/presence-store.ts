/** The store in which processes share presences. Its loss lasts only until each client's next report. */

import type { UserId } from '../domain/ids.ts'
import type { Presence } from '../domain/users/presence.ts'

/** A process's report about one user. */
export interface PresenceReport extends Presence {
  /** Set if it replaces the stored presence instead of being merged with it. */
  readonly isReplacing?: true
}

/** A user's presence, with the number of its last update. */
export interface PresenceUpdate extends Presence {
  readonly updateId: number
}

/** Updates that the caller does not have yet. */
export interface PresenceNews {
  /** The number at which the count of updates began: earlier and later numbers come from another count. */
  readonly startId: number
  readonly lastId: number
  readonly updates: readonly PresenceUpdate[]
}

/** Counts updates, and stores the latest of each user. */
export interface PresenceStore {
  /**
   * Stores reports as one update. Returns all updates after a number: these reports and those of other processes, or
   * every presence if the number comes from another count. Undefined if the store is unavailable.
   *
   * The count begins at the time in milliseconds. So a new count starts beyond any old one, which grows by at most some
   * updates a second.
   */
  exchange(
    reports: readonly PresenceReport[],
    sinceId: number,
    nowMs: number,
  ): Promise<PresenceNews | undefined>
  /** Removes users who have not reported since a time in UNIX seconds; returns their number. */
  forget(before: number): Promise<number>
}

/** A store that workers can ask, too. */
export interface SharedPresenceStore extends PresenceStore {
  /** When users were last active, in UNIX seconds; users who never were are left out, and everyone while it is away. */
  readActivity(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, number>>
}

/** The store of a single process, which has every presence itself. `note` stores reports for workers. */
export function createPresenceStoreInProcess(
  note: (reports: readonly PresenceReport[]) => Promise<void> = async () => {},
): PresenceStore {
  let startId: number | undefined
  let lastId = 0
  return {
    async exchange(reports, _sinceId, nowMs) {
      if (startId === undefined) lastId = startId = nowMs
      await note(reports)
      if (reports.length > 0) lastId++
      const updates = reports.map(({ userId, activeAt, idleAt }) => ({
        userId,
        activeAt,
        idleAt,
        updateId: lastId,
      }))
      return { startId, lastId, updates }
    },
    forget: async () => 0, // It stores nobody.
  }
}
