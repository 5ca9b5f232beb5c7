/** `POST /user_groups/{user_group_id}/subgroups`: changes the subgroups of a group. */

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
