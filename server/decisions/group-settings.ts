/** Permissions of a request, checked: each is a group, or an explicit set of users and groups. */

import {
  type GroupSetting,
  isSameGroupSetting,
  normalizeGroupSetting,
} from '../domain/groups/group-settings.ts'
import {
  findForbiddenGroup,
  type PermissionRule,
  type Permissions,
  violatesSystemGroups,
} from '../domain/groups/permissions.ts'
import { SYSTEM_GROUPS } from '../domain/groups/system-groups.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { permissionName } from '../views/permission-view.ts'
import type { Scope } from './scope.ts'

type AnyPermission = Parameters<typeof permissionName>[0]
type Rules<Name extends AnyPermission> = Readonly<Record<Name, PermissionRule>>

/** The permissions for a new object. */
export type GivenPermissions<Name extends AnyPermission> = { readonly [P in Name]?: GroupSetting | undefined }

/** A new setting, and the value that the caller expects to replace. */
export interface GroupSettingUpdate {
  readonly new: GroupSetting
  readonly old: GroupSetting | undefined
}

/** The settings that are to change. */
export type PermissionUpdates<Name extends AnyPermission> = {
  readonly [P in Name]?: GroupSettingUpdate | undefined
}

/** How a group setting can be wrong. */
export const GROUP_SETTING_ERRORS = ['GROUP_ID_UNKNOWN', 'GROUP_MEMBER_UNKNOWN', 'GROUP_FORBIDDEN'] as const
type GroupSettingScope = Pick<Scope<(typeof GROUP_SETTING_ERRORS)[number]>, 'state' | 'fail'>

/** Permissions for a new object, checked. */
export function checkPermissions<Name extends AnyPermission>(
  scope: GroupSettingScope,
  rules: Rules<Name>,
  given: GivenPermissions<Name>,
): Partial<Permissions<Name>> {
  const checked: Partial<Record<Name, GroupSetting>> = {}
  for (const name of Object.keys(rules) as Name[]) {
    const setting = given[name]
    if (setting !== undefined) checked[name] = checkGroupSetting(scope, setting, name, rules[name])
  }
  return checked
}

/** The permissions that an update really changes, checked. */
export function checkPermissionUpdates<Name extends AnyPermission>(
  scope: GroupSettingScope & Pick<Scope<'EXPECTATION_MISMATCH'>, 'fail'>,
  rules: Rules<Name>,
  updates: PermissionUpdates<Name>,
  present: Permissions<Name>,
): Partial<Permissions<Name>> {
  const changed: Partial<Record<Name, GroupSetting>> = {}
  for (const name of Object.keys(rules) as Name[]) {
    const update = updates[name]
    if (update === undefined) continue
    const setting = checkGroupSetting(scope, update.new, name, rules[name])
    if (update.old !== undefined && !isExpected(update.old, present[name], scope.state)) {
      throw scope.fail('EXPECTATION_MISMATCH')
    }
    if (!isSameGroupSetting(setting, present[name])) changed[name] = setting
  }
  return changed
}

/** Clients do not see deactivated members, so they cannot expect them. */
function isExpected(old: GroupSetting, present: GroupSetting, { rights }: OrganizationState): boolean {
  const visible = (setting: GroupSetting): GroupSetting =>
    typeof setting === 'number'
      ? setting
      : { ...setting, directMembers: setting.directMembers.filter((one) => rights.activeUsers.has(one)) }
  return isSameGroupSetting(normalizeGroupSetting(visible(old)), normalizeGroupSetting(visible(present)))
}

/** The canonical form of a setting, if the permission allows it. */
function checkGroupSetting(
  { state, fail }: GroupSettingScope,
  given: GroupSetting,
  name: AnyPermission,
  rule: PermissionRule,
): GroupSetting {
  const setting = normalizeGroupSetting(given)
  const groupIds = typeof setting === 'number' ? [setting] : setting.directSubgroups
  for (const groupId of groupIds) {
    const known = state.groups.groups.get(groupId)
    if (!known || known.group.isDeactivated) throw fail('GROUP_ID_UNKNOWN', { id: groupId })
  }
  for (const userId of typeof setting === 'number' ? [] : setting.directMembers) {
    if (!state.rights.activeUsers.has(userId)) throw fail('GROUP_MEMBER_UNKNOWN', { id: userId })
  }
  const forbidden = findForbiddenGroup(rule, setting)
  if (forbidden) {
    const group = state.groups.get(SYSTEM_GROUPS[forbidden]).group.name
    throw fail('GROUP_FORBIDDEN', { setting: permissionName(name), group })
  }
  return setting
}

/** Throws if one of the settings requires a system group and has another value. */
export function checkSystemGroups<Name extends AnyPermission>(
  { state: { groups }, fail }: Pick<Scope<'SYSTEM_GROUP_REQUIRED' | 'GROUP_FORBIDDEN'>, 'state' | 'fail'>,
  rules: Rules<Name>,
  settings: Partial<Permissions<Name>>,
): void {
  for (const name in settings) {
    const given: GroupSetting | undefined = settings[name]
    if (given === undefined || !violatesSystemGroups(rules[name], given)) continue
    const setting = permissionName(name)
    const group = typeof given === 'number' ? groups.get(given).group : undefined
    if (!group?.isSystem) throw fail('SYSTEM_GROUP_REQUIRED', { setting })
    throw fail('GROUP_FORBIDDEN', { setting, group: group.name })
  }
}
