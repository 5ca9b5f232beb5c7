/** The channels to which a user may invite people. */

import { canAddSubscribers } from '../../../packages/rules/memberships.ts'
import { canAddSubscribersAnywhere } from '../../domain/channels/channel-access.ts'
import type { User } from '../../domain/entities.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { ServerScope } from '../scope.ts'

/** Whether a user may subscribe newcomers to a channel that they read: to default channels, if they may subscribe others anywhere. */
export function canInviteToChannel(
  { state }: Pick<ServerScope, 'state'>,
  user: User,
  channel: ChannelState,
): boolean {
  const { rights, channels, defaultChannelIds, permissions } = state
  const everywhere = permissions.canAddSubscribers
  if (canAddSubscribers(user, channel, rights, everywhere)) return true
  if (!defaultChannelIds.includes(channel.channel.id)) return false
  return canAddSubscribersAnywhere(user, channels.values(), rights, everywhere)
}
