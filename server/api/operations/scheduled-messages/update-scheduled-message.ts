/** `PATCH /scheduled_messages/{scheduled_message_id}`: changes a pending or failed message. */

import {
  findScheduled,
  measureScheduled,
  StaleScheduledError,
} from '../../../../db/messages/scheduled-messages.ts'
import { composeScheduled } from '../../../changes/scheduled-messages/compose-scheduled.ts'
import { checkTopicName } from '../../../decisions/messages/channel-target.ts'
import {
  checkDeliveryTime,
  decideRescheduling,
} from '../../../decisions/scheduled-messages/change-scheduled.ts'
import type { Scope } from '../../../decisions/scope.ts'
import type { ScheduledId } from '../../../domain/ids.ts'
import type { ScheduledMessage, ScheduledTarget } from '../../../domain/messages/scheduled-messages.ts'
import { scopeOfCall } from '../../call-scope.ts'
import { change } from '../../change-operation.ts'
import type { Call } from '../../operation.ts'
import { id, optional, type Params, required } from '../../params.ts'
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

export const updateScheduledMessage = change({
  method: 'PATCH',
  path: '/scheduled_messages/{scheduled_message_id}',
  summary: 'Edit a scheduled message',
  description: 'Missing parameters stay unchanged. A failed message needs a new time, and is pending again.',
  access: 'user',
  params: {
    scheduled_message_id: required(id<ScheduledId>(), 'The scheduled message.'),
    type: optional(
      scheduledType,
      'The kind of recipient: `channel` (or `stream`), or `direct` (or `private`).',
    ),
    to: optional(scheduledTo, 'The id of a channel, or a list of user ids; required if the type changes.'),
    content: optional(scheduledContent, 'The message, in Markdown.'),
    topic: optional(newTopicType, 'The topic, for channels; required if the type changes to a channel.'),
    scheduled_delivery_timestamp: optional(deliveryTime, 'The time to send it, in UNIX seconds.'),
  },
  reply: {},
  errors: [
    'SCHEDULED_UNCHANGED',
    'SCHEDULED_UNKNOWN',
    'SCHEDULED_SENT',
    'SCHEDULED_RECIPIENT_MISSING',
    'SCHEDULED_TOPIC_MISSING',
    'DELIVERY_TIME_PAST',
    'TOO_MANY_SCHEDULED',
    ...SCHEDULING_ERRORS,
  ],
  events: ['scheduled_messages/update'],
  async prepare(call) {
    const { params, user, services, requestId, fail } = call
    const { scheduled_message_id: scheduledId, scheduled_delivery_timestamp: deliverAt, ...parts } = params
    const isSame = Object.values(parts).every((part) => part === undefined)
    if (isSame && deliverAt === undefined) throw fail('SCHEDULED_UNCHANGED')
    const scope = scopeOfCall(call)
    if (deliverAt !== undefined) checkDeliveryTime(scope, deliverAt)
    checkTopicName(scope, parts.topic ?? '')
    const before = await findScheduled(services.sql, user.id, scheduledId)
    if (!before) throw fail('SCHEDULED_UNKNOWN')
    if (before.isSent) throw fail('SCHEDULED_SENT')
    if (before.hasFailed && deliverAt === undefined) throw fail('DELIVERY_TIME_PAST')
    const target = changeTarget(scope, before, parts)
    // If only the time changes, rights are checked at that time.
    const composed = isSame
      ? {}
      : await compose(call, before, { content: parts.content ?? before.content, target })
    const time = { deliverAt: deliverAt ?? before.deliverAt, hasFailed: false }
    return { ...before, target, ...composed, ...time, requestId }
  },
  decide: decideRescheduling,
  turn: ({ params }) => ({ object: `scheduled ${params.scheduled_message_id}`, Stale: StaleScheduledError }),
  explain: explainFull,
})

/** The new content, checked for room as that of a new message is. */
async function compose(
  call: Call<Params, 'TOO_MANY_SCHEDULED' | (typeof SCHEDULING_ERRORS)[number]>,
  before: ScheduledMessage,
  { content, target }: Pick<ScheduledMessage, 'content' | 'target'>,
) {
  const { user, services } = call
  const others = await measureScheduled(services.sql, user.id, 'messages', before.id)
  checkRoom(others, content.length, call)
  const composed = await composeScheduled(services, scopeOfCall(call), content, target)
  checkRoom(others, composed.content.length + composed.rendered.length, call)
  return composed
}

interface Parts {
  readonly type: ReturnType<typeof scheduledType.check> | undefined
  readonly to: number | readonly number[] | undefined
  readonly topic: string | undefined
}

/** The new recipient of a message. */
function changeTarget(
  scope: Scope<
    'SCHEDULED_RECIPIENT_MISSING' | 'SCHEDULED_TOPIC_MISSING' | (typeof SCHEDULING_ERRORS)[number]
  >,
  { target }: ScheduledMessage,
  { type, to, topic }: Parts,
): ScheduledTarget {
  const { fail } = scope
  const wasToChannel = target.kind === 'channel'
  const isToChannel = type === undefined ? wasToChannel : isForChannel(type)
  if (isToChannel !== wasToChannel && to === undefined) throw fail('SCHEDULED_RECIPIENT_MISSING')
  if (isToChannel && !wasToChannel && topic === undefined) throw fail('SCHEDULED_TOPIC_MISSING')
  return readScheduledTarget(scope, {
    isToChannel,
    to: to ?? (wasToChannel ? target.channelId : target.userIds),
    topic: topic ?? (wasToChannel ? target.topic : ''),
  })
}
