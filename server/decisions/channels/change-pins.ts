/** Pins messages and topics in their channel, and unpins them. */

import type { SingleMessage } from '../../../db/messages/single-message.ts'
import { canPin, canReadChannel } from '../../../packages/rules/channels.ts'
import { topicKey } from '../../../packages/rules/topics.ts'
import { isPinVisible, isSameTarget, type Pin, type PinTarget } from '../../domain/channels/pins.ts'
import type { Fact } from '../../domain/events.ts'
import type { MessageMove } from '../../domain/events/messages.ts'
import type { ChannelId, EventId, MessageId, PinId, UserId } from '../../domain/ids.ts'
import { PINS_PER_CHANNEL_MAX } from '../../domain/limits.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { answering, type Decision, done } from '../decision.ts'
import { checkOpenMessage } from '../messages/message-access.ts'
import type { Scope } from '../scope.ts'

export const NEW_PIN_ERRORS = [
  'MESSAGE_UNKNOWN',
  'DIRECT_MESSAGE_PINNED',
  'PINNING_FORBIDDEN',
  'TOO_MANY_PINS',
] as const

/** A message to pin, or whose topic is to be pinned. */
export interface NewPinRequest {
  readonly found: SingleMessage
  readonly isOfTopic: boolean
  /** The users who had received the message. */
  readonly receiverIds: readonly UserId[]
}

/** Pins it; answers the id of the pin, also of one that is there already. */
export function decideNewPin(
  scope: Scope<(typeof NEW_PIN_ERRORS)[number]>,
  { found, isOfTopic, receiverIds }: NewPinRequest,
): Decision<EventId | PinId> {
  const { state, caller, now, fail } = scope
  checkOpenMessage(scope, found)
  const { id: messageId, destination } = found.message
  if (destination.kind === 'direct') throw fail('DIRECT_MESSAGE_PINNED')
  const { channelId } = destination
  const channel = state.getChannel(channelId)
  if (!canPin(caller, channel, state.rights)) throw fail('PINNING_FORBIDDEN')
  const target: PinTarget = isOfTopic
    ? { messageId: null, topic: destination.topic }
    : { messageId, topic: null }
  const there = channel.pins.find((pin) => isSameTarget(pin, target))
  if (there) return answering(there.id, [])
  if (channel.pins.length >= PINS_PER_CHANNEL_MAX)
    throw fail('TOO_MANY_PINS', { countMax: PINS_PER_CHANNEL_MAX })
  const receivers = UserSet.of(receiverIds).encode()
  const pin = { ...target, userId: caller.id, pinnedAt: now, receivers }
  return { events: [{ type: 'channel_pins/add', channelId, pin }], reply: (firstId) => firstId }
}

/** Removes a pin that the caller sees. */
export function decideUnpin(
  { state, caller, fail }: Scope<'PIN_UNKNOWN' | 'PINNING_FORBIDDEN'>,
  { pinId }: { readonly pinId: PinId },
): Decision<void> {
  const channel = [...state.channels.values()].find(({ pins }) => pins.some(({ id }) => id === pinId))
  const isSeen = channel && visiblePins({ state, caller }, channel).some(({ id }) => id === pinId)
  if (!isSeen || channel.channel.isArchived) throw fail('PIN_UNKNOWN')
  if (!canPin(caller, channel, state.rights)) throw fail('PINNING_FORBIDDEN')
  return done([{ type: 'channel_pins/remove', channelId: channel.channel.id, pinIds: [pinId] }])
}

/** The pins of a channel that the caller may see. */
export function visiblePins(
  { state, caller }: Pick<Scope, 'state' | 'caller'>,
  channel: ChannelState,
): readonly Pin[] {
  if (!canReadChannel(caller, channel, state.rights)) return []
  return channel.pins.filter((pin) => isPinVisible(pin, caller.id, channel.channel.isHistoryPublic))
}

/** Pins end with their messages. */
export function pinsOfDeleted({ channel, pins }: ChannelState, messageIds: readonly MessageId[]): Fact[] {
  const gone = new Set<MessageId | null>(messageIds)
  return removal(
    channel.id,
    pins.filter(({ messageId }) => gone.has(messageId)),
  )
}

/** Messages that leave the channel leave its pins behind; a topic that moves as a whole takes its pin along within it. */
export function pinsOfMoved(
  state: OrganizationState,
  channelId: ChannelId,
  { previousTopic, topic, mode, toChannel }: MessageMove,
  messageIds: readonly MessageId[],
): Fact[] {
  const channel = state.getChannel(channelId)
  if (channel.pins.length === 0) return []
  const pinned = (name: string) =>
    channel.pins.find((pin) => pin.topic !== null && topicKey(pin.topic) === topicKey(name))
  const old = mode === 'change_all' ? pinned(previousTopic) : undefined
  if (toChannel) {
    const gone = new Set<MessageId | null>(messageIds)
    return removal(
      channelId,
      channel.pins.filter((pin) => pin === old || gone.has(pin.messageId)),
    )
  }
  if (!old || old.topic === topic) return []
  const there = pinned(topic)
  if (there && there !== old) return removal(channelId, [old])
  return [{ type: 'channel_pins/rename', channelId, pinId: old.id, topic }]
}

function removal(channelId: ChannelId, pins: readonly Pin[]): Fact[] {
  return pins.length === 0
    ? []
    : [{ type: 'channel_pins/remove', channelId, pinIds: pins.map(({ id }) => id) }]
}
