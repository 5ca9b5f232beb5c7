/** Muted users, by the user who muted and by the user who is muted. */

import type { UserId } from '../domain/ids.ts'
import type { MutedUser } from '../domain/personal/muted-users.ts'
import { UserSet } from '../domain/users/user-set.ts'
import { mapOver } from '../domain/overlay-map.ts'

/** Both indexes, kept consistent. */
export class Mutes {
  /** By the user who muted, in the order of muting. */
  readonly byMuter: Map<UserId, readonly MutedUser[]>
  /** By the muted user; the sets are immutable, so a past message keeps its set. */
  readonly mutersOf: Map<UserId, UserSet>

  constructor(base?: Mutes) {
    this.byMuter = mapOver(base?.byMuter)
    this.mutersOf = mapOver(base?.mutersOf)
  }

  /** The users that a user has muted. */
  of(userId: UserId): readonly MutedUser[] {
    return this.byMuter.get(userId) ?? []
  }

  /** Replaces the users that a user has muted. */
  place(userId: UserId, mutedUsers: readonly MutedUser[]): void {
    const before = new Set(this.byMuter.get(userId)?.map((one) => one.userId))
    for (const { userId: mutedId } of mutedUsers) {
      if (before.delete(mutedId)) continue
      this.mutersOf.set(mutedId, (this.mutersOf.get(mutedId) ?? UserSet.empty).with([userId]))
    }
    for (const mutedId of before) {
      const muters = (this.mutersOf.get(mutedId) ?? UserSet.empty).without([userId])
      if (muters.size > 0) this.mutersOf.set(mutedId, muters)
      else this.mutersOf.delete(mutedId)
    }
    if (mutedUsers.length > 0) this.byMuter.set(userId, mutedUsers)
    else this.byMuter.delete(userId)
  }
}
