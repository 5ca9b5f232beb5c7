/** `POST /user_groups/create`: creates a user group. */

import { decideNewGroup, NEW_GROUP_ERRORS } from '../../../decisions/groups/create-group.ts'
import type { GroupId, UserId } from '../../../domain/ids.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { GROUP_DESCRIPTION_LENGTH_MAX } from '../../../../packages/rules/limits.ts'
import { SUBGROUPS_PER_CALL_MAX } from '../../../domain/limits.ts'
import { GROUP_PERMISSIONS } from '../../../domain/groups/permissions.ts'
import { change } from '../../change-operation.ts'
import { groupSettingType, permissionParams, readGivenPermissions } from './group-setting-params.ts'
import { defaulted, id, list, required, text } from '../../params.ts'

export const createUserGroup = change({
  method: 'POST',
  path: '/user_groups/create',
  summary: 'Create a user group',
  description:
    'Creates a group of users and other groups. By default its creator manages it and adds members, and all ' +
    'users can mention and leave it.',
  access: 'user',
  params: {
    name: required(
      text({ trim: true, takesNull: true }),
      'The name, at most 100 characters long and not that of another group in any case.',
    ),
    description: required(text({ lengthMax: GROUP_DESCRIPTION_LENGTH_MAX }), 'The purpose of the group.'),
    members: required(list(id<UserId>()), 'The ids of its first members.'),
    subgroups: defaulted(
      list(id<GroupId>(), { lengthMax: SUBGROUPS_PER_CALL_MAX }),
      [],
      'The ids of groups whose members also become its members.',
    ),
    ...permissionParams(GROUP_PERMISSIONS, groupSettingType),
  },
  reply: { group_id: { schema: INTEGER, description: 'The id of the group.' } },
  errors: NEW_GROUP_ERRORS,
  events: ['user_group/add'],
  prepare: ({ params }) => ({
    name: params.name,
    description: params.description,
    memberIds: params.members,
    subgroupIds: params.subgroups,
    permissions: readGivenPermissions(GROUP_PERMISSIONS, params),
  }),
  decide: decideNewGroup,
  answer: (id) => ({ group_id: id }),
})
