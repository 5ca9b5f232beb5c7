/** Events of groups, applied to the state. */

import { append, changeIds, changeOne, removeWhere } from './lists.ts'
import { assign, type EventOf, type Reducers, type State, UnknownObjectError } from './reducer.ts'

export const GROUP_REDUCERS = {
  'user_group/add': (state, { group }) =>
    assign(state, { realm_user_groups: append(state.realm_user_groups, group) }),
  'user_group/remove': (state, { group_id }) =>
    assign(state, { realm_user_groups: removeWhere(state.realm_user_groups, ({ id }) => id === group_id) }),
  'user_group/update': (state, { group_id, data }) =>
    assign(state, { realm_user_groups: changeOne(state.realm_user_groups, ['id', group_id], data) }),
  'user_group/add_members': changeMembers,
  'user_group/remove_members': changeMembers,
  'user_group/add_subgroups': changeSubgroups,
  'user_group/remove_subgroups': changeSubgroups,
} satisfies Partial<Reducers>

type MembersEvent = EventOf<'user_group/add_members' | 'user_group/remove_members'>
type SubgroupsEvent = EventOf<'user_group/add_subgroups' | 'user_group/remove_subgroups'>

function changeMembers(state: State, { group_id, user_ids, op }: MembersEvent): State {
  return changeLists(state, group_id, ({ members }) => ({
    members: changeIds(members, user_ids, op === 'add_members'),
  }))
}

function changeSubgroups(state: State, { group_id, direct_subgroup_ids: ids, op }: SubgroupsEvent): State {
  return changeLists(state, group_id, ({ direct_subgroup_ids }) => ({
    direct_subgroup_ids: changeIds(direct_subgroup_ids, ids, op === 'add_subgroups'),
  }))
}

type Group = NonNullable<State['realm_user_groups']>[number]

function changeLists(state: State, id: number, change: (group: Group) => Partial<Group>): State {
  const groups = state.realm_user_groups
  if (!groups) return state
  const group = groups.find((one) => one.id === id)
  if (!group) throw new UnknownObjectError('group', id)
  return assign(state, { realm_user_groups: changeOne(groups, ['id', id], change(group)) })
}
