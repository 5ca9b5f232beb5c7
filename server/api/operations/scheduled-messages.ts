/** Scheduled messages. */

import { MESSAGE_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import {
  findScheduled,
  measureScheduled,
  readScheduled,
  type ScheduledAmount,
  StaleScheduledError,
  TooManyScheduledError,
} from '../../../db/messages/scheduled-messages.ts'
import { SEND_ERRORS } from '../../decisions/messages/decide-send.ts'
import type { Scope } from '../../decisions/scope.ts'
import type { ChannelId, ScheduledId, UserId } from '../../domain/ids.ts'
import { SCHEDULED_MESSAGES_MAX, SCHEDULED_TEXT_LENGTH_MAX } from '../../domain/limits.ts'
import type { ScheduledMessage, ScheduledTarget } from '../../domain/messages/scheduled-messages.ts'
import { parseTopic } from '../../domain/messages/topics.ts'
import type { ApiError, Fail } from '../../errors/api-error.ts'
import { anyOf, boolean, id, integer, list, oneOf, optional, type Params, required, text } from '../params.ts'
import { SCHEDULED_MESSAGE, viewScheduledMessage } from '../../views/scheduled-message-view.ts'
import { type Call, operation } from '../operation.ts'
import { arrayOf, INTEGER } from '../../domain/json-schema.ts'
import { composeScheduled } from '../../changes/scheduled-messages/compose-scheduled.ts'
import { checkTopicName } from '../../decisions/messages/channel-target.ts'
import {
  checkDeliveryTime,
  decideRescheduling,
  decideScheduling,
  decideUnscheduling,
} from '../../decisions/scheduled-messages/change-scheduled.ts'
import { isReadingClient } from '../../views/names.ts'
import { scopeOfCall } from '../call-scope.ts'
import { change } from '../change-operation.ts'
import { newTopicType } from './messages/target-params.ts'

/** The errors of a message's recipients and content. */
const SCHEDULING_ERRORS = [
  ...SEND_ERRORS,
  'SCHEDULED_CHANNEL_INVALID',
  'SCHEDULED_RECIPIENTS_INVALID',
] as const

/** The kind of recipient, in all names that clients use. */
const scheduledType = oneOf('direct', 'channel', 'stream', 'private')
/** The id of a channel, or ids of users. */
const scheduledTo = anyOf(integer(), list(integer(), { lengthMax: 1_000 }))
/** The text, in Markdown. */
const scheduledContent = text({ lengthMax: MESSAGE_LENGTH_MAX, trim: 'end' })
/** UNIX seconds; within the range of clients' calendars. */
export const deliveryTime = integer({ max: 253_402_300_799 })

/** Whether a type means a channel. */
function isForChannel(type: ReturnType<typeof scheduledType.check>): boolean {
  return type === 'channel' || type === 'stream'
}

/** The parameters of the recipient. */
export interface GivenTarget {
  readonly isToChannel: boolean
  readonly to: number | readonly number[]
  readonly topic: string
}

/** The recipient from the parameters, of the given kind. */
function readScheduledTarget(
  { caller, fail }: Pick<Scope<(typeof SCHEDULING_ERRORS)[number]>, 'caller' | 'fail'>,
  { isToChannel, to, topic }: GivenTarget,
): ScheduledTarget {
  if (isToChannel) {
    if (typeof to !== 'number') throw fail('SCHEDULED_CHANNEL_INVALID')
    return { kind: 'channel', channelId: to as ChannelId, topic: parseTopic(topic) }
  }
  if (typeof to === 'number') throw fail('SCHEDULED_RECIPIENTS_INVALID')
  if (to.length === 0) throw fail('RECIPIENTS_MISSING')
  const others = [...new Set(to)].filter((id) => id !== caller.id).sort((a, b) => a - b) as UserId[]
  return { kind: 'direct', userIds: others.length === 0 ? [caller.id] : others }
}

/**
 * Throws if there is no room for one more message of some length. The table checks it again: refusing here renders nothing,
 * and does not lock the log.
 */
function checkRoom(
  held: ScheduledAmount,
  length: number,
  { fail }: { readonly fail: Fail<'TOO_MANY_SCHEDULED'> },
): void {
  if (held.count >= SCHEDULED_MESSAGES_MAX || held.length + length > SCHEDULED_TEXT_LENGTH_MAX)
    throw fail('TOO_MANY_SCHEDULED', { countMax: SCHEDULED_MESSAGES_MAX })
}

/** The error if the tables refuse one more message; undefined for other failures. */
function explainFull(
  error: unknown,
  { fail }: { readonly fail: Fail<'TOO_MANY_SCHEDULED'> },
): ApiError | undefined {
  return error instanceof TooManyScheduledError
    ? fail('TOO_MANY_SCHEDULED', { countMax: SCHEDULED_MESSAGES_MAX })
    : undefined
}

/** The error if the tables have no such message; undefined for other failures. */
function explainGone(
  error: unknown,
  { fail }: { readonly fail: Fail<'SCHEDULED_UNKNOWN'> },
): ApiError | undefined {
  return error instanceof StaleScheduledError ? fail('SCHEDULED_UNKNOWN') : undefined
}

/** `GET /scheduled_messages`: the caller's scheduled messages. */
export const getScheduledMessages = operation({
  method: 'GET',
  path: '/scheduled_messages',
  summary: 'Get scheduled messages',
  access: 'user',
  params: {},
  reply: {
    scheduled_messages: {
      schema: arrayOf(SCHEDULED_MESSAGE),
      description: 'The pending messages, and those that failed, by their time.',
    },
  },
  errors: [],
  events: [],
  async run({ user, services: { sql, state } }) {
    return {
      scheduled_messages: (await readScheduled(sql, user.id, state.appliedId)).map(viewScheduledMessage),
    }
  },
})

/** `POST /scheduled_messages`: schedules a message. */
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

/** `PATCH /scheduled_messages/{scheduled_message_id}`: changes a pending or failed message. */
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

/** `DELETE /scheduled_messages/{scheduled_message_id}`: deletes a message before it is sent. */
export const deleteScheduledMessage = change({
  method: 'DELETE',
  path: '/scheduled_messages/{scheduled_message_id}',
  summary: 'Delete a scheduled message',
  access: 'user',
  params: { scheduled_message_id: required(id<ScheduledId>(), 'The scheduled message.') },
  reply: {},
  errors: ['SCHEDULED_UNKNOWN'],
  events: ['scheduled_messages/remove'],
  prepare: ({ params }) => ({ scheduledId: params.scheduled_message_id }),
  decide: decideUnscheduling,
  explain: explainGone,
})
