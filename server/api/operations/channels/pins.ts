/** Pins of messages and topics in their channel. Other servers of the API family do not have them. */

import { readReceivers } from '../../../../db/messages/single-message.ts'
import { findOpenMessage } from '../../../changes/messages/find-message.ts'
import {
  decideNewPin,
  decideUnpin,
  NEW_PIN_ERRORS,
  visiblePins,
} from '../../../decisions/channels/change-pins.ts'
import { showPin } from '../../../domain/channels/pins.ts'
import type { ChannelId, MessageId, PinId } from '../../../domain/ids.ts'
import { arrayOf, INTEGER } from '../../../domain/json-schema.ts'
import { PINS_PER_CHANNEL_MAX } from '../../../domain/limits.ts'
import { PIN, viewPin } from '../../../views/pin-view.ts'
import { change } from '../../change-operation.ts'
import { operation } from '../../operation.ts'
import { oneOfValues } from '../../one-of-values.ts'
import { defaulted, id, required } from '../../params.ts'
import { turnOfMessage } from '../messages/turn-of-message.ts'

/** `GET /streams/{stream_id}/pins`: the pins of a channel that the caller may read. */
export const getPins = operation({
  method: 'GET',
  path: '/streams/{stream_id}/pins',
  summary: 'Get the pins of a channel',
  description:
    'The messages and topics that are pinned in a channel, the oldest pin first. With protected history, users see the ' +
    'pins of messages that they have received. The channels of a user are in `channel_pins` of a registration, too.',
  access: 'user',
  params: { stream_id: required(id<ChannelId>(), 'The channel.') },
  reply: { pins: { schema: arrayOf(PIN), description: 'The pins.' } },
  errors: ['CHANNEL_UNKNOWN'],
  events: [],
  run({ params, user, services: { state }, fail }) {
    const channel = state.findReadableChannel(user, params.stream_id)
    if (!channel) throw fail('CHANNEL_UNKNOWN')
    const pins = visiblePins({ state, caller: user }, channel)
    return { pins: pins.map((pin) => viewPin(showPin(pin))) }
  },
})

/** `POST /messages/{message_id}/pin`: pins a message or its topic. */
export const addPin = change({
  method: 'POST',
  path: '/messages/{message_id}/pin',
  summary: 'Pin a message or a topic',
  description:
    `Pins a message, or its topic, in its channel, which has at most ${PINS_PER_CHANNEL_MAX} pins. To pin again succeeds and ` +
    'changes nothing. A pin ends when its message is deleted or leaves the channel; that of a topic follows when all of ' +
    'its messages get another topic.',
  access: 'user',
  params: {
    message_id: required(id<MessageId>(), 'The message.'),
    kind: defaulted(
      oneOfValues(['message', 'topic']),
      'message',
      'Whether the message or its topic is pinned.',
    ),
  },
  reply: { pin_id: { schema: INTEGER, description: 'The id of the pin.' } },
  errors: NEW_PIN_ERRORS,
  events: ['channel_pins'],
  async prepare({ params, user, services, fail }) {
    const found = await findOpenMessage(services, { caller: user, fail }, params.message_id)
    const { id: messageId, destination } = found.message
    const receiverIds =
      destination.kind === 'direct' ? [] : await readReceivers(services.sql, destination.channelId, messageId)
    return { found, isOfTopic: params.kind === 'topic', receiverIds }
  },
  decide: decideNewPin,
  turn: turnOfMessage,
  answer: (pinId) => ({ pin_id: pinId }),
})

/** `DELETE /pins/{pin_id}`: unpins a message or a topic. */
export const removePin = change({
  method: 'DELETE',
  path: '/pins/{pin_id}',
  summary: 'Unpin a message or a topic',
  access: 'user',
  params: { pin_id: required(id<PinId>(), 'The pin.') },
  reply: {},
  errors: ['PIN_UNKNOWN', 'PINNING_FORBIDDEN'],
  events: ['channel_pins'],
  prepare: ({ params }) => ({ pinId: params.pin_id }),
  decide: decideUnpin,
})
