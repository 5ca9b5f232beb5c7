/** Changes the users and the subgroups of a user group. */

import type { Fact } from '../../domain/events.ts'
import { canAddToGroup, canRemoveFromGroup } from '../../../packages/rules/groups.ts'
import type { GroupGraph, GroupState } from '../../domain/groups/group-graph.ts'
import type { GroupId, UserId } from '../../domain/ids.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { checkNesting, checkSubgroups, NESTING_ERRORS } from './check-nesting.ts'
import { findGroup } from './find-group.ts'

/** Ids to add, then ids to remove. */
export interface MembershipChange<Id> {
  readonly add?: readonly Id[] | undefined
  readonly delete?: readonly Id[] | undefined
}

/** The new members and subgroups of a group. */
export interface GroupMembersRequest {
  readonly groupId: GroupId
  readonly users: MembershipChange<UserId>
  readonly subgroups: MembershipChange<GroupId>
}

/** How a change of subgroups can fail. */
export const SUBGROUP_ERRORS = [
  'GROUP_UNKNOWN',
  'GROUP_DEACTIVATED',
  'PERMISSION_MISSING',
  'GROUP_ID_UNKNOWN',
  'SUBGROUP_ALREADY',
  'SUBGROUP_MISSING',
  'SUBGROUP_CYCLE',
  ...NESTING_ERRORS,
] as const

/** How a change of members can fail in addition. */
export const MEMBER_ERRORS = ['GROUP_MEMBER_UNKNOWN', 'GROUP_MEMBER_ALREADY', 'GROUP_MEMBER_MISSING'] as const

type SubgroupScope = Scope<(typeof SUBGROUP_ERRORS)[number]>
type MemberScope = Scope<(typeof MEMBER_ERRORS)[number] | 'PERMISSION_MISSING'>

/** A group, and its changes so far. */
interface Draft {
  readonly group: GroupState['group']
  /** After the changes so far. */
  groups: GroupGraph
  readonly facts: Fact[]
}

/** Changes a group's subgroups, or fails without any change. */
export function decideSubgroups(
  scope: SubgroupScope,
  { groupId, subgroups }: Omit<GroupMembersRequest, 'users'>,
): Decision<void> {
  const draft = draftGroup(scope, groupId)
  changeSubgroups(scope, draft, subgroups)
  return done(draft.facts)
}

/** Changes a group's members, then its subgroups, or fails without any change. */
export function decideGroupMembers(
  scope: SubgroupScope & MemberScope,
  { groupId, users, subgroups }: GroupMembersRequest,
): Decision<void> {
  const draft = draftGroup(scope, groupId)
  changeMembers(scope, draft, users)
  changeSubgroups(scope, draft, subgroups)
  return done(draft.facts)
}

function draftGroup(scope: Scope<'GROUP_UNKNOWN' | 'GROUP_DEACTIVATED'>, groupId: GroupId): Draft {
  const { group } = findGroup(scope, groupId)
  if (group.isDeactivated) throw scope.fail('GROUP_DEACTIVATED')
  return { group, groups: scope.state.groups, facts: [] }
}

function changeMembers(scope: MemberScope, draft: Draft, change: MembershipChange<UserId>): void {
  const { state, caller, fail } = scope
  const { group } = draft
  const groupId = group.id
  const added = once(change.add)
  if (added.length > 0) {
    if (!canAddToGroup(caller, group, state, added)) throw fail('PERMISSION_MISSING')
    for (const id of added) {
      if (!state.rights.activeUsers.has(id)) throw fail('GROUP_MEMBER_UNKNOWN', { id })
      if (draft.groups.get(groupId).directMembers.has(id)) throw fail('GROUP_MEMBER_ALREADY', { id })
    }
    draft.groups = draft.groups.withMembers(groupId, added, true)
    draft.facts.push({ type: 'user_group/add_members', groupId, userIds: added })
  }
  const removed = once(change.delete)
  if (removed.length > 0) {
    if (!canRemoveFromGroup(caller, group, state, removed)) throw fail('PERMISSION_MISSING')
    for (const id of removed) {
      // Clients do not see deactivated users as members; these return with their account.
      if (!state.rights.activeUsers.has(id)) throw fail('GROUP_MEMBER_UNKNOWN', { id })
      if (!draft.groups.get(groupId).directMembers.has(id)) throw fail('GROUP_MEMBER_MISSING', { id })
    }
    draft.groups = draft.groups.withMembers(groupId, removed, false)
    draft.facts.push({ type: 'user_group/remove_members', groupId, userIds: removed })
  }
}

function changeSubgroups(scope: SubgroupScope, draft: Draft, change: MembershipChange<GroupId>): void {
  const { state, caller, fail } = scope
  const { group } = draft
  const groupId = group.id
  const added = once(change.add)
  if (added.length > 0) {
    if (!canAddToGroup(caller, group, state)) throw fail('PERMISSION_MISSING')
    checkSubgroups(scope, added)
    const above = draft.groups.withSupergroups(groupId)
    for (const id of added) {
      if (draft.groups.get(groupId).directSubgroups.includes(id)) throw fail('SUBGROUP_ALREADY', { id })
      if (above.has(id)) throw fail('SUBGROUP_CYCLE', { id: groupId })
    }
    draft.groups = draft.groups.withSubgroups(groupId, added, true)
    checkNesting(scope, draft.groups, group.creatorId)
    draft.facts.push({ type: 'user_group/add_subgroups', groupId, subgroupIds: added })
  }
  const removed = once(change.delete)
  if (removed.length > 0) {
    if (!canRemoveFromGroup(caller, group, state)) throw fail('PERMISSION_MISSING')
    for (const id of removed) {
      if (!draft.groups.groups.has(id)) throw fail('GROUP_ID_UNKNOWN', { id })
      if (!draft.groups.get(groupId).directSubgroups.includes(id)) throw fail('SUBGROUP_MISSING', { id })
    }
    draft.groups = draft.groups.withSubgroups(groupId, removed, false)
    draft.facts.push({ type: 'user_group/remove_subgroups', groupId, subgroupIds: removed })
  }
}

function once<Id extends number>(ids: readonly Id[] = []): Id[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}
