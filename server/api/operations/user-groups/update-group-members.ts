/** `POST /user_groups/{user_group_id}/members`: changes who is in a group, users and whole groups. */

import {
  decideGroupMembers,
  MEMBER_ERRORS,
  SUBGROUP_ERRORS,
} from '../../../decisions/groups/change-group-members.ts'
import type { GroupId, UserId } from '../../../domain/ids.ts'
import { SUBGROUPS_PER_CALL_MAX } from '../../../domain/limits.ts'
import { change } from '../../change-operation.ts'
import { defaulted, id, list, required } from '../../params.ts'

const users = list(id<UserId>())
const groups = list(id<GroupId>(), { lengthMax: SUBGROUPS_PER_CALL_MAX })

export const updateGroupMembers = change({
  method: 'POST',
  path: '/user_groups/{user_group_id}/members',
  summary: 'Update user group members',
  description:
    'Adding and taking away each need the permission of the group for it, or managing it; for oneself alone, ' +
    'to join or to leave is enough. What is taken away is so after what is added. All of it happens, or nothing.',
  access: 'user',
  params: {
    user_group_id: required(id<GroupId>(), 'The id of the group.'),
    add: defaulted(users, [], 'Ids of users who become members.'),
    delete: defaulted(users, [], 'Ids of members to take out.'),
    add_subgroups: defaulted(groups, [], 'Ids of groups that become subgroups.'),
    delete_subgroups: defaulted(groups, [], 'Ids of subgroups to take out.'),
  },
  reply: {},
  errors: ['GROUP_MEMBERS_UNCHANGED', ...MEMBER_ERRORS, ...SUBGROUP_ERRORS],
  events: [
    'user_group/add_members',
    'user_group/remove_members',
    'user_group/add_subgroups',
    'user_group/remove_subgroups',
    'stream/create',
    'stream/delete',
    'subscription/peer_add',
  ],
  prepare({ params, fail }) {
    const { user_group_id: groupId, add_subgroups: added, delete_subgroups: deleted } = params
    if ([params.add, params.delete, added, deleted].every(({ length }) => length === 0)) {
      throw fail('GROUP_MEMBERS_UNCHANGED', {
        options: '"add", "delete", "add_subgroups" or "delete_subgroups"',
      })
    }
    const users = { add: params.add, delete: params.delete }
    return { groupId, users, subgroups: { add: added, delete: deleted } }
  },
  decide: decideGroupMembers,
})
