/** `GET /user_groups/{user_group_id}/subgroups`: the subgroups of a group. */

import type { GroupId } from '../../../domain/ids.ts'
import { findGroup } from '../../../decisions/groups/find-group.ts'
import { operation } from '../../operation.ts'
import { boolean, defaulted, id, required } from '../../params.ts'
import { arrayOf, INTEGER } from '../../../domain/json-schema.ts'

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
