/** The groups that each permission may be set to, for clients. */

import { GroupGraph } from '../domain/group-graph.ts'
import {
  CHANNEL_PERMISSIONS,
  GROUP_PERMISSIONS,
  ORGANIZATION_PERMISSIONS,
  type PermissionRule,
} from '../domain/permissions.ts'
import { SYSTEM_GROUPS, type SystemGroupName } from '../domain/system-groups.ts'
import { permissionName } from './permission-view.ts'

/** The rules for the organization, its channels and its groups, by the wire names of the permissions. */
export const PERMISSION_RULES_VIEW = {
  realm: viewRules(ORGANIZATION_PERMISSIONS, null),
  stream: viewRules(CHANNEL_PERMISSIONS, null, 'channel_creator'),
  // System groups cannot be changed.
  group: viewRules(GROUP_PERMISSIONS, wireName('nobody'), 'group_creator'),
}

function viewRules<Name extends Parameters<typeof permissionName>[0]>(
  rules: Readonly<Record<Name, PermissionRule>>,
  defaultForSystemGroups: string | null,
  creator = '',
) {
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
