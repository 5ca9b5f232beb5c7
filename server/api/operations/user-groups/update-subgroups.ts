/** `POST /user_groups/{user_group_id}/subgroups`: changes which groups are within a group. */

import type { GroupId } from '../../../domain/ids.ts'
import { SUBGROUPS_PER_CALL_MAX } from '../../../domain/limits.ts'
import {
  changeSubgroups,
  decideDraft,
  DRAFT_ERRORS,
  draftGroup,
  SUBGROUP_ERRORS,
} from '../../changes/change-groups.ts'
import { operation } from '../../operation.ts'
import { defaulted, id, list, required } from '../../params.ts'

const groups = list(id<GroupId>(), { lengthMax: SUBGROUPS_PER_CALL_MAX })

export const updateSubgroups = operation({
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
  errors: ['GROUP_MEMBERS_UNCHANGED', ...DRAFT_ERRORS, ...SUBGROUP_ERRORS],
  events: [
    'user_group/add_subgroups',
    'user_group/remove_subgroups',
    'stream/create',
    'stream/delete',
    'subscription/peer_add',
  ],
  run({ user, params, services, fail }) {
    if (params.add.length === 0 && params.delete.length === 0) {
      throw fail('GROUP_MEMBERS_UNCHANGED', { options: '"add" or "delete"' })
    }
    return services.committer.submit({
      kind: 'structure',
      decide(state) {
        const draft = draftGroup(state, user.id, params.user_group_id, fail)
        changeSubgroups(draft, params, fail)
        return decideDraft(draft)
      },
    })
  },
})
