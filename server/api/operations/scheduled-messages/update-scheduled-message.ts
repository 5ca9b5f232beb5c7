/** `PATCH /scheduled_messages/{scheduled_message_id}`: changes a message that waits, or that could not be sent. */

import { findScheduled, StaleScheduledError } from '../../../../db/scheduled-messages.ts'
import type { ScheduledId } from '../../../domain/ids.ts'
import type { ScheduledMessage, ScheduledTarget } from '../../../domain/scheduled-messages.ts'
import { commitOwn } from '../../changes/commit-own.ts'
import type { Fail } from '../../../errors/api-error.ts'
import { checkTopicName } from '../../../decisions/messages/send-target.ts'
import { newTopicType } from '../messages/target-params.ts'
import { operation } from '../../operation.ts'
import { id, optional, required } from '../../params.ts'
import {
  checkDeliveryTime,
  composeScheduled,
  deliveryTime,
  isForChannel,
  readScheduledTarget,
  rewordScheduling,
  scheduledContent,
  scheduledTo,
  scheduledType,
  SCHEDULING_ERRORS,
} from './scheduled-params.ts'

export const updateScheduledMessage = operation({
  method: 'PATCH',
  path: '/scheduled_messages/{scheduled_message_id}',
  summary: 'Edit a scheduled message',
  description:
    'What is left out stays as it is. A message that could not be sent needs a new time, and waits again.',
  access: 'user',
  params: {
    scheduled_message_id: required(id<ScheduledId>(), 'The scheduled message.'),
    type: optional(scheduledType, 'Where it goes: `channel` (or `stream`), or `direct` (or `private`).'),
    to: optional(scheduledTo, "A channel's id, or a list of people's; needed where the type changes."),
    content: optional(scheduledContent, 'The message, in Markdown.'),
    topic: optional(newTopicType, 'The topic, for channels; needed where the type becomes that of one.'),
    scheduled_delivery_timestamp: optional(deliveryTime, 'When it is to be sent, in UNIX seconds.'),
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
  async run({ params, user, services, fail }) {
    const { scheduled_message_id: scheduledId, scheduled_delivery_timestamp: deliverAt, ...parts } = params
    const isSame = Object.values(parts).every((part) => part === undefined)
    if (isSame && deliverAt === undefined) throw fail('SCHEDULED_UNCHANGED')
    if (deliverAt !== undefined) checkDeliveryTime(deliverAt, services)
    checkTopicName(parts.topic ?? '', fail)
    return services.committer.turns.change(`scheduled ${scheduledId}`, StaleScheduledError, async () => {
      const before = await findScheduled(services.sql, user.id, scheduledId)
      if (!before) throw fail('SCHEDULED_UNKNOWN')
      if (before.isSent) throw fail('SCHEDULED_SENT')
      if (before.hasFailed && deliverAt === undefined) throw fail('DELIVERY_TIME_PAST')
      const target = changeTarget(before, parts, fail)
      // A new time alone is decided on when it comes.
      const composed = isSame
        ? {}
        : await composeScheduled(parts.content ?? before.content, target, user.id, services)
      const scheduled: ScheduledMessage = {
        ...before,
        target,
        ...composed,
        deliverAt: deliverAt ?? before.deliverAt,
        hasFailed: false,
      }
      try {
        await commitOwn(services, { type: 'scheduled_messages/update', userId: user.id, scheduled })
        return {}
      } catch (error) {
        throw error instanceof StaleScheduledError ? error : rewordScheduling(error)
      }
    })
  },
})

interface Parts {
  readonly type: ReturnType<typeof scheduledType.check> | undefined
  readonly to: number | readonly number[] | undefined
  readonly topic: string | undefined
}

/** Where a message goes from now on. */
function changeTarget(
  { target, userId }: ScheduledMessage,
  { type, to, topic }: Parts,
  fail: Fail<'SCHEDULED_RECIPIENT_MISSING' | 'SCHEDULED_TOPIC_MISSING'>,
): ScheduledTarget {
  const wasToChannel = target.kind === 'channel'
  const isToChannel = type === undefined ? wasToChannel : isForChannel(type)
  if (isToChannel !== wasToChannel && to === undefined) throw fail('SCHEDULED_RECIPIENT_MISSING')
  if (isToChannel && !wasToChannel && topic === undefined) throw fail('SCHEDULED_TOPIC_MISSING')
  const former = wasToChannel ? target.channelId : target.userIds
  return readScheduledTarget(isToChannel, to ?? former, topic ?? (wasToChannel ? target.topic : ''), userId)
}
