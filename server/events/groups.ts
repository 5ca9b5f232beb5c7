/** Groups of users. */

import { storeScimGroup } from '../../db/organization/scim-groups.ts'
import {
  addGroupMembers,
  addSubgroups,
  removeGroupMembers,
  removeSubgroups,
  storeUserGroup,
  storeUserGroupChange,
} from '../../db/organization/user-groups.ts'
import { notifyGroupUpdates, notifyMemberships } from '../audience/groups.ts'
import { everyone } from '../audience/notifier.ts'
import type { EventOf } from '../domain/events.ts'
import type { GroupFact, GroupNotice } from '../domain/events/groups.ts'
import type { GroupGraph } from '../domain/groups/group-graph.ts'
import { SYSTEM_GROUPS } from '../domain/groups/system-groups.ts'
import type { GroupId } from '../domain/ids.ts'
import { arrayOf, INTEGER, record, STRING } from '../domain/json-schema.ts'
import { UserSet } from '../domain/users/user-set.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { USER_GROUP, USER_GROUP_CHANGE, viewGroup, viewGroupChange } from '../views/group-view.ts'
import { audited } from './audited.ts'
import { type Entries, fact, notice, silent } from './entry.ts'
import { shown, shownAs } from './view.ts'

const IDS = arrayOf(INTEGER)

function placeGroups(state: OrganizationState, groups: GroupGraph): void {
  state.rights = state.rights.withGroups(groups)
}

const systemGroups: ReadonlySet<GroupId> = new Set(Object.values(SYSTEM_GROUPS))

const MEMBERS = record({ group_id: INTEGER, user_ids: IDS })
type MembersChange = Pick<EventOf<'user_group/add_members'>, 'groupId' | 'userIds'>
const viewMembers = ({ groupId, userIds }: MembersChange) => ({ group_id: groupId, user_ids: userIds })
/** Members of the system groups follow from the roles. */
const AUDITED_MEMBERS = audited(
  ({ groupId, userIds }: MembersChange) => (systemGroups.has(groupId) ? undefined : { groupId, userIds }),
  MEMBERS,
  viewMembers,
)

const SUBGROUPS = record({ group_id: INTEGER, direct_subgroup_ids: IDS })
type SubgroupsChange = Pick<EventOf<'user_group/add_subgroups'>, 'groupId' | 'subgroupIds'>
const viewSubgroups = ({ groupId, subgroupIds }: SubgroupsChange) => ({
  group_id: groupId,
  direct_subgroup_ids: subgroupIds,
})
const AUDITED_SUBGROUPS = audited(
  ({ groupId, subgroupIds }: SubgroupsChange) => ({ groupId, subgroupIds }),
  SUBGROUPS,
  viewSubgroups,
)

const ADDED = shownAs(
  'user_group/add',
  'A user group was created, or is active again.',
  record({ group: USER_GROUP }),
  (
    { group, memberIds, subgroupIds }: EventOf<'user_group/add' | 'user_group/reveal'>,
    { state: { rights } },
  ) => {
    const members = { directMembers: UserSet.of(memberIds), directSubgroups: subgroupIds }
    return { group: viewGroup({ group, ...members }, rights.activeUsers) }
  },
)

const UPDATED = shownAs(
  'user_group/update',
  'A user group changed.',
  record({ group_id: INTEGER, data: USER_GROUP_CHANGE }),
  ({ groupId, changes }: EventOf<'user_group/update' | 'user_group/update_shown'>, { state }) => ({
    group_id: groupId,
    data: viewGroupChange(changes, state.rights.activeUsers),
  }),
)

const MEMBERS_ADDED = shownAs('user_group/add_members', 'Users were added to a group.', MEMBERS, viewMembers)
const MEMBERS_REMOVED = shownAs(
  'user_group/remove_members',
  'Users were removed from a group.',
  MEMBERS,
  viewMembers,
)

