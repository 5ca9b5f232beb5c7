/** `POST /user_groups/create`: makes a user group. */

import { nowSeconds } from '../../../domain/clock.ts'
import type { UserGroup } from '../../../domain/entities.ts'
import { canCreateGroups } from '../../../domain/group-access.ts'
import type { GroupId, UserId } from '../../../domain/ids.ts'
import { GROUP_DESCRIPTION_LENGTH_MAX, SUBGROUPS_PER_CALL_MAX } from '../../../domain/limits.ts'
import { completePermissions, GROUP_PERMISSIONS } from '../../../domain/permissions.ts'
import { UserSet } from '../../../domain/user-set.ts'
import { checkNesting, checkSubgroups } from '../../changes/change-groups.ts'
import { checkGroupName, GROUP_NAME_ERRORS } from '../../find-groups.ts'
import {
  GROUP_SETTING_ERRORS,
  groupSettingType,
  permissionParams,
  readPermissions,
} from '../../group-setting-params.ts'
import { checkShare } from '../../check-share.ts'
import { operation } from '../../operation.ts'
import { defaulted, id, list, required, text } from '../../params.ts'
import { INTEGER } from '../../../domain/json-schema.ts'

export const createUserGroup = operation({
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
  errors: [
    'PERMISSION_MISSING',
    'SHARE_SPENT',
    ...GROUP_NAME_ERRORS,
    ...GROUP_SETTING_ERRORS,
    'SUBGROUP_TOO_DEEP',
    'TOO_MANY_SUBGROUPS',
  ],
  events: ['user_group/add'],
  run({ user, params, services, fail }) {
    const createdAt = nowSeconds(services.clock)
    return services.committer.submit({
      kind: 'structure',
      decide(state) {
        const { name, description, members, subgroups } = params
        if (!canCreateGroups(state.getUser(user.id), state)) throw fail('PERMISSION_MISSING')
        checkShare('groups', state.getUser(user.id), 1, state, fail)
        checkGroupName(name, state, fail)
        const unknown = members.find((one) => !state.rights.activeUsers.has(one))
        if (unknown !== undefined) throw fail('GROUP_MEMBER_UNKNOWN', { id: unknown })
        checkSubgroups(subgroups, state, fail)
        const given = readPermissions(GROUP_PERMISSIONS, params, state, fail)
        const group: UserGroup = {
          id: state.nextGroupId,
          name,
          description,
          creatorId: user.id,
          createdAt,
          isSystem: false,
          isDeactivated: false,
          permissions: completePermissions(GROUP_PERMISSIONS, given, user.id),
        }
        const directMembers = UserSet.of(members)
        const directSubgroups = [...new Set(subgroups)].sort((a, b) => a - b)
        checkNesting(state.groups.with({ group, directMembers, directSubgroups }), user.id, user, fail)
        const memberIds = directMembers.toArray()
        return {
          events: [
            {
              event: { type: 'user_group/add', group, memberIds, subgroupIds: directSubgroups, isNew: true },
              audience: { kind: 'users', users: state.rights.activeUsers },
            },
          ],
          reply: () => ({ group_id: group.id }),
        }
      },
    })
  },
})
