/** The parameters of group settings: both forms, and updates with the expected old value. */

import type { GroupSetting } from '../../../domain/groups/group-settings.ts'
import type { GroupId, UserId } from '../../../domain/ids.ts'
import { describePermission, type PermissionRule } from '../../../domain/groups/permissions.ts'
import type {
  GivenPermissions,
  GroupSettingUpdate,
  PermissionUpdates,
} from '../../../decisions/group-settings.ts'
import { permissionName } from '../../../views/permission-view.ts'
import { anyOf, id, list, object, optional, type Param, required, type Type } from '../../params.ts'

/** Users or groups in one explicit set; larger sets need a named group. */
const EXPLICIT_SET_MAX = 1_000

type PermissionName = Parameters<typeof permissionName>[0]

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

export const groupSettingUpdateType: Type<GroupSettingUpdate> = object({
  new: required(groupSettingType, 'The new setting.'),
  old: optional(groupSettingType, 'The current setting, as the caller knows it.'),
})

/** A parameter for each permission, by its wire name. */
export function permissionParams<Name extends PermissionName, Value>(
  rules: Readonly<Record<Name, PermissionRule>>,
  type: Type<Value>,
): Readonly<Record<string, Param<Value | undefined>>> {
  const names = Object.keys(rules) as Name[]
  return Object.fromEntries(
    names.map((name) => [permissionName(name), optional(type, describePermission(rules[name]))]),
  )
}

/** The settings from the parameters, by permission. */
export function readGivenPermissions<Name extends PermissionName>(
  rules: Readonly<Record<Name, PermissionRule>>,
  params: Readonly<Record<string, unknown>>,
): GivenPermissions<Name> {
  return readEach(rules, params) as GivenPermissions<Name>
}

/** The updates of settings from the parameters, by permission. */
export function readPermissionUpdates<Name extends PermissionName>(
  rules: Readonly<Record<Name, PermissionRule>>,
  params: Readonly<Record<string, unknown>>,
): PermissionUpdates<Name> {
  return readEach(rules, params) as PermissionUpdates<Name>
}

function readEach<Name extends PermissionName>(
  rules: Readonly<Record<Name, PermissionRule>>,
  params: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const names = Object.keys(rules) as Name[]
  return Object.fromEntries(names.map((name) => [name, params[permissionName(name)]]))
}
