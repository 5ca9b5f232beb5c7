/** Who may read a message, and who hears of what happens to it. */

import type { SingleMessage } from '../../../db/single-message.ts'
import { StaleMessageError } from '../../../db/stale-message.ts'
import { readableHistory } from '../../domain/channel-access.ts'
import type { UserId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { Scope } from '../scope.ts'

/** The part of a message that decides who may read it. */
export interface GuardedMessage extends Pick<SingleMessage, 'wasSubscribed'> {
  readonly message: Pick<SingleMessage['message'], 'destination'>
}

/** Whether the caller may read a message now. */
export function canReadMessage(
  { state, caller }: Pick<Scope, 'state' | 'caller'>,
  { message: { destination }, wasSubscribed }: GuardedMessage,
): boolean {
  if (destination.kind === 'direct') return destination.userIds.includes(caller.id)
  const channel = state.channels.get(destination.channelId)
  const history = channel ? readableHistory(caller, channel, state.rights) : 'none'
  return history === 'all' || (history === 'while_subscribed' && wasSubscribed)
}

/** Throws where the caller may not read the message, or it is in an archived channel, where nothing changes any more. */
export function checkOpenMessage(
  scope: Pick<Scope<'MESSAGE_UNKNOWN'>, 'state' | 'caller' | 'fail'>,
  found: GuardedMessage,
): void {
  const { destination } = found.message
  const { state, fail } = scope
  const isClosed =
    destination.kind === 'channel' && state.getChannel(destination.channelId).channel.isArchived
  if (isClosed || !canReadMessage(scope, found)) throw fail('MESSAGE_UNKNOWN')
}

/** The users who are subscribed and may read the message: where the past is closed, only those who received it. */
export function listenersOf(
  { state }: Pick<Scope, 'state'>,
  { message: { destination } }: GuardedMessage,
  receiverIds: readonly UserId[] | undefined,
): UserSet {
  if (destination.kind === 'direct') return UserSet.of(destination.userIds)
  const { channel, subscribers } = state.getChannel(destination.channelId)
  if (channel.isHistoryPublic) return subscribers
  // The past was open when the receivers were not asked for.
  if (!receiverIds) throw new StaleMessageError()
  return subscribers.intersection(UserSet.of(receiverIds))
}
