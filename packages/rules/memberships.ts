/** Permissions on the members of a channel, and on its settings. */

import { canReadChannel, canSeeChannel, type ChannelAccess } from './channels.ts'
import { type Account, holdsAny, type Person, type Rights, type Setting } from './organization.ts'
import { isAdministrator, isGuest } from './roles.ts'

/** Whether a user may subscribe themselves. */
export function canJoinChannel(user: Person, access: ChannelAccess, rights: Rights): boolean {
  return !isGuest(user) && canReadChannel(user, access, rights)
}

/** Whether a user may subscribe others, given the organization's setting for all channels. */
export function canAddSubscribers(
  user: Person,
  access: ChannelAccess,
  rights: Rights,
  everywhere: Setting,
): boolean {
  if (!canJoinChannel(user, access, rights)) return false
  return holdsAny(user, rights, everywhere, access.channel.permissions.canAddSubscribers)
}

/** Whether a user may change the channel's settings. */
export function canAdministerChannel(user: Person, access: ChannelAccess, rights: Rights): boolean {
  if (isGuest(user) || !canSeeChannel(user, access, rights)) return false
  return isAdministrator(user) || rights.holds(user, access.channel.permissions.canAdministerChannel)
}

/** Whether a user may unsubscribe another user, or themselves. */
export function canRemoveSubscriber(
  user: Person,
  removed: Pick<Account, 'id' | 'botOwnerId'>,
  access: ChannelAccess,
  rights: Rights,
): boolean {
  if (removed.id === user.id || isAdministrator(user)) return true
  if (!canSeeChannel(user, access, rights)) return false
  if (removed.botOwnerId === user.id) return true
  const { canRemoveSubscribers } = access.channel.permissions
  return canAdministerChannel(user, access, rights) || rights.holds(user, canRemoveSubscribers)
}
