/** `POST /user_groups/{user_group_id}/subgroups`: changes which groups are within a group. */

import { decideSubgroups, SUBGROUP_ERRORS } from '../../../decisions/groups/change-group-members.ts'
import type { GroupId } from '../../../domain/ids.ts'
import { SUBGROUPS_PER_CALL_MAX } from '../../../domain/limits.ts'
import { change } from '../../change-operation.ts'
import { defaulted, id, list, required } from '../../params.ts'

const groups = list(id<GroupId>(), { lengthMax: SUBGROUPS_PER_CALL_MAX })

export const updateSubgroups = change({
  method: 'POST',
  path: '/user_groups/{user_group_id}/subgroups',
  summary: 'Update subgroups of a user group',
  description:
    'Adding and taking away each need the permission of the group for it, or managing it. What is taken away ' +
    'is so after what is added. All of it happens, or nothing.',
  access: 'user',
  params: {
    user_group_id: required(id<GroupId>(), 'The id of the group.'),
    add: defaulted(groups, [], 'Ids of groups that become subgroups.'),
    delete: defaulted(groups, [], 'Ids of subgroups to take out.'),
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
