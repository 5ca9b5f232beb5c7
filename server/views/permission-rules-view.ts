/** The groups that each permission may be set to, for clients. */

import { GroupGraph } from '../domain/groups/group-graph.ts'
import {
  CHANNEL_PERMISSIONS,
  GROUP_PERMISSIONS,
  ORGANIZATION_PERMISSIONS,
  type PermissionRule,
} from '../domain/groups/permissions.ts'
import { SYSTEM_GROUPS, type SystemGroupName } from '../domain/groups/system-groups.ts'
import { arrayOf, BOOLEAN, mapOf, orNull, record, STRING, type ValueOf } from '../domain/json-schema.ts'
import { permissionName } from './permission-view.ts'

/** The groups that a permission may be set to. */
export const PERMISSION_RULE = record({
  require_system_group: BOOLEAN,
  allow_internet_group: BOOLEAN,
  allow_nobody_group: BOOLEAN,
  allow_everyone_group: BOOLEAN,
  default_group_name: STRING,
  default_for_system_groups: orNull(STRING),
  allowed_system_groups: arrayOf(STRING),
})
const RULES = mapOf(PERMISSION_RULE)

/** Schema of `PERMISSION_RULES_VIEW`. */
export const PERMISSION_RULES = record({ realm: RULES, stream: RULES, group: RULES })

/** The rules for the organization, its channels and its groups, by the wire names of the permissions. */
export const PERMISSION_RULES_VIEW: ValueOf<typeof PERMISSION_RULES> = {
  realm: viewRules(ORGANIZATION_PERMISSIONS, null),
  stream: viewRules(CHANNEL_PERMISSIONS, null, 'channel_creator'),
  // System groups cannot be changed.
  group: viewRules(GROUP_PERMISSIONS, wireName('nobody'), 'group_creator'),
}

function viewRules<Name extends Parameters<typeof permissionName>[0]>(
  rules: Readonly<Record<Name, PermissionRule>>,
  defaultForSystemGroups: string | null,
  creator = '',
): ValueOf<typeof RULES> {
  return Object.fromEntries(
    (Object.entries(rules) as [Name, PermissionRule][]).map(([name, rule]) => [
      permissionName(name),
      {
        require_system_group: rule.onlySystemGroups !== undefined,
        allow_internet_group: !rule.forbidden.includes('internet'),
        allow_nobody_group: !rule.forbidden.includes('nobody'),
        allow_everyone_group: !rule.forbidden.includes('everyone'),
        default_group_name: rule.default === 'creator' ? creator : wireName(rule.default),
        default_for_system_groups: defaultForSystemGroups,
        allowed_system_groups: (rule.onlySystemGroups ?? []).map(wireName),
      },
    ]),
  )
}

function wireName(name: SystemGroupName): string {
  return GroupGraph.initial.get(SYSTEM_GROUPS[name]).group.name
}
