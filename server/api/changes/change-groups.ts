/** Changes of who is in a user group, users and whole groups, and of who sees which channels by it. */

import type { Decision } from '../../actors/committer.ts'
import { isAdministrator } from '../../domain/channel-access.ts'
import type { User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import { canAddToGroup, canRemoveFromGroup } from '../../domain/group-access.ts'
import type { GroupGraph, GroupState } from '../../domain/group-graph.ts'
import type { GroupId, UserId } from '../../domain/ids.ts'
import { GROUP_NESTING_MAX, SUBGROUPS_MAX, SUBGROUPS_PER_PERSON_MAX } from '../../domain/limits.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Fail } from '../errors.ts'
import { findGroup } from '../find-groups.ts'
import { tellSight } from './change-memberships.ts'

/** A group whose members and subgroups are being changed. */
interface GroupDraft {
  readonly state: OrganizationState
  readonly caller: User
  readonly group: GroupState['group']
  /** As the changes so far leave them. */
  groups: GroupGraph
  readonly events: NewEvent[]
}

/** Ids to add, and ids to take away afterwards. */
export interface MembershipChange<Id> {
  readonly add?: readonly Id[] | undefined
  readonly delete?: readonly Id[] | undefined
}

/** How any change of a group's members or subgroups can fail. */
export const DRAFT_ERRORS = ['GROUP_UNKNOWN', 'GROUP_DEACTIVATED', 'PERMISSION_MISSING'] as const

/** Begins to change who is in a group. */
export function draftGroup(
  state: OrganizationState,
  callerId: UserId,
  groupId: GroupId,
  fail: Fail<(typeof DRAFT_ERRORS)[number]>,
): GroupDraft {
  const { group } = findGroup(groupId, state, fail)
  if (group.isDeactivated) throw fail('GROUP_DEACTIVATED')
  return { state, caller: state.getUser(callerId), group, groups: state.groups, events: [] }
}

/** How a change of members can fail besides. */
export const MEMBER_ERRORS = ['GROUP_MEMBER_UNKNOWN', 'GROUP_MEMBER_ALREADY', 'GROUP_MEMBER_MISSING'] as const

/** Adds and takes away members, as far as the caller may. */
export function changeMembers(
  draft: GroupDraft,
  change: MembershipChange<UserId>,
  fail: Fail<(typeof MEMBER_ERRORS)[number] | 'PERMISSION_MISSING'>,
): void {
  const { state, caller, group } = draft
  const groupId = group.id
  const added = once(change.add)
  if (added.length > 0) {
    if (!canAddToGroup(caller, group, state, added)) throw fail('PERMISSION_MISSING')
    for (const id of added) {
      if (!state.rights.activeUsers.has(id)) throw fail('GROUP_MEMBER_UNKNOWN', { id })
      if (draft.groups.get(groupId).directMembers.has(id)) throw fail('GROUP_MEMBER_ALREADY', { id })
    }
    draft.groups = draft.groups.withMembers(groupId, added, true)
    tell(draft, { type: 'user_group/add_members', groupId, userIds: added })
  }
  const removed = once(change.delete)
  if (removed.length > 0) {
    if (!canRemoveFromGroup(caller, group, state, removed)) throw fail('PERMISSION_MISSING')
    for (const id of removed) {
      // The deactivated are not shown as members: they come back with their account.
      if (!state.rights.activeUsers.has(id)) throw fail('GROUP_MEMBER_UNKNOWN', { id })
      if (!draft.groups.get(groupId).directMembers.has(id)) throw fail('GROUP_MEMBER_MISSING', { id })
    }
    draft.groups = draft.groups.withMembers(groupId, removed, false)
    tell(draft, { type: 'user_group/remove_members', groupId, userIds: removed })
  }
}

/** How a change of subgroups can fail besides. */
export const SUBGROUP_ERRORS = [
  'GROUP_ID_UNKNOWN',
  'SUBGROUP_ALREADY',
  'SUBGROUP_MISSING',
  'SUBGROUP_CYCLE',
  'SUBGROUP_TOO_DEEP',
  'TOO_MANY_SUBGROUPS',
  'SHARE_SPENT',
] as const

/** Adds and takes away subgroups, as far as the caller may. */
export function changeSubgroups(
  draft: GroupDraft,
  change: MembershipChange<GroupId>,
  fail: Fail<(typeof SUBGROUP_ERRORS)[number] | 'PERMISSION_MISSING'>,
): void {
  const { state, caller, group } = draft
  const groupId = group.id
  const added = once(change.add)
  if (added.length > 0) {
    if (!canAddToGroup(caller, group, state)) throw fail('PERMISSION_MISSING')
    checkSubgroups(added, state, fail)
    const above = draft.groups.withSupergroups(groupId)
    for (const id of added) {
      if (draft.groups.get(groupId).directSubgroups.includes(id)) throw fail('SUBGROUP_ALREADY', { id })
      if (above.has(id)) throw fail('SUBGROUP_CYCLE', { id: groupId })
    }
    draft.groups = draft.groups.withSubgroups(groupId, added, true)
    checkNesting(draft.groups, group.creatorId, caller, fail)
    tell(draft, { type: 'user_group/add_subgroups', groupId, subgroupIds: added })
  }
  const removed = once(change.delete)
  if (removed.length > 0) {
    if (!canRemoveFromGroup(caller, group, state)) throw fail('PERMISSION_MISSING')
    for (const id of removed) {
      if (!draft.groups.groups.has(id)) throw fail('GROUP_ID_UNKNOWN', { id })
      if (!draft.groups.get(groupId).directSubgroups.includes(id)) throw fail('SUBGROUP_MISSING', { id })
    }
    draft.groups = draft.groups.withSubgroups(groupId, removed, false)
    tell(draft, { type: 'user_group/remove_subgroups', groupId, subgroupIds: removed })
  }
}

/** What the changes come to. */
export function decideDraft({ state, groups, events }: GroupDraft): Decision<object> {
  // Members may see private channels by a group.
  return { events: [...events, ...tellSight(state, state.rights.withGroups(groups))], reply: () => ({}) }
}

/** Throws where one of some groups cannot be a subgroup, as it is not there or deactivated. */
export function checkSubgroups(
  ids: readonly GroupId[],
  { groups }: OrganizationState,
  fail: Fail<'GROUP_ID_UNKNOWN'>,
): void {
  for (const id of ids) {
    const known = groups.groups.get(id)
    if (!known || known.group.isDeactivated) throw fail('GROUP_ID_UNKNOWN', { id })
  }
}

/** Throws where too many groups are within others, or within each other, after a caller has changed a group of a maker. */
export function checkNesting(
  groups: GroupGraph,
  makerId: UserId | null,
  caller: User,
  fail: Fail<'SUBGROUP_TOO_DEEP' | 'TOO_MANY_SUBGROUPS' | 'SHARE_SPENT'>,
): void {
  if (groups.countSubgroups() > SUBGROUPS_MAX) throw fail('TOO_MANY_SUBGROUPS', { countMax: SUBGROUPS_MAX })
  const ofMaker = [...groups.groups.values()].filter(({ group }) => group.creatorId === makerId)
  const count = ofMaker.reduce((sum, { directSubgroups }) => sum + directSubgroups.length, 0)
  if (count > SUBGROUPS_PER_PERSON_MAX && !isAdministrator(caller))
    throw fail('SHARE_SPENT', { things: 'subgroups', whose: 'person', countMax: SUBGROUPS_PER_PERSON_MAX })
  if (groups.nestingDepth() > GROUP_NESTING_MAX)
    throw fail('SUBGROUP_TOO_DEEP', { depthMax: GROUP_NESTING_MAX })
}

function tell({ state, events }: GroupDraft, event: NewEvent['event']): void {
  events.push({ event, audience: { kind: 'users', users: state.rights.activeUsers } })
}

function once<Id extends number>(ids: readonly Id[] = []): Id[] {
  return [...new Set(ids)].sort((a, b) => a - b)
}
