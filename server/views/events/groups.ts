/** The events of user groups, as clients get them. */

import type { GroupEvent } from '../../domain/events/groups.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import { USER_GROUP, USER_GROUP_CHANGE, viewGroup, viewGroupChange } from '../group-view.ts'
import { type EventSchemas, type EventViews, opEventOf } from './event-context.ts'
import { arrayOf, INTEGER } from '../../domain/json-schema.ts'

const MEMBERS = { group_id: INTEGER, user_ids: arrayOf(INTEGER) }
const SUBGROUPS = { group_id: INTEGER, direct_subgroup_ids: arrayOf(INTEGER) }

/** The events of user groups. */
export const GROUP_EVENTS = {
  'user_group/add': opEventOf('user_group/add', 'A user group was created, or is active again.', {
    group: USER_GROUP,
  }),
  'user_group/update': opEventOf('user_group/update', 'A user group changed.', {
    group_id: INTEGER,
    data: USER_GROUP_CHANGE,
  }),
  'user_group/remove': opEventOf(
    'user_group/remove',
    'A user group was deactivated; for clients without `include_deactivated_groups`.',
    { group_id: INTEGER },
  ),
  'user_group/add_members': opEventOf('user_group/add_members', 'Users were added to a group.', MEMBERS),
  'user_group/remove_members': opEventOf(
    'user_group/remove_members',
    'Users were removed from a group.',
    MEMBERS,
  ),
  'user_group/add_subgroups': opEventOf(
    'user_group/add_subgroups',
    'Subgroups were added to a group.',
    SUBGROUPS,
  ),
  'user_group/remove_subgroups': opEventOf(
    'user_group/remove_subgroups',
    'Subgroups were removed from a group.',
    SUBGROUPS,
  ),
} satisfies EventSchemas<GroupEvent>

/** The views of groups. */
export const GROUP_EVENT_VIEWS: EventViews<GroupEvent, typeof GROUP_EVENTS> = {
  'user_group/add': ({ group, memberIds, subgroupIds }, { state }) => {
    const members = { directMembers: UserSet.of(memberIds), directSubgroups: subgroupIds }
    return {
      type: 'user_group',
      op: 'add',
      group: viewGroup({ group, ...members }, state.rights.activeUsers),
    }
  },
  'user_group/update': ({ groupId, changes }, { state }) => {
    const data = viewGroupChange(changes, state.rights.activeUsers)
    return { type: 'user_group', op: 'update', group_id: groupId, data }
  },
  'user_group/remove': ({ groupId }) => ({ type: 'user_group', op: 'remove', group_id: groupId }),
  'user_group/add_members': ({ groupId, userIds }) => ({
    type: 'user_group',
    op: 'add_members',
    group_id: groupId,
    user_ids: userIds,
  }),
  'user_group/remove_members': ({ groupId, userIds }) => ({
    type: 'user_group',
    op: 'remove_members',
    group_id: groupId,
    user_ids: userIds,
  }),
  'user_group/add_subgroups': ({ groupId, subgroupIds }) => ({
    type: 'user_group',
    op: 'add_subgroups',
    group_id: groupId,
    direct_subgroup_ids: subgroupIds,
  }),
  'user_group/remove_subgroups': ({ groupId, subgroupIds }) => ({
    type: 'user_group',
    op: 'remove_subgroups',
    group_id: groupId,
    direct_subgroup_ids: subgroupIds,
  }),
}
