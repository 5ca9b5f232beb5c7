/**
 * Accounts that go or come back, and all that goes from sight and comes back with them.
 *
 * Deactivated users stay subscribed, stay members and stay in permissions, but no list and no setting shows
 * them. So clients are told as if they left, and as if they joined when they come back.
 */

import type { NewEvent } from '../../domain/events.ts'
import type { GroupSetting } from '../../domain/group-settings.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Permissions } from '../../domain/permissions.ts'
import type { Rights } from '../../domain/rights.ts'
import { observersOf } from '../../domain/channel-access.ts'
import { UserSet } from '../../domain/user-set.ts'
import { tellBotChange } from '../bots/tell-bots.ts'
import { notifyPeers } from '../../audience/peers.ts'
import type { ServerScope } from '../scope.ts'
import { clientsOf } from '../../audience/tell-visibility.ts'

/** Some accounts that change together, ascending. */
interface AccountChange {
  readonly scope: Pick<ServerScope, 'state'>
  readonly userIds: readonly UserId[]
  readonly isActive: boolean
  readonly rightsAfter: Rights
  /** Users who are active before and after. */
  readonly others: UserSet
}

/** Deactivates some active users, or reactivates some deactivated ones. */
export function changeAccounts(
  scope: Pick<ServerScope, 'state'>,
  userIds: readonly UserId[],
  isActive: boolean,
): NewEvent[] {
  const { state } = scope
  const rightsAfter = userIds.reduce(
    (rights, id) => rights.withUser({ ...state.getUser(id), isActive }),
    state.rights,
  )
  const others = state.rights.activeUsers.without(userIds)
  const change: AccountChange = { scope, userIds, isActive, rightsAfter, others }
  return [
    ...userIds.map(
      (userId): NewEvent => ({
        event: { type: 'realm_user/update', userId, changes: { isActive } },
        audience: { kind: 'users', users: others },
      }),
    ),
    ...userIds.flatMap((id) => tellBotOf(change, id)),
    ...tellChannels(change),
    ...tellGroups(change),
    ...tellOrganization(change),
  ]
}

/** Tells the remaining managers of a bot. */
function tellBotOf({ scope, isActive, others }: AccountChange, id: UserId): NewEvent[] {
  return tellBotChange(scope, scope.state.getUser(id), { isActive }).map(({ event, audience }) => ({
    event,
    audience:
      audience.kind === 'users' ? { kind: 'users', users: audience.users.intersection(others) } : audience,
  }))
}

function tellChannels({ scope: { state }, userIds, isActive, rightsAfter }: AccountChange): NewEvent[] {
  const channels = [...state.channels.values()].map((access) => ({
    channel: access.channel,
    userIds: userIds.filter((id) => access.subscribers.has(id)),
    observers: observersOf(access, rightsAfter).without(userIds),
  }))
  return [
    ...notifyPeers(isActive ? 'subscription/peer_add' : 'subscription/peer_remove', channels),
    ...channels.flatMap(({ channel, observers }) =>
      settingsNaming(channel.permissions, userIds).map(
        ([permission, setting]): NewEvent => ({
          event: {
            type: 'stream/update_shown',
            channelId: channel.id,
            name: channel.name,
            change: { kind: 'permission', permission, setting },
            ...clientsOf(channel),
          },
          audience: { kind: 'users', users: observers },
        }),
      ),
    ),
  ]
}

function tellGroups({ scope: { state }, userIds, isActive, others }: AccountChange): NewEvent[] {
  const audience = { kind: 'users', users: others } as const
  return [...state.groups.groups.values()].flatMap(({ group, directMembers }) => {
    const clients = group.isDeactivated ? ({ clients: 'with_deactivated_groups' } as const) : {}
    const events: NewEvent[] = []
    const members = userIds.filter((id) => directMembers.has(id))
    if (members.length > 0) {
      const type = isActive ? 'user_group/show_members' : 'user_group/hide_members'
      events.push({
        event: { type, groupId: group.id, userIds: members, ...clients },
        audience,
      })
    }
    const settings = settingsNaming(group.permissions, userIds)
    if (settings.length > 0) {
      const changes = { permissions: Object.fromEntries(settings) }
      events.push({
        event: { type: 'user_group/update_shown', groupId: group.id, changes, ...clients },
        audience,
      })
    }
    return events
  })
}

function tellOrganization({ scope: { state }, userIds, others }: AccountChange): NewEvent[] {
  const settings = settingsNaming(state.permissions, userIds)
  if (settings.length === 0) return []
  return [
    {
      event: { type: 'realm/update_shown', changes: { permissions: Object.fromEntries(settings) } },
      audience: { kind: 'users', users: others },
    },
  ]
}

/** The permissions that name some of the users themselves. Clients are shown the active ones of them alone. */
function settingsNaming<Name extends string>(
  permissions: Permissions<Name>,
  userIds: readonly UserId[],
): [Name, GroupSetting][] {
  return (Object.entries(permissions) as [Name, GroupSetting][]).filter(
    ([, setting]) => typeof setting !== 'number' && setting.directMembers.some((id) => userIds.includes(id)),
  )
}
