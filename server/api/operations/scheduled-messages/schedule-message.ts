/** `POST /scheduled_messages`: schedules a message. */

import { measureScheduled } from '../../../../db/messages/scheduled-messages.ts'
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
  checkRoom,
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
    'The caller needs the permission to send the message now, and again at its time: rights, channel and ' +
    'recipients are checked again then. If it cannot be sent, it is stored as failed, and the caller is ' +
    'notified.',
  access: 'user',
  params: {
    type: required(
      scheduledType,
      'The kind of recipient: `channel` (or `stream`), or `direct` (or `private`).',
    ),
    to: required(scheduledTo, 'The id of a channel, or a list of user ids.'),
    content: required(scheduledContent, 'The message, in Markdown.'),
    topic: optional(newTopicType, 'The topic, required for a channel; it may be empty.'),
    scheduled_delivery_timestamp: required(deliveryTime, 'The time to send it, in UNIX seconds.'),
    read_by_sender: optional(
      boolean(),
      'Whether the sender has read it; by default true for clients in which people read.',
    ),
  },
  reply: { scheduled_message_id: { schema: INTEGER, description: 'The id of the scheduled message.' } },
  errors: ['DELIVERY_TIME_PAST', 'TOPIC_MISSING', 'TOO_MANY_SCHEDULED', ...SCHEDULING_ERRORS],
  events: ['scheduled_messages/add'],
  async prepare(call) {
    const { params, user, client, services, requestId, fail } = call
    const { type, to, topic = '', scheduled_delivery_timestamp: deliverAt } = params
    const scope = scopeOfCall(call)
    checkDeliveryTime(scope, deliverAt)
    const isToChannel = isForChannel(type)
    if (isToChannel && params.topic === undefined) throw fail('TOPIC_MISSING')
    checkTopicName(scope, topic)
    const target = readScheduledTarget(scope, { isToChannel, to, topic })
    const held = await measureScheduled(services.sql, user.id, 'messages')
    checkRoom(held, params.content.length, call)
    const composed = await composeScheduled(services, scope, params.content, target)
    checkRoom(held, composed.content.length + composed.rendered.length, call)
    const isReadBySender = params.read_by_sender ?? isReadingClient(client)
    return { target, ...composed, deliverAt, isReadBySender, client, requestId }
  },
  decide: decideScheduling,
  explain: explainFull,
  answer: (id) => ({ scheduled_message_id: id }),
})
