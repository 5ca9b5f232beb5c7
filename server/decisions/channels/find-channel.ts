/** The channel that a request is about. */

import { canAdministerChannel } from '../../../packages/rules/memberships.ts'
import type { ChannelId } from '../../domain/ids.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { Scope } from '../scope.ts'

/** The channel, if the caller may see it: absent and forbidden look alike. */
export function findChannel(
  { state, caller, fail }: Pick<Scope<'CHANNEL_UNKNOWN'>, 'state' | 'caller' | 'fail'>,
  id: ChannelId,
): ChannelState {
  const channel = state.findVisibleChannel(caller, id)
  if (!channel) throw fail('CHANNEL_UNKNOWN')
  return channel
}

/** How finding a channel to change its settings can fail. */
export const ADMINISTRATION_ERRORS = ['CHANNEL_UNKNOWN', 'CHANNEL_ADMINISTRATION_FORBIDDEN'] as const

/** The channel, if the caller may change its settings. */
export function findAdministrableChannel(
  scope: Scope<(typeof ADMINISTRATION_ERRORS)[number]>,
  id: ChannelId,
): ChannelState {
  const channel = findChannel(scope, id)
  if (!canAdministerChannel(scope.caller, channel, scope.state.rights))
    throw scope.fail('CHANNEL_ADMINISTRATION_FORBIDDEN')
  return channel
}
