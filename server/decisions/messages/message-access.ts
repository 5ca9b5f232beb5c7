/** Who may read a message, and who hears of what happens to it. */

import type { SingleMessage } from '../../../db/single-message.ts'
import { StaleMessageError } from '../../../db/stale-message.ts'
import { readableHistory } from '../../domain/channel-access.ts'
import type { User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/user-set.ts'
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

/** Whether the message is in an archived channel, where nothing changes any more. */
export function isClosed({ message: { destination } }: SingleMessage, state: OrganizationState): boolean {
  return destination.kind === 'channel' && state.getChannel(destination.channelId).channel.isArchived
}

/** Those who are subscribed and may read the message: where the past is closed, only who was when it was sent. */
export function listenersOf(
  { message: { destination } }: SingleMessage,
  receiverIds: readonly UserId[] | undefined,
  state: OrganizationState,
): UserSet {
  if (destination.kind === 'direct') return UserSet.of(destination.userIds)
  const { channel, subscribers } = state.getChannel(destination.channelId)
  if (channel.isHistoryPublic) return subscribers
  // The past was open when the receivers were not asked for.
  if (!receiverIds) throw new StaleMessageError()
  return subscribers.intersection(UserSet.of(receiverIds))
}
