/** The message that is committed for a text that is rendered, if its sender may send it there as things are now. */

import type { MessageSent } from '../../domain/events/messages.ts'
import type { ChannelId, ConversationId, EventId, MessageId, UserId } from '../../domain/ids.ts'
import type { Mention } from '../../domain/message-flags.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { Decision } from '../decision.ts'
import { type ComposedMessage, linksOf } from './composed-message.ts'
import { findMentions, MENTION_ERRORS } from './find-mentions.ts'
import {
  CHANNEL_TARGET_ERRORS,
  checkTopic,
  findTargetChannel,
  type SenderScope,
  TOPIC_ERRORS,
  type TopicToWriteIn,
} from './channel-target.ts'
import { checkRecipients, needsKnownConversation, RECIPIENT_ERRORS, TARGET_ERRORS } from './recipients.ts'

/** What can be wrong with where a message goes, and with what it says. */
export const SEND_ERRORS = [
  ...TARGET_ERRORS,
  'TOPIC_CHARACTER',
  ...TOPIC_ERRORS,
  'RECIPIENTS_MISSING',
  'MESSAGE_EMPTY',
  'MESSAGE_RENDERING_FAILED',
  ...MENTION_ERRORS,
] as const

/** How sending to a topic can fail once it is rendered. */
const CHANNEL_MESSAGE_ERRORS = [...CHANNEL_TARGET_ERRORS, ...TOPIC_ERRORS, ...MENTION_ERRORS] as const

/** How sending to people can fail once it is rendered. */
const DIRECT_MESSAGE_ERRORS = [...RECIPIENT_ERRORS, 'NEW_CONVERSATION_FORBIDDEN', ...MENTION_ERRORS] as const

type ChannelMessageScope = SenderScope<(typeof CHANNEL_MESSAGE_ERRORS)[number]>
type DirectMessageScope = SenderScope<(typeof DIRECT_MESSAGE_ERRORS)[number]>

/** What a message is besides where it goes and what it is rendered as. */
export type MessageDraft = Pick<
  MessageSent,
  'senderId' | 'content' | 'sentAt' | 'client' | 'readById' | 'submessage' | 'queueId' | 'localId'
>

/** What the sender of a message hears of it. */
export interface SentMessage {
  readonly id: MessageId
  readonly mentions: readonly Mention[]
}

/** A message of the caller that is rendered; it is sent as of the rights at its commit. */
export interface SendRequest {
  readonly draft: MessageDraft
  readonly composed: ComposedMessage
}

/** One for a topic of a channel. */
export interface ChannelSendRequest extends SendRequest, TopicToWriteIn {
  readonly channelId: ChannelId
}

/** One for a conversation. */
export interface DirectSendRequest extends SendRequest {
  readonly conversationId: ConversationId
  /** Sorted, the sender included. */
  readonly userIds: readonly UserId[]
  /** Whether somebody has written there, as far as that matters. */
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

/** A message to a topic, with others of the same commit perhaps. */
export function createChannelMessage(scope: ChannelMessageScope, request: ChannelSendRequest): MessageSent {
  const { channelId, topic, draft, composed } = request
  const channel = findTargetChannel(scope, channelId)
  checkTopic(scope, channel, request)
  return {
    type: 'message',
    channelId,
    conversationId: null,
    userIds: null,
    topic,
    ...draft,
    rendered: composed.rendered,
    ...findMentions(scope, composed, channel.subscribers),
    ...linksOf(composed),
  }
}

/** A direct message, likewise. */
export function createDirectMessage(scope: DirectMessageScope, request: DirectSendRequest): MessageSent {
  const { conversationId, userIds, isKnown, draft, composed } = request
  const { state, fail } = scope
  const partners = userIds.map((id) => state.getUser(id))
  checkRecipients(scope, partners)
  if (!isKnown && needsKnownConversation(scope, partners)) throw fail('NEW_CONVERSATION_FORBIDDEN')
  return {
    type: 'message',
    channelId: null,
    conversationId,
    userIds,
    topic: '',
    ...draft,
    rendered: composed.rendered,
    ...findMentions(scope, composed, UserSet.of(userIds)),
    ...linksOf(composed),
  }
}
