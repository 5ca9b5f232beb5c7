/** Forgets who was there long ago, where several processes share it. */

import { presenceKeptSince } from '../../../server/domain/presence.ts'
import type { PresenceStore } from '../../../server/log/presence-store.ts'

/** Removes everyone whose last report is too old to be told; answers how many. */
export function forgetPresence(store: PresenceStore, now: Date): Promise<number> {
  return store.forget(presenceKeptSince(Math.floor(now.getTime() / 1000)))
}
