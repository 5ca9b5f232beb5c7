/** The days on which users were last seen, as far back as lists of recent users reach. */

import type { UserId } from '../domain/ids.ts'
import { UserSet } from '../domain/users/user-set.ts'
import { mapOver } from '../domain/overlay-map.ts'

/** Days for which users count as recent, as partial lists of subscribers promise. */
const RECENT_DAYS = 14

/** Sets of users by the day they were last seen, counted from 1970 in UTC. */
export class SeenUsers {
  readonly #byDay: Map<number, UserSet>
  readonly #days: Map<UserId, number>
  /** The cached answer of `recent`, which each channel of a list needs. */
  #recent: { readonly today: number; readonly users: UserSet } | undefined

  constructor(base?: SeenUsers) {
    this.#byDay = base ? mapOver(base.#byDay) : new Map()
    this.#days = base ? mapOver(base.#days) : new Map()
  }

  /** The last day on which a user was seen. */
  dayOf(userId: UserId): number | undefined {
    return this.#days.get(userId)
  }

  /** Records that users were seen on a day, which is never earlier than their last. */
  note(day: number, userIds: readonly UserId[]): void {
    this.#recent = undefined
    for (const userId of userIds) this.#days.set(userId, day)
    this.#byDay.set(day, (this.#byDay.get(day) ?? UserSet.empty).with(userIds))
    for (const old of this.#byDay.keys()) if (old < day - RECENT_DAYS) this.#byDay.delete(old)
  }

  /** All users seen in the last 14 days, today included. */
  recent(today: number): UserSet {
    if (this.#recent?.today === today) return this.#recent.users
    let users = UserSet.empty
    for (const [day, seen] of this.#byDay) if (day >= today - RECENT_DAYS) users = users.union(seen)
    this.#recent = { today, users }
    return users
  }
}
