/** The user by whose rights a mail to a channel becomes a message, and the user who sends it. */

import { type CHANNEL_TARGET_ERRORS, findTargetChannel } from '../../decisions/messages/channel-target.ts'
import type { User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import { ApiError, type Fail, fail } from '../../errors/api-error.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { ChannelAddress } from './mail-addresses.ts'

/** In place of a sender in an address: the server's own bot. */
export const OWN_BOT = 0 as UserId

/** The user whose rights count: the sender, or for the server's bot the user who asked for the address. */
export function findActing(
  state: OrganizationState,
  { creatorId, senderId }: Pick<ChannelAddress, 'creatorId' | 'senderId'>,
): User | undefined {
  const creator = state.users.get(creatorId)
  if (!creator?.isActive) return undefined
  if (senderId === OWN_BOT || senderId === creatorId) return creator
  const bot = state.users.get(senderId)
  return bot?.isActive && bot.botType !== null && bot.botOwnerId === creatorId ? bot : undefined
}

/** The channel, if that user may send there. */
export function findChannelFor(
  state: OrganizationState,
  caller: User,
  { channelId }: Pick<ChannelAddress, 'channelId'>,
): ChannelState | undefined {
  const failing: Fail<(typeof CHANNEL_TARGET_ERRORS)[number]> = fail
  try {
    return findTargetChannel({ state, caller, fail: failing }, channelId)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
