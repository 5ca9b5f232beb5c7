/** `GET /user_groups/{user_group_id}/members` and `…/members/{user_id}`: who is in a group. */

import type { GroupId, UserId } from '../../../domain/ids.ts'
import type { UserSet } from '../../../domain/user-set.ts'
import type { OrganizationState } from '../../../state/organization-state.ts'
import type { Fail } from '../../../errors/api-error.ts'
import { findGroup } from '../../../decisions/groups/find-group.ts'
import { operation } from '../../operation.ts'
import { boolean, defaulted, id, required } from '../../params.ts'
import { arrayOf, BOOLEAN, INTEGER } from '../../../domain/json-schema.ts'

const groupParams = {
  user_group_id: required(id<GroupId>(), 'The id of the group.'),
  direct_member_only: defaulted(boolean(), false, 'Whether to leave out the members of subgroups.'),
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
    members: membersOf(params.user_group_id, params.direct_member_only, state, fail).toArray(),
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
    const members = membersOf(params.user_group_id, params.direct_member_only, state, fail)
    const user = state.findKnownUser(caller, params.user_id)
    if (!user || user.isSystem) throw fail('USER_UNKNOWN')
    if (!user.isActive) throw fail('USER_DEACTIVATED')
    return { is_user_group_member: members.has(user.id) }
  },
})

function membersOf(
  id: GroupId,
  isDirectOnly: boolean,
  state: OrganizationState,
  fail: Fail<'GROUP_UNKNOWN'>,
): UserSet {
  const { directMembers } = findGroup({ state, fail }, id)
  const members = isDirectOnly ? directMembers : state.groups.membersOf(id)
  return members.intersection(state.rights.activeUsers)
}
