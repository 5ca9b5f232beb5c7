/** Whom users have muted. */

import type { UserId } from './ids.ts'

/** A user whom another has muted. */
export interface MutedUser {
  readonly userId: UserId
  readonly mutedAt: number
}
