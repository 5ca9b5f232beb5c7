/** Permissions of the current user on groups, by the rules of the server, which decides. */

import {
  canAddToGroup,
  canCreateGroups,
  canManageGroup,
  canRemoveFromGroup,
  type JudgedGroup,
} from '../../../packages/rules/groups.ts'
import type { UserGroup } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../apply.ts'
import { organizationOf, permissionsOf, selfOf } from './judged.ts'

export function mayCreateGroups(state: State): boolean {
  return canCreateGroups(selfOf(state), organizationOf(state))
}

/** Whether the user may change every part of a group. */
export function mayManageGroup(state: State, group: UserGroup): boolean {
  return canManageGroup(selfOf(state), groupOf(group), organizationOf(state))
}

/** Whether the user may add these people, or without any, others and subgroups. */
export function mayAddToGroup(state: State, group: UserGroup, userIds?: readonly number[]): boolean {
  return canAddToGroup(selfOf(state), groupOf(group), organizationOf(state), userIds)
}

/** Whether the user may remove these people, or without any, others and subgroups. */
export function mayRemoveFromGroup(state: State, group: UserGroup, userIds?: readonly number[]): boolean {
  return canRemoveFromGroup(selfOf(state), groupOf(group), organizationOf(state), userIds)
}

function groupOf(group: UserGroup): JudgedGroup {
  return { isSystem: group.is_system_group, permissions: permissionsOf(group) }
}
