/** Changes of members and subgroups. */

import {
  decideGroupMembers,
  decideSubgroups,
  MEMBER_ERRORS,
  SUBGROUP_ERRORS,
} from '../../../decisions/groups/change-group-members.ts'
import type { GroupId, UserId } from '../../../domain/ids.ts'
import { SUBGROUPS_PER_CALL_MAX } from '../../../domain/limits.ts'
import { change } from '../../change-operation.ts'
import { defaulted, id, list, required } from '../../params.ts'

const users = list(id<UserId>())
const groups = list(id<GroupId>(), { lengthMax: SUBGROUPS_PER_CALL_MAX })

/** `POST /user_groups/{user_group_id}/members`: changes the members and subgroups of a group. */
export const updateGroupMembers = change({
  method: 'POST',
  path: '/user_groups/{user_group_id}/members',
  summary: 'Update user group members',
  description:
    'Adding and removing each need the permission of the group for it, or to manage it; the permission to join ' +
    'or to leave is enough for oneself. Removals apply after additions. All of the changes apply, or none.',
  access: 'user',
  params: {
    user_group_id: required(id<GroupId>(), 'The id of the group.'),
    add: defaulted(users, [], 'The ids of new members.'),
    delete: defaulted(users, [], 'The ids of members to remove.'),
    add_subgroups: defaulted(groups, [], 'The ids of new subgroups.'),
    delete_subgroups: defaulted(groups, [], 'The ids of subgroups to remove.'),
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

/** `POST /user_groups/{user_group_id}/subgroups`: changes the subgroups of a group. */
export const updateSubgroups = change({
  method: 'POST',
  path: '/user_groups/{user_group_id}/subgroups',
  summary: 'Update subgroups of a user group',
  description:
    'Adding and removing each need the permission of the group for it, or to manage it. Removals apply after ' +
    'additions. All of the changes apply, or none.',
  access: 'user',
  params: {
    user_group_id: required(id<GroupId>(), 'The id of the group.'),
    add: defaulted(groups, [], 'The ids of new subgroups.'),
    delete: defaulted(groups, [], 'The ids of subgroups to remove.'),
  },
  reply: {},
  errors: ['GROUP_MEMBERS_UNCHANGED', ...SUBGROUP_ERRORS],
  events: [
    'user_group/add_subgroups',
    'user_group/remove_subgroups',
    'stream/create',
    'stream/delete',
    'subscription/peer_add',
  ],
  prepare({ params, fail }) {
    const subgroups = { add: params.add, delete: params.delete }
    if (params.add.length === 0 && params.delete.length === 0) {
      throw fail('GROUP_MEMBERS_UNCHANGED', { options: '"add" or "delete"' })
    }
    return { groupId: params.user_group_id, subgroups }
  },
  decide: decideSubgroups,
})
