/** Where processes share who is there. Losing it loses only that, until everybody's next report. */

import type { Presence } from '../domain/presence.ts'

/** What one process has to say of a user. */
export interface PresenceReport extends Presence {
  /** Set where it holds in place of what is known, rather than together with it. */
  readonly isReplacing?: true
}

/** What is known of a user, and since which update. */
export interface PresenceUpdate extends Presence {
  readonly updateId: number
}

/** What there is that the asking process does not know. */
export interface PresenceNews {
  /** Where the count of updates began: a number before it, or after the last, says nothing of what one knows. */
  readonly startId: number
  readonly lastId: number
  readonly updates: readonly PresenceUpdate[]
}

/** Counts updates, and keeps the newest of each user. */
export interface PresenceStore {
  /**
   * Takes reports, as one update, and answers what was updated after a number: these reports and those of other
   * processes, or everything where that number says nothing. Undefined where it is away.
   *
   * The count begins at the time in milliseconds, so that a new one is past whatever an old one, which gains at
   * most some updates a second, could reach.
   */
  exchange(
    reports: readonly PresenceReport[],
    sinceId: number,
    nowMs: number,
  ): Promise<PresenceNews | undefined>
  /** Removes those who have not reported since a time in UNIX seconds; answers how many. */
  forget(before: number): Promise<number>
}

/** For one process alone, which knows everything itself. */
export function createPresenceStoreInProcess(): PresenceStore {
  let startId: number | undefined
  let lastId = 0
  return {
    async exchange(reports, _sinceId, nowMs) {
      if (startId === undefined) lastId = startId = nowMs
      if (reports.length > 0) lastId++
      const updates = reports.map(({ userId, activeAt, idleAt }) => ({
        userId,
        activeAt,
        idleAt,
        updateId: lastId,
      }))
      return { startId, lastId, updates }
    },
    forget: async () => 0, // It keeps nobody.
  }
}
