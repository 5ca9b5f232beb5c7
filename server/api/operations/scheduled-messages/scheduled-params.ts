/** The parameters of scheduled messages. */

import {
  type ScheduledAmount,
  StaleScheduledError,
  TooManyScheduledError,
} from '../../../../db/messages/scheduled-messages.ts'
import { SEND_ERRORS } from '../../../decisions/messages/decide-send.ts'
import type { Scope } from '../../../decisions/scope.ts'
import type { ChannelId, UserId } from '../../../domain/ids.ts'
import { MESSAGE_LENGTH_MAX } from '../../../../packages/rules/limits.ts'
import { SCHEDULED_MESSAGES_MAX, SCHEDULED_TEXT_LENGTH_MAX } from '../../../domain/limits.ts'
import type { ScheduledTarget } from '../../../domain/messages/scheduled-messages.ts'
import { parseTopic } from '../../../domain/messages/topics.ts'
import type { ApiError, Fail } from '../../../errors/api-error.ts'
import { anyOf, integer, list, oneOf, text } from '../../params.ts'

/** The errors of a message's recipients and content. */
export const SCHEDULING_ERRORS = [
  ...SEND_ERRORS,
  'SCHEDULED_CHANNEL_INVALID',
  'SCHEDULED_RECIPIENTS_INVALID',
] as const

/** The kind of recipient, in all names that clients use. */
export const scheduledType = oneOf('direct', 'channel', 'stream', 'private')
/** The id of a channel, or ids of users. */
export const scheduledTo = anyOf(integer(), list(integer(), { lengthMax: 1_000 }))
/** The text, in Markdown. */
export const scheduledContent = text({ lengthMax: MESSAGE_LENGTH_MAX, trim: 'end' })
/** UNIX seconds; within the range of clients' calendars. */
export const deliveryTime = integer({ max: 253_402_300_799 })

/** Whether a type means a channel. */
export function isForChannel(type: ReturnType<typeof scheduledType.check>): boolean {
  return type === 'channel' || type === 'stream'
}

/** The parameters of the recipient. */
export interface GivenTarget {
  readonly isToChannel: boolean
  readonly to: number | readonly number[]
  readonly topic: string
}

/** The recipient from the parameters, of the given kind. */
export function readScheduledTarget(
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
export function checkRoom(
  held: ScheduledAmount,
  length: number,
  { fail }: { readonly fail: Fail<'TOO_MANY_SCHEDULED'> },
): void {
  if (held.count >= SCHEDULED_MESSAGES_MAX || held.length + length > SCHEDULED_TEXT_LENGTH_MAX)
    throw fail('TOO_MANY_SCHEDULED', { countMax: SCHEDULED_MESSAGES_MAX })
}

/** The error if the tables refuse one more message; undefined for other failures. */
export function explainFull(
  error: unknown,
  { fail }: { readonly fail: Fail<'TOO_MANY_SCHEDULED'> },
): ApiError | undefined {
  return error instanceof TooManyScheduledError
    ? fail('TOO_MANY_SCHEDULED', { countMax: SCHEDULED_MESSAGES_MAX })
    : undefined
}

/** The error if the tables have no such message; undefined for other failures. */
export function explainGone(
  error: unknown,
  { fail }: { readonly fail: Fail<'SCHEDULED_UNKNOWN'> },
): ApiError | undefined {
  return error instanceof StaleScheduledError ? fail('SCHEDULED_UNKNOWN') : undefined
}
