/** `GET /user_groups/{user_group_id}/members` and `…/members/{user_id}`: the members of a group. */

import type { GroupId, UserId } from '../../../domain/ids.ts'
import type { UserSet } from '../../../domain/users/user-set.ts'
import { findGroup } from '../../../decisions/groups/find-group.ts'
import type { Scope } from '../../../decisions/scope.ts'
import { operation } from '../../operation.ts'
import { boolean, defaulted, id, required } from '../../params.ts'
import { arrayOf, BOOLEAN, INTEGER } from '../../../domain/json-schema.ts'

const groupParams = {
  user_group_id: required(id<GroupId>(), 'The id of the group.'),
  direct_member_only: defaulted(boolean(), false, 'Whether to omit the members of subgroups.'),
}

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
