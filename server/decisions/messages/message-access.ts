/** Who may read a message. */

import type { SingleMessage } from '../../../db/single-message.ts'
import { readableHistory } from '../../domain/channel-access.ts'
import type { User } from '../../domain/entities.ts'
import type { OrganizationState } from '../../state/organization-state.ts'

/** What of a message decides who may read it. */
export interface GuardedMessage extends Pick<SingleMessage, 'wasSubscribed'> {
  readonly message: Pick<SingleMessage['message'], 'destination'>
}

/** Whether a user may read a message now. */
export function canReadMessage(
  user: User,
  { message: { destination }, wasSubscribed }: GuardedMessage,
  state: OrganizationState,
): boolean {
  if (destination.kind === 'direct') return destination.userIds.includes(user.id)
  const channel = state.channels.get(destination.channelId)
  const history = channel ? readableHistory(user, channel, state.rights) : 'none'
  return history === 'all' || (history === 'while_subscribed' && wasSubscribed)
}
