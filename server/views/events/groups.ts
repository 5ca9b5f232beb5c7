/** What clients are told of what happens to groups of users. */

import type { GroupEvent } from '../../domain/events/groups.ts'
import { UserSet } from '../../domain/user-set.ts'
import { viewGroup, viewGroupChange } from '../group-view.ts'
import { type EventViews, opOf } from './event-context.ts'

function viewMembers(event: Extract<GroupEvent, { type: `user_group/${string}_members` }>): object {
  const { type, groupId, userIds } = event
  return { type: 'user_group', op: opOf(type), group_id: groupId, user_ids: userIds }
}

function viewSubgroups(event: Extract<GroupEvent, { type: `user_group/${string}_subgroups` }>): object {
  const { type, groupId, subgroupIds } = event
  return { type: 'user_group', op: opOf(type), group_id: groupId, direct_subgroup_ids: subgroupIds }
}

/** The views of what happens to groups. */
export const GROUP_EVENT_VIEWS: EventViews<GroupEvent> = {
  'user_group/add': ({ group, memberIds, subgroupIds }, { state }) => {
    const members = { directMembers: UserSet.of(memberIds), directSubgroups: subgroupIds }
    return { type: 'user_group', op: 'add', group: viewGroup({ group, ...members }, state) }
  },
  'user_group/update': ({ groupId, changes }, { state }) => {
    const data = viewGroupChange(changes, state.rights.activeUsers)
    return { type: 'user_group', op: 'update', group_id: groupId, data }
  },
  'user_group/remove': ({ groupId }) => ({ type: 'user_group', op: 'remove', group_id: groupId }),
  'user_group/add_members': viewMembers,
  'user_group/remove_members': viewMembers,
  'user_group/add_subgroups': viewSubgroups,
  'user_group/remove_subgroups': viewSubgroups,
}
