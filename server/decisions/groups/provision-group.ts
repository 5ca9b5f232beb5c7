/** User groups that the company's provider of identities writes, by SCIM. */

import { GROUP_SHARE } from '../../domain/channels/shares.ts'
import type { UserGroup } from '../../domain/entities.ts'
import type { Fact } from '../../domain/events.ts'
import type { GroupState } from '../../domain/groups/group-graph.ts'
import { completePermissions, GROUP_PERMISSIONS } from '../../domain/groups/permissions.ts'
import { SYSTEM_GROUPS } from '../../domain/groups/system-groups.ts'
import type { GroupId, UserId } from '../../domain/ids.ts'
import type { ScimGroup } from '../../domain/scim/groups.ts'
import type { Rewritten } from '../../domain/scim/people.ts'
import { StaleScimError } from '../../domain/scim/scim-error.ts'
import { Secret } from '../../domain/secret.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import { answering, type Decision, done } from '../decision.ts'
import type { Scope, ServerScope } from '../scope.ts'
import { isGroupInUse } from './find-group-uses.ts'
import { checkGroupName, type GROUP_NAME_ERRORS } from './find-group.ts'

type GroupScope = ServerScope &
  Pick<Scope<(typeof GROUP_NAME_ERRORS)[number] | 'GROUP_UNKNOWN' | 'SHARE_SPENT'>, 'fail'>

/** A group to make. */
export interface ProvisionedGroupRequest {
  readonly name: string
  readonly memberIds: readonly UserId[]
  readonly stored: ScimGroup
}

/** Makes a group; answers its id. Its people follow the provider, so only owners change them here. */
export function decideProvisionedGroup(
  scope: GroupScope,
  { name, memberIds, stored }: ProvisionedGroupRequest,
): Decision<GroupId> {
  const { state, now, fail } = scope
  const { everMax: countMax, items } = GROUP_SHARE
  if (state.groups.groups.size >= countMax)
    throw fail('SHARE_SPENT', { whose: 'organization', countMax, items })
  checkGroupName(scope, name)
  const group: UserGroup = {
    id: state.nextGroupId,
    name,
    description: '',
    creatorId: null,
    createdAt: now,
    isSystem: false,
    isDeactivated: false,
    permissions: completePermissions(GROUP_PERMISSIONS, { canLeave: SYSTEM_GROUPS.nobody }, null),
  }
  const members = UserSet.of(memberIds).toArray()
  return answering(group.id, [
    { type: 'user_group/add', group, memberIds: members, subgroupIds: [] },
    ...writeGroup(group.id, { revision: null, row: stored }),
  ])
}

/** A change of a group; undefined keeps the present name. */
export interface GroupChangeRequest {
  /** The group that the request was made for: the decision is stale if it has changed since. */
  readonly seen: GroupState
  readonly name: string | undefined
  readonly add: readonly UserId[]
  readonly remove: readonly UserId[]
  /** Whether a deactivated group returns. */
  readonly isReturning: boolean
  /** The row of the group. */
  readonly stored: Rewritten<ScimGroup> | undefined
}

/** Changes a group; members that are there already, and absent ones, stay so. Throws a `StaleScimError`. */
export function decideProvisionedGroupChange(
  scope: GroupScope,
  { seen, name, add, remove, isReturning, stored }: GroupChangeRequest,
): Decision<void> {
  const { group, directMembers } = getGroup(scope, seen)
  const groupId = group.id
  if (group.isDeactivated && !isReturning) throw scope.fail('GROUP_UNKNOWN')
  const isRenamed = name !== undefined && name !== group.name
  if (isRenamed) checkGroupName(scope, name, groupId)
  const changes = {
    ...(isRenamed ? { name } : {}),
    ...(group.isDeactivated ? { isDeactivated: false } : {}),
  }
  return done([
    ...(Object.keys(changes).length === 0 ? [] : [{ type: 'user_group/update', groupId, changes } as const]),
    ...changeMembers(
      'user_group/add_members',
      groupId,
      add.filter((id) => !directMembers.has(id)),
    ),
    ...changeMembers(
      'user_group/remove_members',
      groupId,
      remove.filter((id) => directMembers.has(id)),
    ),
    ...writeGroup(groupId, stored),
  ])
}

/** Takes the people out of a group, and deactivates it unless something here still needs it. Throws a `StaleScimError`. */
export function decideProvisionedGroupRemoval(
  scope: GroupScope,
  { seen, stored }: Pick<GroupChangeRequest, 'seen' | 'stored'>,
): Decision<void> {
  const { state } = scope
  const { group, directMembers } = getGroup(scope, seen)
  const people = directMembers.toArray().filter((id) => state.getUser(id).botType === null)
  return done([
    ...changeMembers('user_group/remove_members', group.id, people),
    ...(isGroupInUse(state, group.id)
      ? []
      : [{ type: 'user_group/update', groupId: group.id, changes: { isDeactivated: true } } as const]),
    ...writeGroup(group.id, stored),
  ])
}

function getGroup({ state, fail }: GroupScope, seen: GroupState): GroupState {
  const found = state.groups.groups.get(seen.group.id)
  if (!found || found.group.isSystem) throw fail('GROUP_UNKNOWN')
  if (found !== seen) throw new StaleScimError('the group has changed')
  return found
}

function writeGroup(groupId: GroupId, stored: Rewritten<ScimGroup> | undefined): Fact[] {
  return stored ? [{ type: 'scim_group_changed', groupId, stored: new Secret(stored) }] : []
}

function changeMembers(
  type: 'user_group/add_members' | 'user_group/remove_members',
  groupId: GroupId,
  userIds: readonly UserId[],
): Fact[] {
  return userIds.length === 0 ? [] : [{ type, groupId, userIds: UserSet.of(userIds).toArray() }]
}
