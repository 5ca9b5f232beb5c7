/** The channel of a request, and the names that a channel may have. */

import { canAdministerChannel } from '../../../packages/rules/memberships.ts'
import type { ChannelId } from '../../domain/ids.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { Scope } from '../scope.ts'
import { findChannelNameProblem } from '../../domain/channels/channel-names.ts'
import { CHANNEL_NAME_LENGTH_MAX } from '../../domain/limits.ts'

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

/** How a name for a channel can be wrong. */
export const CHANNEL_NAME_ERRORS = [
  'CHANNEL_NAME_EMPTY',
  'CHANNEL_NAME_TOO_LONG',
  'CHANNEL_NAME_CHARACTER',
] as const

/** Throws if a trimmed name is not valid for a channel. */
export function checkChannelName(
  { fail }: Pick<Scope<(typeof CHANNEL_NAME_ERRORS)[number]>, 'fail'>,
  name: string,
): void {
  const problem = findChannelNameProblem(name)
  if (problem?.kind === 'empty') throw fail('CHANNEL_NAME_EMPTY')
  if (problem?.kind === 'too_long')
    throw fail('CHANNEL_NAME_TOO_LONG', { lengthMax: CHANNEL_NAME_LENGTH_MAX })
  if (problem) throw fail('CHANNEL_NAME_CHARACTER', { position: problem.position })
}
