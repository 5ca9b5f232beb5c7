/** Group settings: who holds a permission, as one group or as a set of users and groups of its own. */

import type { GroupId, UserId } from './ids.ts'
import { SYSTEM_GROUPS } from './system-groups.ts'

/** Users and groups that hold a permission together, without being a group with a name. */
export interface ExplicitSet {
  /** Ascending. */
  readonly directMembers: readonly UserId[]
  /** Ascending. */
  readonly directSubgroups: readonly GroupId[]
}

/** The group that holds a permission, or an explicit set. */
export type GroupSetting = GroupId | ExplicitSet

/** A setting in the one form in which equal settings look alike: sorted, each id once, a lone group as that group, and no one as nobody. */
export function normalizeGroupSetting(setting: GroupSetting): GroupSetting {
  if (typeof setting === 'number') return setting
  const directMembers = sortedOnce(setting.directMembers)
  const directSubgroups = sortedOnce(setting.directSubgroups)
  const [lone] = directSubgroups
  if (directMembers.length === 0 && directSubgroups.length <= 1) return lone ?? SYSTEM_GROUPS.nobody
  return { directMembers, directSubgroups }
}

/** Whether two normalized settings are the same. */
export function isSameGroupSetting(a: GroupSetting, b: GroupSetting): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b
  return isSameList(a.directMembers, b.directMembers) && isSameList(a.directSubgroups, b.directSubgroups)
}

function isSameList(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index])
}

function sortedOnce<Id extends number>(ids: readonly Id[]): Id[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}
