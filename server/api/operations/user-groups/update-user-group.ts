/** `PATCH /user_groups/{user_group_id}`: changes a group's name, description and settings, or brings it back. */

import type { Decision } from '../../../actors/committer.ts'
import type { LogEvent, NewEvent } from '../../../domain/events.ts'
import { canManageGroup } from '../../../domain/group-access.ts'
import type { GroupState } from '../../../domain/group-graph.ts'
import type { GroupId } from '../../../domain/ids.ts'
import { GROUP_DESCRIPTION_LENGTH_MAX } from '../../../domain/limits.ts'
import { GROUP_PERMISSIONS } from '../../../domain/permissions.ts'
import type { OrganizationState } from '../../../state/organization-state.ts'
import { checkGroupName, findGroup, GROUP_NAME_ERRORS } from '../../find-groups.ts'
import {
  GROUP_SETTING_ERRORS,
  groupSettingUpdateType,
  permissionParams,
  readPermissionUpdates,
} from '../../group-setting-params.ts'
import { operation } from '../../operation.ts'
import { boolean, id, optional, required, text } from '../../params.ts'

type GroupChanges = Extract<LogEvent, { type: 'user_group/update' }>['changes']

export const updateUserGroup = operation({
  method: 'PATCH',
  path: '/user_groups/{user_group_id}',
  summary: 'Update a user group',
  description: 'For those who manage the group, or all groups. A deactivated group can be changed as well.',
  access: 'user',
  params: {
    user_group_id: required(id<GroupId>(), 'The id of the group.'),
    name: optional(text({ trim: true, takesNull: true }), 'The new name.'),
    description: optional(text({ lengthMax: GROUP_DESCRIPTION_LENGTH_MAX }), 'The new description.'),
    deactivated: optional(
      boolean(),
      '`false` brings a deactivated group back; `true` does nothing, as deactivating is an operation of its own.',
    ),
    ...permissionParams(GROUP_PERMISSIONS, groupSettingUpdateType),
  },
  reply: {},
  errors: [
    'GROUP_UNKNOWN',
    'GROUP_UNCHANGED',
    'PERMISSION_MISSING',
    ...GROUP_NAME_ERRORS,
    ...GROUP_SETTING_ERRORS,
    'EXPECTATION_MISMATCH',
  ],
  events: ['user_group/update', 'user_group/add'],
  run({ user, params, services, fail }) {
    const { user_group_id: groupId, name, description, deactivated, ...settings } = params
    const given = [name, description, deactivated, ...Object.values(settings)]
    if (given.every((value) => value === undefined)) throw fail('GROUP_UNCHANGED')
    return services.committer.submit({
      kind: 'structure',
      decide(state) {
        const groupState = findGroup(groupId, state, fail)
        const { group } = groupState
        if (!canManageGroup(state.getUser(user.id), group, state)) throw fail('PERMISSION_MISSING')
        if (name !== undefined && name !== group.name) checkGroupName(name, state, fail, groupId)
        const permissions = readPermissionUpdates(GROUP_PERMISSIONS, settings, group.permissions, state, fail)
        return decideUpdate(state, groupState, {
          ...(name === undefined || name === group.name ? {} : { name }),
          ...(description === undefined || description === group.description ? {} : { description }),
          ...(deactivated === false && group.isDeactivated ? { isDeactivated: false } : {}),
          ...(Object.keys(permissions).length === 0 ? {} : { permissions }),
        })
      },
    })
  },
})

/** What the changes come to; clients that know no deactivated groups are told of one when it is back. */
function decideUpdate(
  { rights }: OrganizationState,
  { group, directMembers, directSubgroups }: GroupState,
  changes: GroupChanges,
): Decision<object> {
  const audience = { kind: 'users', users: rights.activeUsers } as const
  const events: NewEvent[] = []
  if (Object.keys(changes).length > 0) {
    const clients = group.isDeactivated ? ({ clients: 'with_deactivated_groups' } as const) : {}
    events.push({ event: { type: 'user_group/update', groupId: group.id, changes, ...clients }, audience })
  }
  if (changes.isDeactivated === false) {
    const permissions = { ...group.permissions, ...changes.permissions }
    events.push({
      event: {
        type: 'user_group/add',
        group: { ...group, ...changes, permissions },
        memberIds: directMembers.intersection(rights.activeUsers).toArray(),
        subgroupIds: directSubgroups,
        isNew: false,
        clients: 'without_deactivated_groups',
      },
      audience,
    })
  }
  return { events, reply: () => ({}) }
}
