/** Finds the uses of a user group; a group in use cannot be deactivated. */

import { canSeeChannel } from '../../../packages/rules/channels.ts'
import type { GroupSetting } from '../../domain/groups/group-settings.ts'
import type { GroupId } from '../../domain/ids.ts'
import type { ChannelPermission, Permissions } from '../../domain/groups/permissions.ts'
import { permissionName } from '../../views/permission-view.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Scope } from '../scope.ts'

type Objection = Readonly<Record<string, unknown>>

/**
 * The groups that it is a subgroup of, and the permissions it holds of the organization, of other groups
 * and of channels. Archived and deactivated ones count, since they return as they were. Channels that the
 * caller may not see are one use without an id, which says neither which nor how many they are.
 */
export function findGroupUses({ state, caller }: Scope, id: GroupId): Objection[] {
  const objections: Objection[] = []
  const groups = [...state.groups.groups.values()]
  const supergroups = groups.filter(({ directSubgroups }) => directSubgroups.includes(id))
  if (supergroups.length > 0) {
    objections.push({ type: 'subgroup', supergroup_ids: supergroups.map(({ group }) => group.id) })
  }
  const hidden = new Set<string>()
  for (const access of state.channels.values()) {
    const { channel } = access
    const settings = settingsHeld(channel.permissions, id)
    if (settings.length === 0) continue
    if (canSeeChannel(caller, access, state.rights)) {
      objections.push({ type: 'channel', channel_id: channel.id, settings })
    } else for (const setting of settings) hidden.add(setting)
  }
  if (hidden.size > 0) objections.push({ type: 'channel', settings: [...hidden].sort() })
  for (const { group } of groups) {
    // The permissions that a group holds on itself do not count.
    const settings = group.id === id ? [] : settingsHeld(group.permissions, id)
    if (settings.length > 0) objections.push({ type: 'user_group', group_id: group.id, settings })
  }
  const settings = settingsHeld(state.permissions, id)
  if (settings.length > 0) objections.push({ type: 'realm', settings })
  return objections
}

/** Whether a group has any use of those above. */
export function isGroupInUse(
  { groups: graph, channels, permissions }: OrganizationState,
  id: GroupId,
): boolean {
  const groups = [...graph.groups.values()]
  const holds = (held: Permissions<never>) => settingsHeld(held, id).length > 0
  return (
    holds(permissions) ||
    groups.some(({ directSubgroups }) => directSubgroups.includes(id)) ||
    groups.some(({ group }) => group.id !== id && holds(group.permissions)) ||
    [...channels.values()].some(({ channel }) => holds(channel.permissions))
  )
}

/** The wire names of the permissions that a group holds. */
function settingsHeld(permissions: Permissions<never>, id: GroupId): string[] {
  return (Object.entries(permissions) as [ChannelPermission, GroupSetting][])
    .filter(([, setting]) =>
      typeof setting === 'number' ? setting === id : setting.directSubgroups.includes(id),
    )
    .map(([name]) => permissionName(name))
}
