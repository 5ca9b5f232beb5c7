/** The groups that a permission can be given to, with names for people. */

import type { GroupSetting, PermissionRule, UserGroup } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../apply.ts'
import { derive } from './derive.ts'
import { nameOf } from './users.ts'
import { t } from '../../texts/texts.ts'

/** Names of the groups that the server makes of roles. */
const ROLE_NAMES: ReadonlyMap<string, string> = new Map([
  ['role:internet', t('Everyone on the internet')],
  ['role:everyone', t('Everyone, including guests')],
  ['role:members', t('Members')],
  ['role:fullmembers', t('Full members')],
  ['role:moderators', t('Moderators')],
  ['role:administrators', t('Administrators')],
  ['role:owners', t('Owners')],
  ['role:nobody', t('Nobody')],
])

export function groupName({ name, is_system_group }: UserGroup): string {
  return (is_system_group ? ROLE_NAMES.get(name) : undefined) ?? name
}

export const groupsById = derive(
  (state) => [state.realm_user_groups],
  ([groups = []]: readonly [readonly UserGroup[] | undefined]) =>
    new Map(groups.map((group) => [group.id, group])),
)

/** The id of a group of a role, such as `role:everyone`. */
export function roleGroupId(state: State, name: string): number | undefined {
  return state.realm_user_groups?.find((one) => one.is_system_group && one.name === name)?.id
}

export type PermissionKind = 'realm' | 'stream' | 'group'

/** The groups that may hold a permission: roles from all to few, then groups of people by name. */
export function choicesOf(state: State, kind: PermissionKind, setting: string): readonly UserGroup[] {
  const rule = state.server_supported_permission_settings?.[kind][setting]
  const groups = (state.realm_user_groups ?? []).filter((group) => !group.deactivated)
  const order = [...ROLE_NAMES.keys()]
  const roles = groups
    .filter((group) => group.is_system_group && ROLE_NAMES.has(group.name) && allows(rule, group.name))
    .sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
  if (rule?.require_system_group) return roles
  const own = groups.filter((group) => !group.is_system_group)
  return [...roles, ...own.toSorted((a, b) => a.name.localeCompare(b.name))]
}

function allows(rule: PermissionRule | undefined, name: string): boolean {
  if (!rule) return false
  if (rule.allowed_system_groups.length > 0 && !rule.allowed_system_groups.includes(name)) return false
  if (name === 'role:internet') return rule.allow_internet_group
  if (name === 'role:nobody') return rule.allow_nobody_group
  return name !== 'role:everyone' || rule.allow_everyone_group
}

/** A permission in words. */
export function describeSetting(state: State, setting: GroupSetting): string {
  const groups = groupsById(state)
  const nameOfGroup = (id: number) => {
    const group = groups.get(id)
    return group ? groupName(group) : t('Unknown group')
  }
  if (typeof setting === 'number') return nameOfGroup(setting)
  const { direct_members, direct_subgroups } = setting
  const names = [...direct_subgroups.map(nameOfGroup), ...direct_members.map((id) => nameOf(state, id))]
  return names.length === 0 ? t('Nobody') : names.join(', ')
}
