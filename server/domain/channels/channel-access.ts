/** Permissions in channels: who sees, reads and does what. Every read, audience and error asks here. */

import { type Channel, ROLES, type User } from '../entities.ts'
import type { GroupSetting } from '../groups/group-settings.ts'
import type { UserId } from '../ids.ts'
import type { Rights } from '../users/rights.ts'
import { UserSet } from '../users/user-set.ts'
import { isVisitor } from '../users/visitor.ts'

/** The part of a channel that its access rules depend on. */
export interface ChannelAccess {
  readonly channel: Channel
  readonly subscribers: UserSet
}

/** Whether a user may see the channel: that it exists, its name, settings and subscribers. */
export function canSeeChannel(user: User, access: ChannelAccess, rights: Rights): boolean {
  if (canReadChannel(user, access, rights)) return true
  if (user.role === ROLES.guest) return false
  return isAdministrator(user) || rights.holds(user, access.channel.permissions.canAdministerChannel)
}

/** Whether a user may read the channel's messages now. Visitors read web-public channels until they are archived. */
export function canReadChannel(user: User, { channel, subscribers }: ChannelAccess, rights: Rights): boolean {
  if (isVisitor(user)) return channel.isWebPublic && !channel.isArchived
  if (channel.isWebPublic || subscribers.has(user.id)) return true
  if (user.role === ROLES.guest) return false
  return !channel.isPrivate || contentSettings(channel).some((setting) => rights.holds(user, setting))
}

/** Users who may subscribe may also read: the channel is open to both groups. */
function contentSettings({ permissions }: Channel): readonly GroupSetting[] {
  return [permissions.canAddSubscribers, permissions.canSubscribe]
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

/** How much of the history a reader may read: all of it, messages sent while subscribed, or nothing. */
export function readableHistory(
  user: User,
  access: ChannelAccess,
  rights: Rights,
): 'all' | 'while_subscribed' | 'none' {
  if (!canReadChannel(user, access, rights)) return 'none'
  return access.channel.isHistoryPublic ? 'all' : 'while_subscribed'
}

/** Whether a user may subscribe themselves. */
export function canJoinChannel(user: User, access: ChannelAccess, rights: Rights): boolean {
  return user.role !== ROLES.guest && canReadChannel(user, access, rights)
}

/** Whether a user may subscribe others, given the organization's setting for all channels. */
export function canAddSubscribers(
  user: User,
  access: ChannelAccess,
  rights: Rights,
  everywhere: GroupSetting,
): boolean {
  if (!canJoinChannel(user, access, rights)) return false
  return rights.holds(user, everywhere) || rights.holds(user, access.channel.permissions.canAddSubscribers)
}

/** Whether a user may subscribe others to at least one channel. */
export function canAddSubscribersAnywhere(
  user: User,
  channels: Iterable<ChannelAccess>,
  rights: Rights,
  everywhere: GroupSetting,
): boolean {
  if (user.role === ROLES.guest) return false
  if (rights.holds(user, everywhere)) return true
  for (const access of channels) {
    if (!access.channel.isArchived && canAddSubscribers(user, access, rights, everywhere)) return true
  }
  return false
}

/** Whether a user may change the channel's settings. */
export function canAdministerChannel(user: User, access: ChannelAccess, rights: Rights): boolean {
  if (user.role === ROLES.guest || !canSeeChannel(user, access, rights)) return false
  return isAdministrator(user) || rights.holds(user, access.channel.permissions.canAdministerChannel)
}

/** Whether a user may unsubscribe another user, or themselves. */
export function canRemoveSubscriber(
  user: User,
  removed: User,
  access: ChannelAccess,
  rights: Rights,
): boolean {
  if (removed.id === user.id || isAdministrator(user)) return true
  if (!canSeeChannel(user, access, rights)) return false
  if (removed.botOwnerId === user.id) return true
  const { canRemoveSubscribers } = access.channel.permissions
  return canAdministerChannel(user, access, rights) || rights.holds(user, canRemoveSubscribers)
}

/** Whether a user may send to the channel, in any topic. */
export function canSendToChannel(user: User, access: ChannelAccess, rights: Rights): boolean {
  const { channel } = access
  if (channel.isArchived || !canReadChannel(user, access, rights)) return false
  return rights.holds(user, channel.permissions.canSendMessage)
}

/** Owners and administrators. */
export function isAdministrator(user: User): boolean {
  return user.role <= ROLES.administrator
}
