/** Events of groups, applied to the state of a client. */

import { change, find, type Json, type WireReducers } from './wire-reducer.ts'

export const GROUP_REDUCERS: WireReducers = {
  'user_group/add': (state, { group }) => state.realm_user_groups.push(group),
  'user_group/remove': (state, { group_id }) => {
    state.realm_user_groups = state.realm_user_groups.filter((one: Json) => one.id !== group_id)
  },
  'user_group/update': (state, { group_id, data }) =>
    Object.assign(find(state.realm_user_groups, 'id', group_id), data),
  'user_group/add_members': changeMembers,
  'user_group/remove_members': changeMembers,
  'user_group/add_subgroups': changeSubgroups,
  'user_group/remove_subgroups': changeSubgroups,
}

function changeMembers(state: Json, { group_id, user_ids, op }: Json): void {
  const group = find(state.realm_user_groups, 'id', group_id)
  group.members = change(group.members, user_ids, op === 'add_members')
}

function changeSubgroups(state: Json, { group_id, direct_subgroup_ids, op }: Json): void {
  const group = find(state.realm_user_groups, 'id', group_id)
  group.direct_subgroup_ids = change(group.direct_subgroup_ids, direct_subgroup_ids, op === 'add_subgroups')
}
