/**
 * Notices for accounts that are deactivated or reactivated.
 *
 * Deactivated users stay subscribed, stay members and stay in permissions, but no list and no setting shows them. So
 * clients are notified as if they left, and as if they joined when they come back.
 */

import type { NewEvent } from '../domain/events.ts'
import type { GroupSetting } from '../domain/groups/group-settings.ts'
import type { UserId } from '../domain/ids.ts'
import type { Permissions } from '../domain/groups/permissions.ts'
import { notifyManagers } from './bots.ts'
import { noticeTo } from './notifier.ts'
import type { StateChange } from './state-change.ts'
import { notifyPeers } from './peers.ts'
import { clientsOf } from './channel-clients.ts'

/** Users whose accounts are deactivated or reactivated together, ascending. */
interface AccountChange {
  readonly userIds: readonly UserId[]
  readonly isActive: boolean
}

/** The notices, for the users who are active before and after. */
export function notifyAccounts(change: StateChange, accounts: AccountChange): NewEvent[] {
  const { userIds, isActive } = accounts
  return [
    // A person may be new, and deactivated from the start; nobody manages those.
    ...userIds.flatMap((id) => {
      const before = change.before.users.get(id)
      return before ? notifyManagers(change, before, { isActive }) : []
    }),
    ...notifyChannels(change, accounts),
    ...notifyGroups(change, accounts),
    ...notifyOrganization(change, accounts),
  ]
}

function notifyChannels(change: StateChange, { userIds, isActive }: AccountChange): NewEvent[] {
  const channels = [...change.after.channels.values()].map(({ channel, subscribers }) => ({
    channel,
    userIds: userIds.filter((id) => subscribers.has(id)),
    observers: change.observersAfter(channel.id),
  }))
  return [
    ...notifyPeers(isActive ? 'subscription/peer_add' : 'subscription/peer_remove', channels),
    ...channels.flatMap(({ channel, observers }) =>
      settingsNaming(channel.permissions, userIds).flatMap(([permission, setting]) =>
        noticeTo(observers, {
          type: 'stream/update_shown',
          channelId: channel.id,
          name: channel.name,
          change: { kind: 'permission', permission, setting },
          ...clientsOf(channel),
        }),
      ),
    ),
  ]
}

function notifyGroups({ after, staying }: StateChange, { userIds, isActive }: AccountChange): NewEvent[] {
  const type = isActive ? 'user_group/show_members' : 'user_group/hide_members'
  return [...after.groups.groups.values()].flatMap(({ group, directMembers }) => {
    const clients = group.isDeactivated ? ({ clients: 'with_deactivated_groups' } as const) : {}
    const groupId = group.id
    const members = userIds.filter((id) => directMembers.has(id))
    const settings = settingsNaming(group.permissions, userIds)
    const changes = { permissions: Object.fromEntries(settings) }
    return [
      ...(members.length === 0 ? [] : noticeTo(staying, { type, groupId, userIds: members, ...clients })),
      ...(settings.length === 0
        ? []
        : noticeTo(staying, { type: 'user_group/update_shown', groupId, changes, ...clients })),
    ]
  })
}

function notifyOrganization({ after, staying }: StateChange, { userIds }: AccountChange): NewEvent[] {
  const settings = settingsNaming(after.permissions, userIds)
  if (settings.length === 0) return []
  const changes = { permissions: Object.fromEntries(settings) }
  return noticeTo(staying, { type: 'realm/update_shown', changes })
}

/** The permissions that name some of the users. Clients see only the active users of a permission. */
function settingsNaming<Name extends string>(
  permissions: Permissions<Name>,
  userIds: readonly UserId[],
): [Name, GroupSetting][] {
  return (Object.entries(permissions) as [Name, GroupSetting][]).filter(
    ([, setting]) => typeof setting !== 'number' && setting.directMembers.some((id) => userIds.includes(id)),
  )
}
