/** `POST /user_groups/create`: makes a user group. */

import { decideNewGroup, NEW_GROUP_ERRORS } from '../../../decisions/groups/create-group.ts'
import type { GroupId, UserId } from '../../../domain/ids.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { GROUP_DESCRIPTION_LENGTH_MAX, SUBGROUPS_PER_CALL_MAX } from '../../../domain/limits.ts'
import { GROUP_PERMISSIONS } from '../../../domain/permissions.ts'
import { change } from '../../change-operation.ts'
import { groupSettingType, permissionParams, readGivenPermissions } from './group-setting-params.ts'
import { defaulted, id, list, required, text } from '../../params.ts'

export const createUserGroup = change({
  method: 'POST',
  path: '/user_groups/create',
  summary: 'Create a user group',
  description:
    'Makes a group of users and of other groups. Whoever makes it manages it and adds members, unless said ' +
    'otherwise; everyone may mention and leave it.',
  access: 'user',
  params: {
    name: required(
      text({ trim: true, takesNull: true }),
      'The name, at most 100 characters long and not that of another group in any case.',
    ),
    description: required(text({ lengthMax: GROUP_DESCRIPTION_LENGTH_MAX }), 'What the group is for.'),
    members: required(list(id<UserId>()), 'Ids of its first members.'),
    subgroups: defaulted(
      list(id<GroupId>(), { lengthMax: SUBGROUPS_PER_CALL_MAX }),
      [],
      'Ids of groups whose members are members of this one too.',
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
