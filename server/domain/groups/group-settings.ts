/** Group settings: a permission is held by one group, or by an explicit set of users and groups. */

import type { GroupId, UserId } from '../ids.ts'
import { SYSTEM_GROUPS } from './system-groups.ts'

/** Users and groups that hold a permission together without being a named group. */
export interface ExplicitSet {
  /** Ascending. */
  readonly directMembers: readonly UserId[]
  /** Ascending. */
  readonly directSubgroups: readonly GroupId[]
}

/** The group that holds a permission, or an explicit set. */
export type GroupSetting = GroupId | ExplicitSet

/**
 * Normalizes a setting, so that equal settings look alike: sorted ids, each once; a lone group as its id; an empty set
 * as the group `nobody`.
 */
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
