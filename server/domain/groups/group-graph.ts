/** User groups and their members, including those of nested groups. */

import type { UserGroup } from '../entities.ts'
import type { ExplicitSet, GroupSetting } from './group-settings.ts'
import type { GroupId, UserId } from '../ids.ts'
import { completePermissions, GROUP_PERMISSIONS } from './permissions.ts'
import { SYSTEM_GROUP_SHAPES, SYSTEM_GROUPS } from './system-groups.ts'
import { UserSet } from '../users/user-set.ts'

/** A group with its own members and subgroups. */
export interface GroupState {
  readonly group: UserGroup
  /** Includes deactivated users: they return when their account is reactivated. */
  readonly directMembers: UserSet
  /** Ascending. */
  readonly directSubgroups: readonly GroupId[]
}

/** Immutable, so a decision can test a changed copy. No group contains itself. */
export class GroupGraph {
  /** By id, ascending. */
  readonly groups: ReadonlyMap<GroupId, GroupState>
  /** All members, computed on first use. */
  readonly #members = new Map<GroupId, UserSet>()
  /** All holders of explicit sets, computed on first use. */
  readonly #holders = new WeakMap<ExplicitSet, UserSet>()

  constructor(groups: ReadonlyMap<GroupId, GroupState>) {
    this.groups = groups
  }

  /** The system groups, without members. */
  static readonly initial = new GroupGraph(
    new Map(
      SYSTEM_GROUP_SHAPES.map(({ name, description, subgroup }) => {
        const id = SYSTEM_GROUPS[name]
        const permissions = completePermissions(
          GROUP_PERMISSIONS,
          {
            canAddMembers: SYSTEM_GROUPS.nobody,
            canJoin: SYSTEM_GROUPS.nobody,
            canLeave: SYSTEM_GROUPS.nobody,
            canManage: SYSTEM_GROUPS.nobody,
            canMention: SYSTEM_GROUPS.nobody,
            canRemoveMembers: SYSTEM_GROUPS.nobody,
          },
          null,
        )
        const group: UserGroup = {
          id,
          name: `role:${name.toLowerCase()}`,
          description,
          creatorId: null,
          createdAt: null,
          isSystem: true,
          isDeactivated: false,
          permissions,
        }
        const directSubgroups = subgroup === undefined ? [] : [SYSTEM_GROUPS[subgroup]]
        return [id, { group, directMembers: UserSet.empty, directSubgroups }]
      }),
    ),
  )

  /** This graph with a group added or replaced. */
  with(state: GroupState): GroupGraph {
    return new GroupGraph(new Map(this.groups).set(state.group.id, state))
  }

  /** This graph with users added to, or removed from, a group's direct members. */
  withMembers(id: GroupId, userIds: readonly UserId[], isAdding: boolean): GroupGraph {
    const state = this.get(id)
    const directMembers = isAdding ? state.directMembers.with(userIds) : state.directMembers.without(userIds)
    return this.with({ ...state, directMembers })
  }

  /** This graph with groups added to, or removed from, a group's direct subgroups. */
  withSubgroups(id: GroupId, groupIds: readonly GroupId[], isAdding: boolean): GroupGraph {
    const state = this.get(id)
    const others = state.directSubgroups.filter((one) => !groupIds.includes(one))
    const directSubgroups = isAdding ? [...others, ...groupIds].sort((a, b) => a - b) : others
    return this.with({ ...state, directSubgroups })
  }

  get(id: GroupId): GroupState {
    const state = this.groups.get(id)
    if (!state) throw new Error(`group ${id} is not in the state`)
    return state
  }

  /** All members of a group, including those of its subgroups. */
  membersOf(id: GroupId): UserSet {
    const cached = this.#members.get(id)
    if (cached) return cached
    const { directMembers, directSubgroups } = this.get(id)
    const members = UserSet.unionOf([directMembers, ...directSubgroups.map((one) => this.membersOf(one))])
    this.#members.set(id, members)
    return members
  }

  /** All groups within a group, excluding itself, ascending. */
  subgroupsOf(id: GroupId): GroupId[] {
    const found = new Set<GroupId>()
    const visit = (one: GroupId) => {
      for (const subgroup of this.get(one).directSubgroups) {
        if (found.has(subgroup)) continue
        found.add(subgroup)
        visit(subgroup)
      }
    }
    visit(id)
    return [...found].sort((a, b) => a - b)
  }

  /** A group and all groups that contain it. */
  withSupergroups(id: GroupId): ReadonlySet<GroupId> {
    const found = new Set([id])
    let counted = 0
    while (counted < found.size) {
      counted = found.size
      for (const { group, directSubgroups } of this.groups.values()) {
        if (directSubgroups.some((one) => found.has(one))) found.add(group.id)
      }
    }
    return found
  }

  /** Total number of direct subgroups of all groups. */
  countSubgroups(): number {
    let count = 0
    for (const { directSubgroups } of this.groups.values()) count += directSubgroups.length
    return count
  }

  /** Depth of the deepest nesting. */
  nestingDepth(): number {
    const depths = new Map<GroupId, number>()
    const depthOf = (id: GroupId): number => {
      const cached = depths.get(id)
      if (cached !== undefined) return cached
      const depth = 1 + Math.max(0, ...this.get(id).directSubgroups.map(depthOf))
      depths.set(id, depth)
      return depth
    }
    return Math.max(0, ...[...this.groups.keys()].map(depthOf))
  }

  /** Whether a user holds a setting. */
  holds(userId: UserId, setting: GroupSetting): boolean {
    if (typeof setting === 'number') return this.membersOf(setting).has(userId)
    return (
      setting.directMembers.includes(userId) ||
      setting.directSubgroups.some((id) => this.membersOf(id).has(userId))
    )
  }

  /** All holders of a setting. */
  holdersOf(setting: GroupSetting): UserSet {
    if (typeof setting === 'number') return this.membersOf(setting)
    const members = UserSet.of(setting.directMembers)
    if (setting.directSubgroups.length === 0) return members // This is the common case, and faster than the cache.
    const cached = this.#holders.get(setting)
    if (cached) return cached
    const holders = UserSet.unionOf([members, ...setting.directSubgroups.map((id) => this.membersOf(id))])
    this.#holders.set(setting, holders)
    return holders
  }
}
