/** Making a user group. */

import type { UserGroup } from '../../domain/entities.ts'
import { canCreateGroups } from '../../../packages/rules/groups.ts'
import type { GroupId, UserId } from '../../domain/ids.ts'
import {
  completePermissions,
  GROUP_PERMISSIONS,
  type GroupPermission,
} from '../../domain/groups/permissions.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import { checkShare } from '../check-share.ts'
import { answering, type Decision } from '../decision.ts'
import { checkPermissions, GROUP_SETTING_ERRORS, type GivenPermissions } from '../group-settings.ts'
import type { Scope } from '../scope.ts'
import { checkNesting, checkSubgroups, NESTING_ERRORS } from './check-nesting.ts'
import { checkGroupName, GROUP_NAME_ERRORS } from './find-group.ts'

/** A group, as the request has it. */
export interface NewGroupRequest extends Pick<UserGroup, 'name' | 'description'> {
  readonly memberIds: readonly UserId[]
  readonly subgroupIds: readonly GroupId[]
  readonly permissions: GivenPermissions<GroupPermission>
}

/** How making a group can fail. */
export const NEW_GROUP_ERRORS = [
  'PERMISSION_MISSING',
  ...GROUP_NAME_ERRORS,
  ...GROUP_SETTING_ERRORS,
  ...NESTING_ERRORS,
] as const

/** Makes a group; answers its id. */
export function decideNewGroup(
  scope: Scope<(typeof NEW_GROUP_ERRORS)[number]>,
  { name, description, memberIds, subgroupIds, permissions }: NewGroupRequest,
): Decision<GroupId> {
  const { state, caller, now, fail } = scope
  if (!canCreateGroups(caller, state)) throw fail('PERMISSION_MISSING')
  checkShare(scope, 'groups', 1)
  checkGroupName(scope, name)
  const unknown = memberIds.find((one) => !state.rights.activeUsers.has(one))
  if (unknown !== undefined) throw fail('GROUP_MEMBER_UNKNOWN', { id: unknown })
  checkSubgroups(scope, subgroupIds)
  const given = checkPermissions(scope, GROUP_PERMISSIONS, permissions)
  const group: UserGroup = {
    id: state.nextGroupId,
    name,
    description,
    creatorId: caller.id,
    createdAt: now,
    isSystem: false,
    isDeactivated: false,
    permissions: completePermissions(GROUP_PERMISSIONS, given, caller.id),
  }
  const directMembers = UserSet.of(memberIds)
  const directSubgroups = [...new Set(subgroupIds)].sort((a, b) => a - b)
  checkNesting(scope, state.groups.with({ group, directMembers, directSubgroups }), caller.id)
  return answering(group.id, [
    { type: 'user_group/add', group, memberIds: directMembers.toArray(), subgroupIds: directSubgroups },
  ])
}
