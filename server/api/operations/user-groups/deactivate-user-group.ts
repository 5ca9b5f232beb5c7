/** `POST /user_groups/{user_group_id}/deactivate`, and `DELETE /user_groups/{user_group_id}` of old: takes a group that nothing uses out of use. */

import { canManageGroup } from '../../../domain/group-access.ts'
import type { GroupId } from '../../../domain/ids.ts'
import { findGroupUses } from '../../changes/find-group-uses.ts'
import { findGroup } from '../../find-groups.ts'
import { type Operation, operation } from '../../operation.ts'
import { id, required } from '../../params.ts'

export const deactivateUserGroup = operation({
  method: 'POST',
  path: '/user_groups/{user_group_id}/deactivate',
  summary: 'Deactivate a user group',
  description:
    'For those who manage the group, or all groups. The group keeps its name and its members. It must be no ' +
    'subgroup and hold no permission, not even of an archived channel or a deactivated group; `objections` ' +
    'lists where it does. Channels that the caller may not see are one objection without `channel_id`.',
  access: 'user',
  params: { user_group_id: required(id<GroupId>(), 'The id of the group.') },
  reply: {},
  errors: ['GROUP_UNKNOWN', 'PERMISSION_MISSING', 'GROUP_DEACTIVATED', 'GROUP_IN_USE'],
  events: ['user_group/update', 'user_group/remove'],
  run: ({ user, params: { user_group_id: groupId }, services, fail }) =>
    services.committer.submit({
      kind: 'structure',
      decide(state) {
        const caller = state.getUser(user.id)
        const { group } = findGroup(groupId, state, fail)
        if (!canManageGroup(caller, group, state)) throw fail('PERMISSION_MISSING')
        if (group.isDeactivated) throw fail('GROUP_DEACTIVATED')
        const objections = findGroupUses(caller, groupId, state)
        if (objections.length > 0) throw fail('GROUP_IN_USE', { objections })
        const audience = { kind: 'users', users: state.rights.activeUsers } as const
        return {
          events: [
            {
              event: {
                type: 'user_group/update',
                groupId,
                changes: { isDeactivated: true },
                clients: 'with_deactivated_groups',
              },
              audience,
            },
            {
              event: { type: 'user_group/remove', groupId, clients: 'without_deactivated_groups' },
              audience,
            },
          ],
          reply: () => ({}),
        }
      },
    }),
})

export const removeUserGroup: Operation = {
  ...deactivateUserGroup,
  method: 'DELETE',
  path: '/user_groups/{user_group_id}',
  summary: 'Remove a user group',
  description: 'As `POST /user_groups/{user_group_id}/deactivate`: no group is ever gone.',
  isDeprecated: true,
}
