/** Users muted by other users. */

import type { UserId } from '../ids.ts'

/** A muted user. */
export interface MutedUser {
  readonly userId: UserId
  readonly mutedAt: number
}
