/**
 * Who may have anything in a list of their own, so that nobody else's registration asks the database for it. Who has
 * emptied a list is kept until the next start: to know it would take the list itself.
 */

import type { UserId } from '../domain/ids.ts'
import { OWN_LISTS, type OwnList } from '../domain/own-lists.ts'
import { UserSet } from '../domain/user-set.ts'

/** Users by the lists they may have anything in. */
export class ListOwners {
  readonly #byList: Map<OwnList, UserSet>

  constructor(base?: ListOwners) {
    this.#byList = new Map(base ? base.#byList : OWN_LISTS.map((list) => [list, UserSet.empty]))
  }

  has(list: OwnList, userId: UserId): boolean {
    return (this.#byList.get(list) as UserSet).has(userId)
  }

  add(list: OwnList, userIds: readonly UserId[]): void {
    this.#byList.set(list, (this.#byList.get(list) as UserSet).with(userIds))
  }
}
