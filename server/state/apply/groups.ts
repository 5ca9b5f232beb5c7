/** The state of user groups. */

import type { GroupEvent } from '../../domain/events/groups.ts'
import type { GroupGraph } from '../../domain/groups/group-graph.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import type { OrganizationState } from '../organization-state.ts'
import { type Appliers, noticeOnly } from './appliers.ts'

function placeGroups(state: OrganizationState, groups: GroupGraph): void {
  state.rights = state.rights.withGroups(groups)
}

/** Applies the events of groups. */
export const GROUP_APPLIERS: Appliers<GroupEvent> = {
  'user_group/reveal': noticeOnly,
  'user_group/add': (state, { group, memberIds, subgroupIds }) => {
    const added = { group, directMembers: UserSet.of(memberIds), directSubgroups: subgroupIds }
    placeGroups(state, state.groups.with(added))
  },
  'user_group/update': (state, { groupId, changes }) => {
    const before = state.groups.get(groupId)
    const { permissions, ...others } = changes
    const group = { ...before.group, ...others, permissions: { ...before.group.permissions, ...permissions } }
    placeGroups(state, state.groups.with({ ...before, group }))
  },
  'user_group/update_shown': noticeOnly,
  'user_group/remove': noticeOnly,
  'user_group/add_members': (state, { groupId, userIds }) => {
    placeGroups(state, state.groups.withMembers(groupId, userIds, true))
  },
  'user_group/remove_members': (state, { groupId, userIds }) => {
    placeGroups(state, state.groups.withMembers(groupId, userIds, false))
  },
  'user_group/show_members': noticeOnly,
  'user_group/hide_members': noticeOnly,
  'user_group/add_subgroups': (state, { groupId, subgroupIds }) => {
    placeGroups(state, state.groups.withSubgroups(groupId, subgroupIds, true))
  },
  'user_group/remove_subgroups': (state, { groupId, subgroupIds }) => {
    placeGroups(state, state.groups.withSubgroups(groupId, subgroupIds, false))
  },
}
