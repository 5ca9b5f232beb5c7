/** Group settings as parameters: their two forms, their update with what is expected to be there, and their rules. */

import { type GroupSetting, isSameGroupSetting, normalizeGroupSetting } from '../domain/group-settings.ts'
import type { GroupId, UserId } from '../domain/ids.ts'
import {
  findForbiddenGroup,
  type PermissionRule,
  type Permissions,
  violatesSystemGroups,
} from '../domain/permissions.ts'
import { SYSTEM_GROUPS } from '../domain/system-groups.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { permissionName } from '../views/permission-view.ts'
import type { Fail } from './errors.ts'
import { anyOf, id, list, object, optional, type Param, required, type Type } from './params.ts'

/** Users or groups in one explicit set; larger sets are groups with a name. */
const EXPLICIT_SET_MAX = 1_000

type PermissionName = Parameters<typeof permissionName>[0]
/** The failures of a group setting, for the operations that take some. */
export const GROUP_SETTING_ERRORS = ['GROUP_ID_UNKNOWN', 'GROUP_MEMBER_UNKNOWN', 'GROUP_FORBIDDEN'] as const
export type GroupSettingFail = Fail<(typeof GROUP_SETTING_ERRORS)[number]>

const explicitSet = object({
  direct_members: required(list(id<UserId>(), { lengthMax: EXPLICIT_SET_MAX }), 'Ids of users.'),
  direct_subgroups: required(list(id<GroupId>(), { lengthMax: EXPLICIT_SET_MAX }), 'Ids of groups.'),
})

/** A group's id, or an explicit set of users and groups. */
export const groupSettingType: Type<GroupSetting> = (() => {
  const either = anyOf(id<GroupId>(), explicitSet)
  return {
    isText: false,
    schema: either.schema,
    check(value, name) {
      const given = either.check(value, name)
      if (typeof given === 'number') return given
      return { directMembers: given.direct_members, directSubgroups: given.direct_subgroups }
    },
  }
})()

/** A new setting, and the one that the caller expects to replace. */
export interface GroupSettingUpdate {
  readonly new: GroupSetting
  readonly old: GroupSetting | undefined
}

export const groupSettingUpdateType: Type<GroupSettingUpdate> = object({
  new: required(groupSettingType, 'The new setting.'),
  old: optional(groupSettingType, 'The present setting, as far as the caller knows.'),
})

/** A parameter for each permission, by its wire name. */
export function permissionParams<Name extends PermissionName, Value>(
  rules: Readonly<Record<Name, PermissionRule>>,
  type: Type<Value>,
): Readonly<Record<string, Param<Value | undefined>>> {
  const names = Object.keys(rules) as Name[]
  return Object.fromEntries(
    names.map((name) => [permissionName(name), optional(type, 'Who holds this permission.')]),
  )
}

/** The settings given for new things, checked. */
export function readPermissions<Name extends PermissionName>(
  rules: Readonly<Record<Name, PermissionRule>>,
  params: Readonly<Record<string, unknown>>,
  state: OrganizationState,
  fail: GroupSettingFail,
): Partial<Permissions<Name>> {
  const given: Partial<Record<Name, GroupSetting>> = {}
  for (const name of Object.keys(rules) as Name[]) {
    const setting = params[permissionName(name)] as GroupSetting | undefined
    if (setting !== undefined) given[name] = checkGroupSetting(setting, name, rules[name], state, fail)
  }
  return given
}

/** The settings that an update changes, checked; those that are as they were are left out. */
export function readPermissionUpdates<Name extends PermissionName>(
  rules: Readonly<Record<Name, PermissionRule>>,
  params: Readonly<Record<string, unknown>>,
  present: Permissions<Name>,
  state: OrganizationState,
  fail: GroupSettingFail & Fail<'EXPECTATION_MISMATCH'>,
): Partial<Permissions<Name>> {
  const changed: Partial<Record<Name, GroupSetting>> = {}
  for (const name of Object.keys(rules) as Name[]) {
    const update = params[permissionName(name)] as GroupSettingUpdate | undefined
    if (update === undefined) continue
    const setting = checkGroupSetting(update.new, name, rules[name], state, fail)
    if (update.old !== undefined && !isExpected(update.old, present[name], state)) {
      throw fail('EXPECTATION_MISMATCH')
    }
    if (!isSameGroupSetting(setting, present[name])) changed[name] = setting
  }
  return changed
}

/** Clients are not told of deactivated members, so these cannot be expected. */
function isExpected(old: GroupSetting, present: GroupSetting, { rights }: OrganizationState): boolean {
  const visible = (setting: GroupSetting): GroupSetting =>
    typeof setting === 'number'
      ? setting
      : { ...setting, directMembers: setting.directMembers.filter((one) => rights.activeUsers.has(one)) }
  return isSameGroupSetting(normalizeGroupSetting(visible(old)), normalizeGroupSetting(visible(present)))
}

/** A setting in its one form, if the permission may be held so. */
function checkGroupSetting(
  given: GroupSetting,
  name: PermissionName,
  rule: PermissionRule,
  state: OrganizationState,
  fail: GroupSettingFail,
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

/** Throws where one of some settings must be a system group, and is not, or is another than may be. */
export function checkSystemGroups<Name extends PermissionName>(
  rules: Readonly<Record<Name, PermissionRule>>,
  settings: Partial<Permissions<Name>>,
  { groups }: OrganizationState,
  fail: Fail<'SYSTEM_GROUP_REQUIRED' | 'GROUP_FORBIDDEN'>,
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
