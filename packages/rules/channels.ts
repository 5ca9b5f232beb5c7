/** Permissions in channels: who sees and reads them, and who resolves their topics. */

import { holdsAny, isVisitor } from './organization.ts'
import type { Organization, Permissions, Person, Rights, Setting } from './organization.ts'
import { isAdministrator, isGuest } from './roles.ts'

/** The part of a channel that its access rules depend on. */
export interface ChannelAccess {
  readonly channel: {
    readonly isPrivate: boolean
    readonly isWebPublic: boolean
    readonly isHistoryPublic: boolean
    readonly isArchived: boolean
    readonly permissions: Permissions<
      | 'canAddSubscribers'
      | 'canAdministerChannel'
      | 'canCreateTopic'
      | 'canDeleteAnyMessage'
      | 'canDeleteOwnMessage'
      | 'canMoveMessagesOutOfChannel'
      | 'canMoveMessagesWithinChannel'
      | 'canPin'
      | 'canRemoveSubscribers'
      | 'canResolveTopics'
      | 'canSendMessage'
      | 'canSubscribe'
    >
  }
  readonly subscribers: { has(userId: number): boolean }
}

/** Whether a user may see the channel: that it exists, its name, settings and subscribers. */
export function canSeeChannel(user: Person, access: ChannelAccess, rights: Rights): boolean {
  if (canReadChannel(user, access, rights)) return true
  if (isGuest(user)) return false
  return isAdministrator(user) || rights.holds(user, access.channel.permissions.canAdministerChannel)
}

/** Whether a user may read the channel's messages now. Visitors read web-public channels until they are archived. */
export function canReadChannel(
  user: Person,
  { channel, subscribers }: ChannelAccess,
  rights: Rights,
): boolean {
  if (isVisitor(user)) return channel.isWebPublic && !channel.isArchived
  if (channel.isWebPublic || subscribers.has(user.id)) return true
  if (isGuest(user)) return false
  return !channel.isPrivate || holdsAny(user, rights, ...contentSettings(channel))
}

/** Users who may subscribe may also read: the channel is open to both groups. */
export function contentSettings<One extends Setting>({
  permissions: { canAddSubscribers, canSubscribe },
}: {
  readonly permissions: Readonly<Record<'canAddSubscribers' | 'canSubscribe', One>>
}): readonly One[] {
  return [canAddSubscribers, canSubscribe]
}

/** How much of the history a reader may read: all of it, messages sent while subscribed, or nothing. */
export function readableHistory(
  user: Person,
  access: ChannelAccess,
  rights: Rights,
): 'all' | 'while_subscribed' | 'none' {
  if (!canReadChannel(user, access, rights)) return 'none'
  return access.channel.isHistoryPublic ? 'all' : 'while_subscribed'
}

/** Whether a user may pin messages and topics, in a channel that they may read. */
export function canPin(user: Person, { channel }: Pick<ChannelAccess, 'channel'>, rights: Rights): boolean {
  return rights.holds(user, channel.permissions.canPin)
}

/** Whether a user may resolve topics, and open them again, in a channel where they can change something. */
export function canResolveTopics(
  user: Person,
  { channel }: ChannelAccess,
  { rights, permissions }: Organization,
): boolean {
  return holdsAny(user, rights, permissions.canResolveTopics, channel.permissions.canResolveTopics)
}
