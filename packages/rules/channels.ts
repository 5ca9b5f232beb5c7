/** Permissions in channels: who sees, reads and does what. Reads, audiences, errors and the client ask here. */

import { isVisitor, type Account, type Organization, type Person, type Rights } from './organization.ts'
import { isAdministrator, isGuest } from './roles.ts'

/** Permissions in one channel. */
type ChannelPermission =
  | 'canAddSubscribers'
  | 'canAdministerChannel'
  | 'canCreateTopic'
  | 'canDeleteAnyMessage'
  | 'canDeleteOwnMessage'
  | 'canMoveMessagesOutOfChannel'
  | 'canMoveMessagesWithinChannel'
  | 'canRemoveSubscribers'
  | 'canResolveTopics'
  | 'canSendMessage'
  | 'canSubscribe'

/** The part of a channel that its access rules depend on. */
export interface ChannelAccess<Setting> {
  readonly channel: {
    readonly isPrivate: boolean
    readonly isWebPublic: boolean
    readonly isHistoryPublic: boolean
    readonly isArchived: boolean
    readonly permissions: Readonly<Record<ChannelPermission, Setting>>
  }
  readonly subscribers: { has(userId: number): boolean }
}

/** Whether a user may see the channel: that it exists, its name, settings and subscribers. */
export function canSeeChannel<Setting>(
  user: Person,
  access: ChannelAccess<Setting>,
  rights: Rights<Setting>,
): boolean {
  if (canReadChannel(user, access, rights)) return true
  if (isGuest(user)) return false
  return isAdministrator(user) || rights.holds(user, access.channel.permissions.canAdministerChannel)
}

/** Whether a user may read the channel's messages now. Visitors read web-public channels until they are archived. */
export function canReadChannel<Setting>(
  user: Person,
  { channel, subscribers }: ChannelAccess<Setting>,
  rights: Rights<Setting>,
): boolean {
  if (isVisitor(user)) return channel.isWebPublic && !channel.isArchived
  if (channel.isWebPublic || subscribers.has(user.id)) return true
  if (isGuest(user)) return false
  return !channel.isPrivate || contentSettings(channel).some((setting) => rights.holds(user, setting))
}

/** Users who may subscribe may also read: the channel is open to both groups. */
export function contentSettings<Setting>({
  permissions,
}: {
  readonly permissions: Readonly<Record<'canAddSubscribers' | 'canSubscribe', Setting>>
}): readonly Setting[] {
  return [permissions.canAddSubscribers, permissions.canSubscribe]
}

/** How much of the history a reader may read: all of it, messages sent while subscribed, or nothing. */
export function readableHistory<Setting>(
  user: Person,
  access: ChannelAccess<Setting>,
  rights: Rights<Setting>,
): 'all' | 'while_subscribed' | 'none' {
  if (!canReadChannel(user, access, rights)) return 'none'
  return access.channel.isHistoryPublic ? 'all' : 'while_subscribed'
}

/** Whether a user may subscribe themselves. */
export function canJoinChannel<Setting>(
  user: Person,
  access: ChannelAccess<Setting>,
  rights: Rights<Setting>,
): boolean {
  return !isGuest(user) && canReadChannel(user, access, rights)
}

/** Whether a user may subscribe others, given the organization's setting for all channels. */
export function canAddSubscribers<Setting>(
  user: Person,
  access: ChannelAccess<Setting>,
  rights: Rights<Setting>,
  everywhere: Setting,
): boolean {
  if (!canJoinChannel(user, access, rights)) return false
  return rights.holds(user, everywhere) || rights.holds(user, access.channel.permissions.canAddSubscribers)
}

/** Whether a user may change the channel's settings. */
export function canAdministerChannel<Setting>(
  user: Person,
  access: ChannelAccess<Setting>,
  rights: Rights<Setting>,
): boolean {
  if (isGuest(user) || !canSeeChannel(user, access, rights)) return false
  return isAdministrator(user) || rights.holds(user, access.channel.permissions.canAdministerChannel)
}

/** Whether a user may unsubscribe another user, or themselves. */
export function canRemoveSubscriber<Setting>(
  user: Person,
  removed: Pick<Account, 'id' | 'botOwnerId'>,
  access: ChannelAccess<Setting>,
  rights: Rights<Setting>,
): boolean {
  if (removed.id === user.id || isAdministrator(user)) return true
  if (!canSeeChannel(user, access, rights)) return false
  if (removed.botOwnerId === user.id) return true
  const { canRemoveSubscribers } = access.channel.permissions
  return canAdministerChannel(user, access, rights) || rights.holds(user, canRemoveSubscribers)
}

/** Whether a user may send to the channel, in topics that exist. */
export function canSendToChannel<Setting>(
  user: Person,
  access: ChannelAccess<Setting>,
  rights: Rights<Setting>,
): boolean {
  const { channel } = access
  if (channel.isArchived || !canReadChannel(user, access, rights)) return false
  return rights.holds(user, channel.permissions.canSendMessage)
}

/** Whether a user may start topics, if they may send to the channel. */
export function canCreateTopic<Setting>(
  user: Person,
  { channel }: ChannelAccess<Setting>,
  rights: Rights<Setting>,
): boolean {
  return rights.holds(user, channel.permissions.canCreateTopic)
}

/** Whether a user may resolve topics, and open them again, in a channel where they can change something. */
export function canResolveTopics<Setting>(
  user: Person,
  { channel }: ChannelAccess<Setting>,
  { rights, permissions }: Organization<Setting>,
): boolean {
  return (
    rights.holds(user, permissions.canResolveTopics) ||
    rights.holds(user, channel.permissions.canResolveTopics)
  )
}

/** Whether a user may move messages of anybody to other topics of such a channel. */
export function canMoveWithinChannel<Setting>(
  user: Person,
  { channel }: ChannelAccess<Setting>,
  { rights, permissions }: Organization<Setting>,
): boolean {
  return (
    rights.holds(user, permissions.canMoveMessagesBetweenTopics) ||
    rights.holds(user, channel.permissions.canMoveMessagesWithinChannel)
  )
}

/** Whether a user may move messages of anybody to other channels. */
export function canMoveOutOfChannel<Setting>(
  user: Person,
  { channel }: ChannelAccess<Setting>,
  { rights, permissions }: Organization<Setting>,
): boolean {
  return (
    rights.holds(user, permissions.canMoveMessagesBetweenChannels) ||
    rights.holds(user, channel.permissions.canMoveMessagesOutOfChannel)
  )
}
