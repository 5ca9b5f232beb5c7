/** User groups that the company's provider of identities writes, by SCIM. */

import { GROUP_SHARE } from '../../domain/channels/shares.ts'
import type { UserGroup } from '../../domain/entities.ts'
import type { Fact } from '../../domain/events.ts'
import type { GroupState } from '../../domain/groups/group-graph.ts'
import { completePermissions, GROUP_PERMISSIONS } from '../../domain/groups/permissions.ts'
import { SYSTEM_GROUPS } from '../../domain/groups/system-groups.ts'
import type { GroupId, UserId } from '../../domain/ids.ts'
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
}

/** Makes a group; answers its id. Its people follow the provider, so only owners change them here. */
export function decideProvisionedGroup(
  scope: GroupScope,
  { name, memberIds }: ProvisionedGroupRequest,
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
  return answering(group.id, [{ type: 'user_group/add', group, memberIds: members, subgroupIds: [] }])
}

/** A change of a group; undefined keeps the present name. */
export interface GroupChangeRequest {
  readonly groupId: GroupId
  readonly name: string | undefined
  readonly add: readonly UserId[]
  readonly remove: readonly UserId[]
  /** Whether a deactivated group returns. */
  readonly isReturning: boolean
}

/** Changes a group; members that are there already, and absent ones, stay so. */
export function decideProvisionedGroupChange(
  scope: GroupScope,
  { groupId, name, add, remove, isReturning }: GroupChangeRequest,
): Decision<void> {
  const { group, directMembers } = getGroup(scope, groupId)
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
  ])
}

/** Takes the people out of a group, and deactivates it unless something here still needs it. */
export function decideProvisionedGroupRemoval(scope: GroupScope, groupId: GroupId): Decision<void> {
  const { state } = scope
  const { directMembers } = getGroup(scope, groupId)
  const people = directMembers.toArray().filter((id) => state.getUser(id).botType === null)
  return done([
    ...changeMembers('user_group/remove_members', groupId, people),
    ...(isGroupInUse(state, groupId)
      ? []
      : [{ type: 'user_group/update', groupId, changes: { isDeactivated: true } } as const]),
  ])
}

function getGroup({ state, fail }: GroupScope, groupId: GroupId): GroupState {
  const found = state.groups.groups.get(groupId)
  if (!found || found.group.isSystem) throw fail('GROUP_UNKNOWN')
  return found
}

function changeMembers(
  type: 'user_group/add_members' | 'user_group/remove_members',
  groupId: GroupId,
  userIds: readonly UserId[],
): Fact[] {
  return userIds.length === 0 ? [] : [{ type, groupId, userIds: UserSet.of(userIds).toArray() }]
}
