/** Users by standing, and groups: all that a permission is decided on. */

import { ROLES, type User } from './entities.ts'
import { GroupGraph } from './group-graph.ts'
import type { GroupSetting } from './group-settings.ts'
import { UserSet } from './user-set.ts'

/** Immutable, so that what a change would come to can be asked of a changed copy. */
export class Rights {
  readonly groups: GroupGraph
  /** Active people and bots. */
  readonly activeUsers: UserSet
  /** Active, and not a guest. */
  readonly activeMembers: UserSet
  /** Active owners and administrators. */
  readonly activeAdministrators: UserSet

  private constructor(
    groups: GroupGraph,
    activeUsers: UserSet,
    activeMembers: UserSet,
    activeAdministrators: UserSet,
  ) {
    this.groups = groups
    this.activeUsers = activeUsers
    this.activeMembers = activeMembers
    this.activeAdministrators = activeAdministrators
  }

  /** Of an organization without users. */
  static readonly initial = new Rights(GroupGraph.initial, UserSet.empty, UserSet.empty, UserSet.empty)

  /** These rights after a user was added or changed; memberships change by their own events. */
  withUser({ id, isActive, role, isSystem }: User): Rights {
    const place = (set: UserSet, belongs: boolean) => (belongs ? set.with([id]) : set.without([id]))
    const counts = isActive && !isSystem
    return new Rights(
      this.groups,
      place(this.activeUsers, counts),
      place(this.activeMembers, counts && role !== ROLES.guest),
      place(this.activeAdministrators, counts && role <= ROLES.administrator),
    )
  }

  withGroups(groups: GroupGraph): Rights {
    return new Rights(groups, this.activeUsers, this.activeMembers, this.activeAdministrators)
  }

  /** Whether a user holds what a setting grants. */
  holds(user: User, setting: GroupSetting): boolean {
    return this.groups.holds(user.id, setting)
  }
}
