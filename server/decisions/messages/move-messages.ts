/** The events of a move between channels: who is told where the messages are now, and to whom they are gone. */

import { canReadChannel, readableHistory } from '../../domain/channel-access.ts'
import type { Destination } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { ChannelMove, MessagesUpdated } from '../../domain/events/messages.ts'
import type { MessageId, UserId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { ServerScope } from '../scope.ts'
import { tellHidden } from './tell-deletion.ts'
import { clientsOf } from '../../audience/channel-clients.ts'

/** Messages that are moved from a topic to another channel. */
export interface DecidedChannelMove {
  readonly event: MessagesUpdated
  readonly move: ChannelMove
  readonly from: Extract<Destination, { kind: 'channel' }>
  /** Who heard of them there, or may have marked one of them. */
  readonly listeners: UserSet
}

/**
 * Those who heard of the messages where they were, or will where they are, are told of the move, as far as they may
 * read both channels. To those who may not read the new one, the messages are gone; nothing tells them where.
 */
export function tellChannelMove(
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
  const told = UserSet.of(hearing).with(joining)
  const lost = listeners.difference(told)
  const { holders } = event
  // Where one is not subscribed nothing is unread.
  const unread = UserSet.decode(holders.unread).intersection(to.subscribers).encode()
  const { messageIds } = event
  return [
    { event: { ...event, holders: { ...holders, unread } }, audience: { kind: 'users', users: told } },
    ...(lost.size > 0 ? tellHidden({ channelId, topic, messageIds, users: lost }) : []),
    ...tellFirstMessage(from, move.left.firstMessageId, active),
    ...tellFirstMessage(to, move.joined.firstMessageId, active),
  ]
}

function tellFirstMessage(
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
