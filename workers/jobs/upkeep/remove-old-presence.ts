/** Removes old presences from the store that several processes share. */

import { presenceStoredSince } from '../../../server/domain/users/presence.ts'
import type { PresenceStore } from '../../../server/log/presence-store.ts'

/** Removes users whose last report is too old to be shown; returns their number. */
export function removeOldPresence(store: PresenceStore, now: Date): Promise<number> {
  return store.forget(presenceStoredSince(Math.floor(now.getTime() / 1000)))
}
