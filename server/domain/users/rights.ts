/** Users by role, and groups: everything that permissions depend on. */

import { ROLES, type User } from '../entities.ts'
import { GroupGraph } from '../groups/group-graph.ts'
import type { GroupSetting } from '../groups/group-settings.ts'
import { UserSet } from './user-set.ts'

/** Immutable, so a decision can test a changed copy. */
export class Rights {
  readonly groups: GroupGraph
  /** Active people and bots. */
  readonly activeUsers: UserSet
  /** Active users except guests. */
  readonly activeMembers: UserSet
  /** Active owners and administrators. */
  readonly activeAdministrators: UserSet
  readonly activeOwners: UserSet

  // oxlint-disable-next-line max-params -- The sets in their order, from the largest.
  private constructor(
    groups: GroupGraph,
    activeUsers: UserSet,
    activeMembers: UserSet,
    activeAdministrators: UserSet,
    activeOwners: UserSet,
  ) {
    this.groups = groups
    this.activeUsers = activeUsers
    this.activeMembers = activeMembers
    this.activeAdministrators = activeAdministrators
    this.activeOwners = activeOwners
  }

  /** The rights of an organization without users. */
  static readonly initial = new Rights(
    GroupGraph.initial,
    UserSet.empty,
    UserSet.empty,
    UserSet.empty,
    UserSet.empty,
  )

  /** These rights with a user added or changed; group memberships have events of their own. */
  withUser({ id, isActive, role, isSystem }: User): Rights {
    const place = (set: UserSet, belongs: boolean) => (belongs ? set.with([id]) : set.without([id]))
    const counts = isActive && !isSystem
    return new Rights(
      this.groups,
      place(this.activeUsers, counts),
      place(this.activeMembers, counts && role !== ROLES.guest),
      place(this.activeAdministrators, counts && role <= ROLES.administrator),
      place(this.activeOwners, counts && role === ROLES.owner),
    )
  }

  withGroups(groups: GroupGraph): Rights {
    return new Rights(
      groups,
      this.activeUsers,
      this.activeMembers,
      this.activeAdministrators,
      this.activeOwners,
    )
  }

  /** Whether a user holds a setting. */
  holds(user: User, setting: GroupSetting): boolean {
    return this.groups.holds(user.id, setting)
  }
}