export const GROUP_EVENTS: Entries<GroupFact | GroupNotice> = {
  scim_group_changed: silent({
    store: (writes, _, { groupId, stored }) => storeScimGroup(writes, groupId, stored.reveal()),
  }),
  'user_group/add': fact({
    audience: everyone,
    apply(state, { group, memberIds, subgroupIds }) {
      const added = { group, directMembers: UserSet.of(memberIds), directSubgroups: subgroupIds }
      placeGroups(state, state.groups.with(added))
    },
    store: (writes, _, { group, memberIds, subgroupIds }) =>
      storeUserGroup(writes, group, memberIds, subgroupIds),
    view: ADDED,
    audit: audited(
      ({ group: { id, name }, memberIds, subgroupIds }) => ({ groupId: id, name, memberIds, subgroupIds }),
      record({ group_id: INTEGER, name: STRING, members: IDS, direct_subgroup_ids: IDS }),
      ({ groupId, name, memberIds, subgroupIds }) => ({
        group_id: groupId,
        name,
        members: memberIds,
        direct_subgroup_ids: subgroupIds,
      }),
    ),
  }),
  'user_group/reveal': notice({ view: ADDED }),
  'user_group/update': fact({
    audience: notifyGroupUpdates,
    apply(state, { groupId, changes: { permissions, ...others } }) {
      const before = state.groups.get(groupId)
      const changed = { ...before.group.permissions, ...permissions }
      placeGroups(
        state,
        state.groups.with({ ...before, group: { ...before.group, ...others, permissions: changed } }),
      )
    },
    store: (writes, _, { groupId, changes }) => storeUserGroupChange(writes, groupId, changes),
    view: UPDATED,
    audit: audited(
      ({ groupId, changes }) => ({ groupId, changes }),
      record({ group_id: INTEGER, data: USER_GROUP_CHANGE }),
      ({ groupId, changes }, activeUsers) => ({
        group_id: groupId,
        data: viewGroupChange(changes, activeUsers),
      }),
    ),
  }),
  'user_group/update_shown': notice({ view: UPDATED }),
  'user_group/remove': notice({
    view: shown(
      'A user group was deactivated; for clients without `include_deactivated_groups`.',
      record({ group_id: INTEGER }),
      ({ groupId }) => ({ group_id: groupId }),
    ),
  }),
  'user_group/add_members': fact({
    audience: notifyMemberships,
    apply: (state, { groupId, userIds }) =>
      placeGroups(state, state.groups.withMembers(groupId, userIds, true)),
    store: (writes, _, { groupId, userIds }) => addGroupMembers(writes, groupId, userIds),
    view: MEMBERS_ADDED,
    audit: AUDITED_MEMBERS,
  }),
  'user_group/show_members': notice({ view: MEMBERS_ADDED }),
  'user_group/remove_members': fact({
    audience: notifyMemberships,
    apply: (state, { groupId, userIds }) =>
      placeGroups(state, state.groups.withMembers(groupId, userIds, false)),
    store: (writes, _, { groupId, userIds }) => removeGroupMembers(writes, groupId, userIds),
    view: MEMBERS_REMOVED,
    audit: AUDITED_MEMBERS,
  }),
  'user_group/hide_members': notice({ view: MEMBERS_REMOVED }),
  'user_group/add_subgroups': fact({
    audience: everyone,
    apply: (state, { groupId, subgroupIds }) =>
      placeGroups(state, state.groups.withSubgroups(groupId, subgroupIds, true)),
    store: (writes, _, { groupId, subgroupIds }) => addSubgroups(writes, groupId, subgroupIds),
    view: shown('Subgroups were added to a group.', SUBGROUPS, viewSubgroups),
    audit: AUDITED_SUBGROUPS,
  }),
  'user_group/remove_subgroups': fact({
    audience: everyone,
    apply: (state, { groupId, subgroupIds }) =>
      placeGroups(state, state.groups.withSubgroups(groupId, subgroupIds, false)),
    store: (writes, _, { groupId, subgroupIds }) => removeSubgroups(writes, groupId, subgroupIds),
    view: shown('Subgroups were removed from a group.', SUBGROUPS, viewSubgroups),
    audit: AUDITED_SUBGROUPS,
  }),
}
