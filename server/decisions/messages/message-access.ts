/** The users who may read a message, and the recipients of its changes. */

import { canReadChannel, readableHistory } from '../../../packages/rules/channels.ts'
import type { SingleMessage } from '../../../db/messages/single-message.ts'
import { StaleMessageError } from '../../../db/messages/stale-message.ts'
import type { UserId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import type { Scope } from '../scope.ts'
import type { Reader } from '../../../db/messages/message-query.ts'

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

/** Throws if the caller may not read the message, or its channel is archived, so that nothing in it changes. */
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

/** The subscribers who may read the message: in a channel without shared history, only its recipients. */
export function listenersOf(
  { state }: Pick<Scope, 'state'>,
  { message: { destination } }: GuardedMessage,
  receiverIds: readonly UserId[] | undefined,
): UserSet {
  if (destination.kind === 'direct') return UserSet.of(destination.userIds)
  const { channel, subscribers } = state.getChannel(destination.channelId)
  if (channel.isHistoryPublic) return subscribers
  // The history was shared when the recipients were loaded.
  if (!receiverIds) throw new StaleMessageError()
  return subscribers.intersection(UserSet.of(receiverIds))
}

/** Reads all messages that the caller may read, in any channel. */
export function readerOf({ state, caller }: Pick<Scope, 'state' | 'caller'>): Reader {
  const readableChannelIds = [...state.channels.values()]
    .filter((channel) => canReadChannel(caller, channel, state.rights))
    .map(({ channel }) => channel.id)
  return { userId: caller.id, readableChannelIds, openChannelId: undefined, asOf: state.appliedId }
}
