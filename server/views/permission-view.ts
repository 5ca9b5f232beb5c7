/** Permissions on the wire: names and values. */

import type { GroupSetting } from '../domain/groups/group-settings.ts'
import {
  CHANNEL_PERMISSIONS,
  type ChannelPermission,
  GROUP_PERMISSIONS,
  type GroupPermission,
  ORGANIZATION_PERMISSIONS,
  type OrganizationPermission,
  type Permissions,
} from '../domain/groups/permissions.ts'
import type { UserSet } from '../domain/users/user-set.ts'
import { anyOf, arrayOf, INTEGER, record, type ValueOf } from '../domain/json-schema.ts'
import { type SnakeCase, snakeCase } from './snake-case.ts'

type AnyPermission = ChannelPermission | GroupPermission | OrganizationPermission

/** The two permissions with irregular wire names. */
const ODD_NAMES = {
  canCreateGroups: 'can_create_groups',
  canManageAllGroups: 'can_manage_all_groups',
} as const satisfies Partial<Record<AnyPermission, string>>

/** A permission's name on the wire: `canJoin` is `can_join_group`. */
export type PermissionName<Name extends AnyPermission> = Name extends keyof typeof ODD_NAMES
  ? (typeof ODD_NAMES)[Name]
  : `${SnakeCase<Name>}_group`

/** Schema of `viewGroupSetting`. */
export const GROUP_SETTING = anyOf(
  INTEGER,
  record({ direct_members: arrayOf(INTEGER), direct_subgroups: arrayOf(INTEGER) }),
)

/** The schema of `viewPermissions` for all permissions of a table. */
export function permissionSchemas<Name extends AnyPermission>(
  permissions: Readonly<Record<Name, unknown>>,
): { readonly [P in Name as PermissionName<P>]: typeof GROUP_SETTING } {
  const names = Object.keys(permissions) as Name[]
  return Object.fromEntries(names.map((name) => [permissionName(name), GROUP_SETTING])) as {
    [P in Name as PermissionName<P>]: typeof GROUP_SETTING
  }
}

/** A permission's name on the wire: `canJoin` is `can_join_group`. */
export function permissionName(permission: AnyPermission): string {
  return NAMES[permission]
}

const NAMES = Object.fromEntries(
  Object.keys({ ...CHANNEL_PERMISSIONS, ...GROUP_PERMISSIONS, ...ORGANIZATION_PERMISSIONS }).map(
    (permission) => [
      permission,
      (ODD_NAMES as Partial<Record<string, string>>)[permission] ?? `${snakeCase(permission)}_group`,
    ],
  ),
) as Readonly<Record<AnyPermission, string>>

/** A group setting: a group's id, or an explicit set without deactivated members. */
export function viewGroupSetting(setting: GroupSetting, activeUsers: UserSet): ValueOf<typeof GROUP_SETTING> {
  if (typeof setting === 'number') return setting
  return {
    direct_members: setting.directMembers.filter((id) => activeUsers.has(id)),
    direct_subgroups: setting.directSubgroups,
  }
}

/** Permissions by their wire names with `prefix`. */
export function viewPermissions<Given extends Partial<Permissions<AnyPermission>>>(
  permissions: Given,
  activeUsers: UserSet,
  prefix = '',
): PermissionsView<Given> {
  const view: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(permissions)) {
    if (setting !== undefined)
      view[prefix + permissionName(name as AnyPermission)] = viewGroupSetting(setting, activeUsers)
  }
  return view as PermissionsView<Given>
}

/** Permissions by their wire names; optional ones stay optional. */
type PermissionsView<Given> = {
  readonly [Name in keyof Given as Name extends AnyPermission ? PermissionName<Name> : never]: ValueOf<
    typeof GROUP_SETTING
  >
}
