/** The channel that a term of a narrow names. */

import { canReadChannel } from '../../../packages/rules/channels.ts'
import type { User } from '../../domain/entities.ts'
import type { ChannelId } from '../../domain/ids.ts'
import type { NarrowTerm } from './narrow-operands.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { OrganizationState } from '../../state/organization-state.ts'

/** A channel by its name or id, if the user may read it: absent and forbidden channels look alike. */
export function findChannel(
  operand: NarrowTerm['operand'],
  user: User,
  state: OrganizationState,
): ChannelState | undefined {
  const byId = (id: number) => state.findReadableChannel(user, id as ChannelId)
  if (typeof operand === 'number') return byId(operand)
  if (typeof operand !== 'string') return undefined
  const named = state.findChannelByName(operand.trim())
  // A hidden channel's name is skipped, so that hidden and absent look alike.
  if (named && canReadChannel(user, named, state.rights)) return named
  return /^[0-9]{1,10}$/.test(operand) ? byId(Number(operand)) : undefined
}
