/** Who sees what of a channel: its existence, its content, its history. Every read, audience and error asks here. */

import { type Channel, ROLES, type User } from './entities.ts'
import type { UserSet } from './user-set.ts'

/** A channel as its access rules see it. */
export interface ChannelAccess {
  readonly channel: Channel
  readonly subscribers: UserSet
}

/** Whether a user may know that the channel exists, its name and its settings. */
export function canSeeChannel(user: User, { channel, subscribers }: ChannelAccess): boolean {
  if (subscribers.has(user.id)) return true
  if (user.role === ROLES.guest) return false
  return !channel.isPrivate || isAdministrator(user)
}

/** Whether a user may read what is said in the channel now. */
export function canReadChannel(user: User, { channel, subscribers }: ChannelAccess): boolean {
  return subscribers.has(user.id) || (!channel.isPrivate && user.role !== ROLES.guest)
}

/** How much of the past a reader may read: all of it, what was sent while subscribed, or nothing. */
export function readableHistory(user: User, access: ChannelAccess): 'all' | 'while_subscribed' | 'none' {
  if (!canReadChannel(user, access)) return 'none'
  return access.channel.isHistoryPublic ? 'all' : 'while_subscribed'
}

/** Whether a user may make this channel's subscribers known to themselves: joining needs content access. */
export function canJoinChannel(user: User, access: ChannelAccess): boolean {
  return user.role !== ROLES.guest && canReadChannel(user, access)
}

/** Owners and administrators. */
export function isAdministrator(user: User): boolean {
  return user.role <= ROLES.administrator
}
