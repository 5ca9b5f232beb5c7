/** The events of a move between channels, for users who can still read the messages and users who cannot. */

import { canReadChannel, readableHistory } from '../../../packages/rules/channels.ts'
import type { Destination } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { ChannelMove, MessagesUpdated } from '../../domain/events/messages.ts'
import type { MessageId, UserId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { ServerScope } from '../scope.ts'
import { hiddenEvents } from './deletion-events.ts'
import { clientsOf } from '../../audience/channel-clients.ts'

/** Messages that are moved from a topic to another channel. */
export interface DecidedChannelMove {
  readonly event: MessagesUpdated
  readonly move: ChannelMove
  readonly from: Extract<Destination, { kind: 'channel' }>
  /** Users who had them in the old channel, or may have flagged one of them. */
  readonly listeners: UserSet
}

/**
 * Listeners in the old or the new channel get the move if they may read both channels. For users who may not read the
 * new channel the messages are deleted; no event shows them the new place.
 */
export function channelMoveEvents(
  { state }: ServerScope,
  { event, move, from: { channelId, topic }, listeners }: DecidedChannelMove,
): NewEvent[] {
  const from = state.getChannel(channelId)
  const to = state.getChannel(move.channelId)
  const active = state.rights.activeUsers
  const willRead = (id: UserId) =>
    to.subscribers.has(id) || readableHistory(state.getUser(id), to, state.rights) === 'all'
  const knew = (id: UserId) => canReadChannel(state.getUser(id), from, state.rights)
  const hearing = [...listeners].filter(willRead)
  const joining = [...to.subscribers.intersection(active)].filter(knew)
  const notified = UserSet.of(hearing).with(joining)
  const lost = listeners.difference(notified)
  const { holders } = event
  // Messages are never unread in a channel without a subscription.
  const unread = UserSet.decode(holders.unread).intersection(to.subscribers).encode()
  const { messageIds } = event
  return [
    { event: { ...event, holders: { ...holders, unread } }, audience: { kind: 'users', users: notified } },
    ...(lost.size > 0 ? hiddenEvents({ channelId, topic, messageIds, users: lost }) : []),
    ...firstMessageEvents(from, move.left.firstMessageId, active),
    ...firstMessageEvents(to, move.joined.firstMessageId, active),
  ]
}

function firstMessageEvents(
  { channel, subscribers, firstMessageId: before }: ChannelState,
  firstMessageId: MessageId | null,
  active: UserSet,
): NewEvent[] {
  if (firstMessageId === before) return []
  const change = { kind: 'firstMessage', firstMessageId } as const
  return [
    {
      event: {
        type: 'stream/update_shown',
        channelId: channel.id,
        name: channel.name,
        change,
        ...clientsOf(channel),
      },
      audience: { kind: 'users', users: subscribers.intersection(active) },
    },
  ]
}
