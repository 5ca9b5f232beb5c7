/** Scheduled messages as clients send them: what a send would check is checked, and rendered, as it stands now. */

import { StaleScheduledError, TooManyScheduledError } from '../../../../db/scheduled-messages.ts'
import { hasMessages, hasTopic } from '../../../../db/topics.ts'
import type { User } from '../../../domain/entities.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import { MESSAGE_LENGTH_MAX, SCHEDULED_MESSAGES_MAX } from '../../../domain/limits.ts'
import type { ScheduledTarget } from '../../../domain/scheduled-messages.ts'
import { ownText } from '../../../domain/own-text.ts'
import { parseTopic } from '../../../domain/topics.ts'
import { type ErrorName, fail } from '../../../errors/api-error.ts'
import { composeMessage } from '../../../changes/messages/compose-message.ts'
import { decideMentions } from '../../../decisions/messages/decide-mentions.ts'
import {
  checkTopic,
  findRecipients,
  findTargetChannel,
  needsKnownConversation,
  needsKnownTopic,
  SEND_ERRORS,
} from '../../../decisions/messages/send-target.ts'
import type { Services } from '../../services.ts'
import type { Sending } from '../../../changes/sending.ts'
import { anyOf, integer, list, oneOf, text } from '../../params.ts'

/** What can be wrong with where a message goes and what it says. */
export const SCHEDULING_ERRORS = [
  ...SEND_ERRORS,
  'SCHEDULED_CHANNEL_INVALID',
  'SCHEDULED_RECIPIENTS_INVALID',
] as const satisfies readonly ErrorName[]

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

/** The target that parameters name, of the kind that they say. */
export function readScheduledTarget(
  isToChannel: boolean,
  to: number | readonly number[],
  topic: string,
  senderId: User['id'],
): ScheduledTarget {
  if (isToChannel) {
    if (typeof to !== 'number') throw fail('SCHEDULED_CHANNEL_INVALID')
    return { kind: 'channel', channelId: to as ChannelId, topic: parseTopic(topic) }
  }
  if (typeof to === 'number') throw fail('SCHEDULED_RECIPIENTS_INVALID')
  if (to.length === 0) throw fail('RECIPIENTS_MISSING')
  const others = [...new Set(to)].filter((id) => id !== senderId).sort((a, b) => a - b) as User['id'][]
  return { kind: 'direct', userIds: others.length === 0 ? [senderId] : others }
}

/** The content as it is stored, and its HTML, if the sender might send it there now. */
export async function composeScheduled(
  given: string,
  target: ScheduledTarget,
  senderId: User['id'],
  services: Sending,
): Promise<{ readonly content: string; readonly rendered: string }> {
  const { state, sql } = services
  const content = ownText(given.trimEnd(), given)
  if (content.trim() === '') throw fail('MESSAGE_EMPTY')
  const sender = state.getUser(senderId)
  if (target.kind === 'channel') {
    const { channelId, topic } = target
    const channel = findTargetChannel([channelId], sender, state, fail)
    const isKnown = !needsKnownTopic(sender, channel, state) || (await hasTopic(sql, channelId, topic))
    const composed = await composeMessage(content, sender, target, services)
    checkTopic(topic, isKnown, sender, channel, state, fail)
    decideMentions(composed, sender, channel.subscribers, state)
    return { content, rendered: composed.rendered }
  }
  const recipients = findRecipients(target.userIds, senderId, state, fail)
  const userIds = recipients.map(({ id }) => id)
  if (needsKnownConversation(recipients, senderId, state)) {
    const conversationId = await services.conversations.find(userIds)
    if (conversationId === undefined || !(await hasMessages(sql, conversationId)))
      throw fail('NEW_CONVERSATION_FORBIDDEN')
  }
  const { rendered } = await composeMessage(content, sender, { kind: 'direct', userIds }, services)
  return { content, rendered }
}

/** Throws for a time that is past, or now. */
export function checkDeliveryTime(deliverAt: number, { clock }: Pick<Services, 'clock'>): void {
  if (deliverAt * 1_000 <= clock.nowMs()) throw fail('DELIVERY_TIME_PAST')
}

/** What a failure of the tables is to a client; others are thrown as they are. */
export function rewordScheduling(error: unknown): unknown {
  if (error instanceof TooManyScheduledError)
    return fail('TOO_MANY_SCHEDULED', { countMax: SCHEDULED_MESSAGES_MAX })
  return error instanceof StaleScheduledError ? fail('SCHEDULED_UNKNOWN') : error
}
