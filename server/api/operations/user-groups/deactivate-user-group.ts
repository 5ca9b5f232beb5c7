/**
 * `POST /user_groups/{user_group_id}/deactivate`, and the older `DELETE /user_groups/{user_group_id}`: deactivate an
 * unused group.
 */

import { DEACTIVATE_GROUP_ERRORS, decideGroupDeactivation } from '../../../decisions/groups/update-group.ts'
import type { GroupId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import type { Operation } from '../../operation.ts'
import { id, required } from '../../params.ts'

export const deactivateUserGroup = change({
  method: 'POST',
  path: '/user_groups/{user_group_id}/deactivate',
  summary: 'Deactivate a user group',
  description:
    'For users who manage the group, or all groups. The group keeps its name and its members. It must not be a ' +
    'subgroup or hold a permission, not even of an archived channel or a deactivated group; `objections` lists ' +
    'such uses. Channels that the caller may not see are one objection without `channel_id`.',
  access: 'user',
  params: { user_group_id: required(id<GroupId>(), 'The id of the group.') },
  reply: {},
  errors: DEACTIVATE_GROUP_ERRORS,
  events: ['user_group/update', 'user_group/remove'],
  prepare: ({ params }) => ({ groupId: params.user_group_id }),
  decide: decideGroupDeactivation,
})

export const removeUserGroup: Operation = {
  ...deactivateUserGroup,
  method: 'DELETE',
  path: '/user_groups/{user_group_id}',
  summary: 'Remove a user group',
  description: 'Same as `POST /user_groups/{user_group_id}/deactivate`: groups are never deleted.',
  isDeprecated: true,
}
