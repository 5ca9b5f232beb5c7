/** Changes a user group: its name, its description, its permissions, and whether it is active. */

import type { LogEvent } from '../../domain/events.ts'
import { canManageGroup } from '../../../packages/rules/groups.ts'
import type { GroupId } from '../../domain/ids.ts'
import { GROUP_PERMISSIONS, type GroupPermission } from '../../domain/groups/permissions.ts'
import { type Decision, done } from '../decision.ts'
import { checkPermissionUpdates, GROUP_SETTING_ERRORS, type PermissionUpdates } from '../group-settings.ts'
import type { Scope } from '../scope.ts'
import { findGroupUses } from './find-group-uses.ts'
import { checkGroupName, findGroup, GROUP_NAME_ERRORS } from './find-group.ts'

/** The changes of a group; undefined keeps the present value. */
export interface UpdateGroupRequest {
  readonly groupId: GroupId
  readonly name: string | undefined
  readonly description: string | undefined
  /** `true` changes nothing: deactivating is a decision of its own. */
  readonly isDeactivated: boolean | undefined
  readonly permissions: PermissionUpdates<GroupPermission>
}

/** How changing a group can fail. */
export const UPDATE_GROUP_ERRORS = [
  'GROUP_UNKNOWN',
  'PERMISSION_MISSING',
  ...GROUP_NAME_ERRORS,
  ...GROUP_SETTING_ERRORS,
  'EXPECTATION_MISMATCH',
] as const

type GroupChanges = Extract<LogEvent, { type: 'user_group/update' }>['changes']

/** Changes a group, or reactivates it. */
export function decideGroupUpdate(
  scope: Scope<(typeof UPDATE_GROUP_ERRORS)[number]>,
  { groupId, name, description, isDeactivated, permissions: updates }: UpdateGroupRequest,
): Decision<void> {
  const { group } = findGroup(scope, groupId)
  if (!canManageGroup(scope.caller, group, scope.state)) throw scope.fail('PERMISSION_MISSING')
  const isRenamed = name !== undefined && name !== group.name
  if (isRenamed) checkGroupName(scope, name, groupId)
  const permissions = checkPermissionUpdates(scope, GROUP_PERMISSIONS, updates, group.permissions)
  const changes: GroupChanges = {
    ...(isRenamed ? { name } : {}),
    ...(description === undefined || description === group.description ? {} : { description }),
    ...(isDeactivated === false && group.isDeactivated ? { isDeactivated } : {}),
    ...(Object.keys(permissions).length === 0 ? {} : { permissions }),
  }
  return done(Object.keys(changes).length === 0 ? [] : [{ type: 'user_group/update', groupId, changes }])
}

/** How deactivating a group can fail. */
export const DEACTIVATE_GROUP_ERRORS = [
  'GROUP_UNKNOWN',
  'PERMISSION_MISSING',
  'GROUP_DEACTIVATED',
  'GROUP_IN_USE',
] as const

/** Deactivates a group that has no uses. */
export function decideGroupDeactivation(
  scope: Scope<(typeof DEACTIVATE_GROUP_ERRORS)[number]>,
  { groupId }: Pick<UpdateGroupRequest, 'groupId'>,
): Decision<void> {
  const { state, caller, fail } = scope
  const { group } = findGroup(scope, groupId)
  if (!canManageGroup(caller, group, state)) throw fail('PERMISSION_MISSING')
  if (group.isDeactivated) throw fail('GROUP_DEACTIVATED')
  const objections = findGroupUses(scope, groupId)
  if (objections.length > 0) throw fail('GROUP_IN_USE', { objections })
  return done([{ type: 'user_group/update', groupId, changes: { isDeactivated: true } }])
}
