/** Changes of the channels to which new users are subscribed. */

import type { EventOf } from '../../domain/events.ts'
import type { ChannelId } from '../../domain/ids.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { type Decision, done } from '../decision.ts'
import { checkAdministrator } from '../check-caller.ts'
import type { Scope } from '../scope.ts'
import { findChannel } from './find-channel.ts'

/** How making a channel a default one can fail. */
export const ADD_DEFAULT_ERRORS = ['ROLE_REQUIRED', 'CHANNEL_UNKNOWN', 'PRIVATE_CHANNEL_DEFAULT'] as const

/** Makes a channel a default one. */
export function decideDefaultAddition(
  scope: Scope<(typeof ADD_DEFAULT_ERRORS)[number]>,
  { channelId }: { readonly channelId: ChannelId },
): Decision<void> {
  checkAdministrator(scope)
  const { channel } = findChannel(scope, channelId)
  if (channel.isArchived) throw scope.fail('CHANNEL_UNKNOWN')
  if (channel.isPrivate) throw scope.fail('PRIVATE_CHANNEL_DEFAULT')
  return done(changeDefaultChannels(scope, [channelId], true))
}

/** How making a channel no default one can fail. */
export const REMOVE_DEFAULT_ERRORS = ['ROLE_REQUIRED', 'CHANNEL_UNKNOWN'] as const

/** Makes a channel no default one. */
export function decideDefaultRemoval(
  scope: Scope<(typeof REMOVE_DEFAULT_ERRORS)[number]>,
  { channelId }: { readonly channelId: ChannelId },
): Decision<void> {
  checkAdministrator(scope)
  findChannel(scope, channelId)
  return done(changeDefaultChannels(scope, [channelId], false))
}

/** Makes channels default ones, or no default ones; without a change there are no facts. */
export function changeDefaultChannels(
  { state: { defaultChannelIds } }: { readonly state: OrganizationState },
  changed: readonly ChannelId[],
  isDefault: boolean,
): EventOf<'default_streams'>[] {
  const others = defaultChannelIds.filter((id) => !changed.includes(id))
  const channelIds = isDefault ? [...others, ...changed].sort((a, b) => a - b) : others
  if (channelIds.length === defaultChannelIds.length) return []
  return [{ type: 'default_streams', channelIds }]
}
