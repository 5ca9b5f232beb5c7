/** Decides the message of a rendered text, if its sender may send it now. */

import type { AgentMark } from '../../domain/accounts/agent-mark.ts'
import type { MessageSent } from '../../domain/events/messages.ts'
import type { ChannelId, ConversationId, EventId, MessageId, UserId } from '../../domain/ids.ts'
import type { Mention } from '../../domain/messages/message-flags.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import type { Decision } from '../decision.ts'
import { type ComposedMessage, linksOf } from './composed-message.ts'
import { findMentions, MENTION_ERRORS } from './find-mentions.ts'
import { pendingOf } from './find-notified.ts'
import {
  CHANNEL_TARGET_ERRORS,
  checkTopic,
  findTargetChannel,
  type SenderScope,
  TOPIC_ERRORS,
  type TopicToWriteIn,
} from './channel-target.ts'
import { checkRecipients, needsKnownConversation, RECIPIENT_ERRORS, TARGET_ERRORS } from './recipients.ts'

/** The errors of a message's place, and of its content. */
export const SEND_ERRORS = [
  ...TARGET_ERRORS,
  'TOPIC_CHARACTER',
  ...TOPIC_ERRORS,
  'RECIPIENTS_MISSING',
  'MESSAGE_EMPTY',
  'MESSAGE_RENDERING_FAILED',
  ...MENTION_ERRORS,
] as const

/** How sending a rendered text to a topic can fail. */
const CHANNEL_MESSAGE_ERRORS = [...CHANNEL_TARGET_ERRORS, ...TOPIC_ERRORS, ...MENTION_ERRORS] as const

/** How sending a rendered text to people can fail. */
const DIRECT_MESSAGE_ERRORS = [...RECIPIENT_ERRORS, 'NEW_CONVERSATION_FORBIDDEN', ...MENTION_ERRORS] as const

type ChannelMessageScope = SenderScope<(typeof CHANNEL_MESSAGE_ERRORS)[number]>
type DirectMessageScope = SenderScope<(typeof DIRECT_MESSAGE_ERRORS)[number]>

/** A message without its place and its rendering. */
export type MessageDraft = Pick<
  MessageSent,
  'senderId' | 'content' | 'sentAt' | 'client' | 'readById' | 'submessage' | 'queueId' | 'localId'
>

/** The answer for the sender of a message. */
export interface SentMessage {
  readonly id: MessageId
  readonly mentions: readonly Mention[]
}

/** A rendered message of the caller; the rights at its commit decide. */
export interface SendRequest {
  readonly draft: MessageDraft
  readonly composed: ComposedMessage
  /** The agent that sends it in the name of its sender. */
  readonly agent?: AgentMark | undefined
}

/** A message to a topic of a channel. */
export interface ChannelSendRequest extends SendRequest, TopicToWriteIn {
  readonly channelId: ChannelId
}

/** A message to a conversation. */
export interface DirectSendRequest extends SendRequest {
  readonly conversationId: ConversationId
  /** Sorted, the sender included. */
  readonly userIds: readonly UserId[]
  /** Whether the conversation has messages, if that matters. */
  readonly isKnown: boolean
}

/** Sends a message to a topic. */
export function decideChannelMessage(
  scope: ChannelMessageScope,
  request: ChannelSendRequest,
): Decision<SentMessage> {
  return sent(createChannelMessage(scope, request))
}

/** Sends a message to people. */
export function decideDirectMessage(
  scope: DirectMessageScope,
  request: DirectSendRequest,
): Decision<SentMessage> {
  return sent(createDirectMessage(scope, request))
}

function sent(message: MessageSent): Decision<SentMessage> {
  return {
    events: [message],
    reply: (id: EventId) => ({ id: id as number as MessageId, mentions: message.mentions ?? [] }),
  }
}

/** The fact of a message to a topic; a change may have several. */
export function createChannelMessage(scope: ChannelMessageScope, request: ChannelSendRequest): MessageSent {
  const { channelId, topic, draft, composed } = request
  const channel = findTargetChannel(scope, channelId)
  checkTopic(scope, channel, request)
  const place = { channelId, conversationId: null, userIds: null, topic }
  const mentions = findMentions(scope, composed, channel.subscribers)
  return {
    type: 'message',
    ...place,
    ...draft,
    rendered: composed.rendered,
    ...mentions,
    ...linksOf(composed),
    ...pendingOf({ state: scope.state, now: draft.sentAt }, { ...place, ...draft, ...mentions }, composed),
  }
}

/** The fact of a direct message; a change may have several. */
export function createDirectMessage(scope: DirectMessageScope, request: DirectSendRequest): MessageSent {
  const { conversationId, userIds, isKnown, draft, composed } = request
  const { state, fail } = scope
  const partners = userIds.map((id) => state.getUser(id))
  checkRecipients(scope, partners)
  if (!isKnown && needsKnownConversation(scope, partners)) throw fail('NEW_CONVERSATION_FORBIDDEN')
  const place = { channelId: null, conversationId, userIds, topic: '' }
  const mentions = findMentions(scope, composed, UserSet.of(userIds))
  return {
    type: 'message',
    ...place,
    ...draft,
    rendered: composed.rendered,
    ...mentions,
    ...linksOf(composed),
    ...pendingOf({ state, now: draft.sentAt }, { ...place, ...draft }),
  }
}
