/** Scheduled messages as clients send them. */

import { StaleScheduledError, TooManyScheduledError } from '../../../../db/scheduled-messages.ts'
import { SEND_ERRORS } from '../../../decisions/messages/decide-send.ts'
import type { Scope } from '../../../decisions/scope.ts'
import type { ChannelId, UserId } from '../../../domain/ids.ts'
import { MESSAGE_LENGTH_MAX, SCHEDULED_MESSAGES_MAX } from '../../../domain/limits.ts'
import type { ScheduledTarget } from '../../../domain/scheduled-messages.ts'
import { parseTopic } from '../../../domain/topics.ts'
import type { ApiError, Fail } from '../../../errors/api-error.ts'
import { anyOf, integer, list, oneOf, text } from '../../params.ts'

/** What can be wrong with where a message goes and what it says. */
export const SCHEDULING_ERRORS = [
  ...SEND_ERRORS,
  'SCHEDULED_CHANNEL_INVALID',
  'SCHEDULED_RECIPIENTS_INVALID',
] as const

/** Where a message goes, in the words of clients of all ages. */
export const scheduledType = oneOf('direct', 'channel', 'stream', 'private')
/** A channel's id, or those of people. */
export const scheduledTo = anyOf(integer(), list(integer(), { lengthMax: 1_000 }))
/** The text, in Markdown. */
export const scheduledContent = text({ lengthMax: MESSAGE_LENGTH_MAX })
/** UNIX seconds; as far as clients' calendars go. */
export const deliveryTime = integer({ max: 253_402_300_799 })

/** Whether a type of the API says that a message goes to a channel. */
export function isForChannel(type: ReturnType<typeof scheduledType.check>): boolean {
  return type === 'channel' || type === 'stream'
}

/** What parameters say of where a message goes. */
export interface GivenTarget {
  readonly isToChannel: boolean
  readonly to: number | readonly number[]
  readonly topic: string
}

/** The target that parameters name, of the kind that they say. */
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

/** What it is to a client that the tables refuse one more; undefined for other failures. */
export function explainFull(
  error: unknown,
  { fail }: { readonly fail: Fail<'TOO_MANY_SCHEDULED'> },
): ApiError | undefined {
  return error instanceof TooManyScheduledError
    ? fail('TOO_MANY_SCHEDULED', { countMax: SCHEDULED_MESSAGES_MAX })
    : undefined
}

/** What it is to a client that the tables have no such message; undefined for other failures. */
export function explainGone(
  error: unknown,
  { fail }: { readonly fail: Fail<'SCHEDULED_UNKNOWN'> },
): ApiError | undefined {
  return error instanceof StaleScheduledError ? fail('SCHEDULED_UNKNOWN') : undefined
}
