/** Permissions as clients name and see them. */

import type { GroupSetting } from '../domain/group-settings.ts'
import type {
  ChannelPermission,
  GroupPermission,
  OrganizationPermission,
  Permissions,
} from '../domain/permissions.ts'
import type { UserSet } from '../domain/user-set.ts'

/** The two whose wire names break the rule. */
const ODD_NAMES: Readonly<Record<string, string>> = {
  canCreateGroups: 'can_create_groups',
  canManageAllGroups: 'can_manage_all_groups',
}
const names = new Map<string, string>()

/** A permission's name on the wire: `canJoin` is `can_join_group`. */
export function permissionName(
  permission: ChannelPermission | GroupPermission | OrganizationPermission,
): string {
  let name = names.get(permission)
  if (name === undefined) {
    name =
      ODD_NAMES[permission] ??
      `${permission.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_group`
    names.set(permission, name)
  }
  return name
}

/** A group setting: a group's id, or an explicit set less its deactivated members. */
export function viewGroupSetting(setting: GroupSetting, activeUsers: UserSet) {
  if (typeof setting === 'number') return setting
  return {
    direct_members: setting.directMembers.filter((id) => activeUsers.has(id)),
    direct_subgroups: setting.directSubgroups,
  }
}

/** Permissions by their wire names, after `prefix`. */
export function viewPermissions<Name extends ChannelPermission | GroupPermission | OrganizationPermission>(
  permissions: Partial<Permissions<Name>>,
  activeUsers: UserSet,
  prefix = '',
): Record<string, unknown> {
  const view: Record<string, unknown> = {}
  for (const name in permissions) {
    const setting = permissions[name]
    if (setting !== undefined) view[prefix + permissionName(name)] = viewGroupSetting(setting, activeUsers)
  }
  return view
}
