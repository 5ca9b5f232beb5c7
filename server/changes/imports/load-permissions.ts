/** Permissions of another server: their holders become the people and groups that came over. */

import { type GroupSetting, normalizeGroupSetting } from '../../domain/groups/group-settings.ts'
import {
  findForbiddenGroup,
  type PermissionRule,
  type Permissions,
  violatesSystemGroups,
} from '../../domain/groups/permissions.ts'
import type { GroupId, UserId } from '../../domain/ids.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { permissionName } from '../../views/permission-view.ts'
import type { Loading } from './loading.ts'
import type { ForeignPermissions, ForeignSetting } from './records.ts'

/** The rules of permissions, and the thing that has them, for the report. */
interface Holding<Name extends string> {
  readonly rules: Readonly<Record<Name, PermissionRule>>
  readonly name: string
}

/**
 * The permissions that the archive gives. A holder who did not come is left out and reported, so that nobody gets a right
 * that they did not have; permissions that are missing or not possible here keep their defaults.
 */
export function permissionsHere<Name extends Parameters<typeof permissionName>[0]>(
  loading: Loading,
  given: ForeignPermissions,
  { rules, name }: Holding<Name>,
): Partial<Permissions<Name>> {
  const found: Partial<Record<Name, GroupSetting>> = {}
  for (const permission of Object.keys(rules) as Name[]) {
    const wireName = permissionName(permission)
    const setting = given.get(wireName)
    if (setting === undefined) continue
    const lose = (reason: string) =>
      loading.report.lose({ place: undefined, reason, example: `${name}: ${wireName}` })
    const here = settingHere(loading, setting)
    if (here.isCut) lose('a holder of a permission')
    const rule = rules[permission]
    if (findForbiddenGroup(rule, here.setting) ?? violatesSystemGroups(rule, here.setting))
      lose('a permission that is not possible here')
    else found[permission] = here.setting
  }
  return found
}

function settingHere({ target, people, groups }: Loading, { users, groups: named }: ForeignSetting) {
  const members = users.map((id) => people.find(id))
  const subgroups = named.map((id) => groups.get(id) ?? findSystemGroup(target.state, id))
  const setting = normalizeGroupSetting({
    directMembers: members.filter((id): id is UserId => id !== undefined),
    directSubgroups: subgroups.filter((id): id is GroupId => id !== undefined),
  })
  return { setting, isCut: [...members, ...subgroups].includes(undefined) }
}

/** System groups have the same names everywhere. */
export function findSystemGroup({ groups }: OrganizationState, name: string): GroupId | undefined {
  for (const { group } of groups.groups.values()) if (group.isSystem && group.name === name) return group.id
  return undefined
}
