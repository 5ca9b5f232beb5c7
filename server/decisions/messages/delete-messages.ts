/** Deletes messages for good: the rights and the time limit. */

import type { TopicDeletion } from '../../../db/messages/topics.ts'
import type { SingleMessage } from '../../../db/messages/single-message.ts'
import { canDeleteAnyMessage, findDeletionRefusal } from '../../../packages/rules/messages.ts'
import type { Message } from '../../domain/entities.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { answering, type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { checkOpenMessage } from './message-access.ts'
import {
  type ChannelDeletion,
  deleteFromConversation,
  deleteFromChannel,
  type DirectDeletion,
} from './deletion-events.ts'

/** Messages of a topic to delete; without a plan there are none. */
export interface TopicDeletionRequest {
  readonly channelId: ChannelId
  readonly plan: TopicDeletion | undefined
}

/** Deletes them; answers their number. */
export function decideTopicDeletion(
  scope: Scope<'CHANNEL_UNKNOWN' | 'PERMISSION_MISSING'>,
  { channelId, plan }: TopicDeletionRequest,
): Decision<number> {
  const { state, caller, fail } = scope
  const channel = state.findReadableChannel(caller, channelId)
  if (!channel) throw fail('CHANNEL_UNKNOWN')
  if (!canDeleteAnyMessage(caller, channel, state)) throw fail('PERMISSION_MISSING')
  if (!plan) return answering(0, [])
  return answering(
    plan.messageIds.length,
    deleteFromChannel(scope, { channel, topic: plan.topic, deletion: plan }),
  )
}

/** How deleting a readable message can fail. */
export const DELETION_ERRORS = ['MESSAGE_DELETION_FORBIDDEN', 'MESSAGE_DELETION_TOO_LATE'] as const

/** A message to delete, with its dependent data. */
export interface DeletionRequest {
  readonly found: SingleMessage
  readonly plan:
    | ({ readonly kind: 'direct' } & Omit<DirectDeletion, 'messageIds'>)
    | ({ readonly kind: 'channel'; readonly channelId: ChannelId } & Omit<ChannelDeletion, 'channel'>)
}

/** Deletes a message for good. */
export function decideDeletion(
  scope: Scope<'MESSAGE_UNKNOWN' | (typeof DELETION_ERRORS)[number]>,
  { found, plan }: DeletionRequest,
): Decision<void> {
  checkOpenMessage(scope, found)
  checkDeletion(scope, found.message)
  if (plan.kind === 'direct')
    return done(deleteFromConversation(scope, { ...plan, messageIds: [found.message.id] }))
  const { channelId, topic, deletion } = plan
  return done(deleteFromChannel(scope, { channel: scope.state.getChannel(channelId), topic, deletion }))
}

/** Throws if the caller, who can read a message, may not delete it now. */
export function checkDeletion(
  { state, caller, now, fail }: Scope<(typeof DELETION_ERRORS)[number]>,
  { destination, senderId, sentAt }: Message,
): void {
  const access = destination.kind === 'channel' ? state.getChannel(destination.channelId) : undefined
  const message = { senderId, sentAt, sender: state.users.get(senderId), access }
  const refusal = findDeletionRefusal(caller, message, state, now)
  if (refusal) throw fail(DELETION_FAILURES[refusal])
}

const DELETION_FAILURES = {
  forbidden: 'MESSAGE_DELETION_FORBIDDEN',
  late: 'MESSAGE_DELETION_TOO_LATE',
} as const
