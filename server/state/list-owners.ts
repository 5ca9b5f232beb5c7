/**
 * Users who may have entries in a personal list: registrations of other users skip the database. A user who empties a
 * list stays until the next start, because detecting it would take the whole list.
 */

import type { UserId } from '../domain/ids.ts'
import { OWN_LISTS, type OwnList } from '../domain/personal/own-lists.ts'
import { UserSet } from '../domain/users/user-set.ts'

/** Users by the lists that may have entries. */
export class ListOwners {
  readonly #byList: Map<OwnList, UserSet>

  constructor(base?: ListOwners) {
    this.#byList = new Map(base ? base.#byList : OWN_LISTS.map((list) => [list, UserSet.empty]))
  }

  of(list: OwnList): UserSet {
    return this.#byList.get(list) as UserSet
  }

  has(list: OwnList, userId: UserId): boolean {
    return this.of(list).has(userId)
  }

  add(list: OwnList, userIds: readonly UserId[]): void {
    this.#byList.set(list, this.of(list).with(userIds))
  }
}
