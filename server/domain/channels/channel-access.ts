/** Audiences of channels, as sets of users: who passes the rules of `packages/rules/channels.ts`. */

import { canReadChannel, contentSettings } from '../../../packages/rules/channels.ts'
import { canAddSubscribers } from '../../../packages/rules/memberships.ts'
import { isGuest } from '../../../packages/rules/roles.ts'
import type { Channel, User } from '../entities.ts'
import type { GroupSetting } from '../groups/group-settings.ts'
import type { UserId } from '../ids.ts'
import type { Rights } from '../users/rights.ts'
import { UserSet } from '../users/user-set.ts'

/** The part of a channel that its access rules depend on. */
export interface ChannelAccess {
  readonly channel: Channel
  readonly subscribers: UserSet
}

/** Active users who pass `canSeeChannel`. */
export function observersOf({ channel, subscribers }: ChannelAccess, rights: Rights): UserSet {
  if (channel.isWebPublic) return rights.activeUsers
  const inside = subscribers.intersection(rights.activeUsers)
  if (!channel.isPrivate) return inside.union(rights.activeMembers)
  const { canAdministerChannel } = channel.permissions
  return [canAdministerChannel, ...contentSettings(channel)].reduce(
    (set, setting) => set.union(rights.groups.holdersOf(setting).intersection(rights.activeMembers)),
    inside.union(rights.activeAdministrators),
  )
}

/** Active users who pass `canReadChannel`; `userOf` finds a user by id. */
export function readersOf(access: ChannelAccess, rights: Rights, userOf: (id: UserId) => User): UserSet {
  const observers = observersOf(access, rights)
  if (!access.channel.isPrivate) return observers
  return UserSet.of(observers.toArray().filter((id) => canReadChannel(userOf(id), access, rights)))
}

/** Whether a user may subscribe others to at least one channel. */
export function canAddSubscribersAnywhere(
  user: User,
  channels: Iterable<ChannelAccess>,
  rights: Rights,
  everywhere: GroupSetting,
): boolean {
  if (isGuest(user)) return false
  if (rights.holds(user, everywhere)) return true
  for (const access of channels) {
    if (!access.channel.isArchived && canAddSubscribers(user, access, rights, everywhere)) return true
  }
  return false
}
