/** `POST /scheduled_messages`: writes a message that is sent at a time. */

import { composeScheduled } from '../../../changes/scheduled-messages/compose-scheduled.ts'
import { checkTopicName } from '../../../decisions/messages/channel-target.ts'
import {
  checkDeliveryTime,
  decideScheduling,
} from '../../../decisions/scheduled-messages/change-scheduled.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { isReadingClient } from '../../../views/names.ts'
import { scopeOfCall } from '../../call-scope.ts'
import { change } from '../../change-operation.ts'
import { boolean, optional, required } from '../../params.ts'
import { newTopicType } from '../messages/target-params.ts'
import {
  deliveryTime,
  explainFull,
  isForChannel,
  readScheduledTarget,
  scheduledContent,
  scheduledTo,
  scheduledType,
  SCHEDULING_ERRORS,
} from './scheduled-params.ts'

export const scheduleMessage = change({
  method: 'POST',
  path: '/scheduled_messages',
  summary: 'Create a scheduled message',
  description:
    'The caller must be allowed to send the message now, and again when its time comes: it is sent as their rights, ' +
    'the channel and the people are then. Where it cannot be sent, it is kept as failed, and they are told.',
  access: 'user',
  params: {
    type: required(scheduledType, 'Where it goes: `channel` (or `stream`), or `direct` (or `private`).'),
    to: required(scheduledTo, "A channel's id, or a list of people's."),
    content: required(scheduledContent, 'The message, in Markdown.'),
    topic: optional(newTopicType, 'The topic, needed for a channel; it may be empty.'),
    scheduled_delivery_timestamp: required(deliveryTime, 'When it is to be sent, in UNIX seconds.'),
    read_by_sender: optional(
      boolean(),
      'Whether the sender has read it; by default where people read in the client.',
    ),
  },
  reply: { scheduled_message_id: { schema: INTEGER, description: 'The id of the scheduled message.' } },
  errors: ['DELIVERY_TIME_PAST', 'TOPIC_MISSING', 'TOO_MANY_SCHEDULED', ...SCHEDULING_ERRORS],
  events: ['scheduled_messages/add'],
  async prepare(call) {
    const { params, client, services, fail } = call
    const { type, to, topic = '', scheduled_delivery_timestamp: deliverAt } = params
    const scope = scopeOfCall(call)
    checkDeliveryTime(scope, deliverAt)
    const isToChannel = isForChannel(type)
    if (isToChannel && params.topic === undefined) throw fail('TOPIC_MISSING')
    checkTopicName(scope, topic)
    const target = readScheduledTarget(scope, { isToChannel, to, topic })
    const composed = await composeScheduled(services, scope, params.content, target)
    const isReadBySender = params.read_by_sender ?? isReadingClient(client)
    return { target, ...composed, deliverAt, isReadBySender, client }
  },
  decide: decideScheduling,
  explain: explainFull,
  answer: (id) => ({ scheduled_message_id: id }),
})
