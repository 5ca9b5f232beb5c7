/** `PATCH /user_groups/{user_group_id}`: changes a group's name, description and settings, or reactivates it. */

import { decideGroupUpdate, UPDATE_GROUP_ERRORS } from '../../../decisions/groups/update-group.ts'
import type { GroupId } from '../../../domain/ids.ts'
import { GROUP_DESCRIPTION_LENGTH_MAX } from '../../../../packages/rules/limits.ts'
import { GROUP_PERMISSIONS } from '../../../domain/groups/permissions.ts'
import { change } from '../../change-operation.ts'
import { groupSettingUpdateType, permissionParams, readPermissionUpdates } from './group-setting-params.ts'
import { boolean, id, optional, required, text } from '../../params.ts'

export const updateUserGroup = change({
  method: 'PATCH',
  path: '/user_groups/{user_group_id}',
  summary: 'Update a user group',
  description: 'For users who manage the group, or all groups. A deactivated group can be changed as well.',
  access: 'user',
  params: {
    user_group_id: required(id<GroupId>(), 'The id of the group.'),
    name: optional(text({ trim: true, takesNull: true }), 'The new name.'),
    description: optional(text({ lengthMax: GROUP_DESCRIPTION_LENGTH_MAX }), 'The new description.'),
    deactivated: optional(
      boolean(),
      '`false` reactivates the group; `true` does nothing, since deactivation is a separate operation.',
    ),
    ...permissionParams(GROUP_PERMISSIONS, groupSettingUpdateType),
  },
  reply: {},
  errors: ['GROUP_UNCHANGED', ...UPDATE_GROUP_ERRORS],
  events: ['user_group/update', 'user_group/add'],
  prepare({ params, fail }) {
    const { user_group_id: groupId, name, description, deactivated, ...settings } = params
    const given = [name, description, deactivated, ...Object.values(settings)]
    if (given.every((value) => value === undefined)) throw fail('GROUP_UNCHANGED')
    const permissions = readPermissionUpdates(GROUP_PERMISSIONS, settings)
    return { groupId, name, description, isDeactivated: deactivated, permissions }
  },
  decide: decideGroupUpdate,
})
