/** User groups, and who is in them. */

import { USER_GROUP, viewGroup } from '../../../views/group-view.ts'
import { operation } from '../../operation.ts'
import { boolean, defaulted, id, required } from '../../params.ts'
import { arrayOf, BOOLEAN, INTEGER } from '../../../domain/json-schema.ts'
import type { GroupId, UserId } from '../../../domain/ids.ts'
import type { UserSet } from '../../../domain/users/user-set.ts'
import { findGroup } from '../../../decisions/groups/find-group.ts'
import type { Scope } from '../../../decisions/scope.ts'

/** `GET /user_groups`: all user groups, including system groups. */
export const getUserGroups = operation({
  method: 'GET',
  path: '/user_groups',
  summary: 'Get all user groups',
  access: 'user',
  params: {
    include_deactivated_groups: defaulted(boolean(), false, 'Whether to list deactivated groups too.'),
  },
  reply: { user_groups: { schema: arrayOf(USER_GROUP), description: 'The groups, by id.' } },
  errors: [],
  events: [],
  run({ params, services: { state } }) {
    const groups = [...state.groups.groups.values()]
    return {
      user_groups: groups
        .filter(({ group }) => params.include_deactivated_groups || !group.isDeactivated)
        .map((group) => viewGroup(group, state.rights.activeUsers)),
    }
  },
})

const groupParams = {
  user_group_id: required(id<GroupId>(), 'The id of the group.'),
  direct_member_only: defaulted(boolean(), false, 'Whether to omit the members of subgroups.'),
}

/** `GET /user_groups/{user_group_id}/members` and `…/members/{user_id}`: the members of a group. */
export const getGroupMembers = operation({
  method: 'GET',
  path: '/user_groups/{user_group_id}/members',
  summary: 'Get user group members',
  access: 'user',
  params: groupParams,
  reply: { members: { schema: arrayOf(INTEGER), description: 'Ids of the active members.' } },
  errors: ['GROUP_UNKNOWN'],
  events: [],
  run: ({ params, services: { state }, fail }) => ({
    members: membersOf({ state, fail }, params.user_group_id, params.direct_member_only).toArray(),
  }),
})

export const getGroupMembership = operation({
  method: 'GET',
  path: '/user_groups/{user_group_id}/members/{user_id}',
  summary: 'Get user group membership status',
  access: 'user',
  params: { ...groupParams, user_id: required(id<UserId>(), 'The id of the user.') },
  reply: { is_user_group_member: { schema: BOOLEAN, description: 'Whether the user is a member.' } },
  errors: ['GROUP_UNKNOWN', 'USER_UNKNOWN', 'USER_DEACTIVATED'],
  events: [],
  run({ user: caller, params, services: { state }, fail }) {
    const members = membersOf({ state, fail }, params.user_group_id, params.direct_member_only)
    const user = state.findVisibleUser(caller, params.user_id)
    if (!user || user.isSystem) throw fail('USER_UNKNOWN')
    if (!user.isActive) throw fail('USER_DEACTIVATED')
    return { is_user_group_member: members.has(user.id) }
  },
})

function membersOf(
  scope: Pick<Scope<'GROUP_UNKNOWN'>, 'state' | 'fail'>,
  id: GroupId,
  isDirectOnly: boolean,
): UserSet {
  const { directMembers } = findGroup(scope, id)
  const { groups, rights } = scope.state
  const members = isDirectOnly ? directMembers : groups.membersOf(id)
  return members.intersection(rights.activeUsers)
}

/** `GET /user_groups/{user_group_id}/subgroups`: the subgroups of a group. */
export const getSubgroups = operation({
  method: 'GET',
  path: '/user_groups/{user_group_id}/subgroups',
  summary: 'Get subgroups of a user group',
  access: 'user',
  params: {
    user_group_id: required(id<GroupId>(), 'The id of the group.'),
    direct_subgroup_only: defaulted(boolean(), false, 'Whether to omit subgroups of subgroups.'),
  },
  reply: { subgroups: { schema: arrayOf(INTEGER), description: 'Ids of the subgroups.' } },
  errors: ['GROUP_UNKNOWN'],
  events: [],
  run({ params, services: { state }, fail }) {
    const { group, directSubgroups } = findGroup({ state, fail }, params.user_group_id)
    return { subgroups: params.direct_subgroup_only ? directSubgroups : state.groups.subgroupsOf(group.id) }
  },
})
