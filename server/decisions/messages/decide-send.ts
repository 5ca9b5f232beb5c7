/** The message that is committed for a text that is rendered, if its sender may send it there as things are now. */

import type { MessageSent } from '../../domain/events/messages.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { ChannelId, ConversationId, UserId } from '../../domain/ids.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { type ComposedMessage, linksOf } from './composed-message.ts'
import { decideMentions } from './decide-mentions.ts'
import {
  checkRecipients,
  checkTopic,
  findTargetChannel,
  needsKnownConversation,
  type SendFail,
} from './send-target.ts'

/** What a message is besides where it goes and what it is rendered as. */
export type MessageDraft = Pick<
  MessageSent,
  'senderId' | 'content' | 'sentAt' | 'client' | 'readById' | 'submessage' | 'queueId' | 'localId'
>

/** A message as an event, with its audience. */
export interface NewMessage extends NewEvent {
  readonly event: MessageSent
}

/** A topic of a channel, and whether somebody has written there, as far as that matters. */
export interface TopicToSendTo {
  readonly channelId: ChannelId
  readonly topic: string
  readonly isKnown: boolean
}

/** A message to a topic; rights may have changed since it was rendered. */
export function decideChannelMessage(
  draft: MessageDraft,
  { channelId, topic, isKnown }: TopicToSendTo,
  composed: ComposedMessage,
  state: OrganizationState,
  fail: SendFail,
): NewMessage {
  const sender = state.getUser(draft.senderId)
  const channel = findTargetChannel([channelId], sender, state, fail)
  checkTopic(topic, isKnown, sender, channel, state, fail)
  return {
    event: {
      type: 'message',
      channelId,
      conversationId: null,
      userIds: null,
      topic,
      ...draft,
      rendered: composed.rendered,
      ...decideMentions(composed, sender, channel.subscribers, state),
      ...linksOf(composed),
    },
    audience: { kind: 'subscribers', channelId },
  }
}

/** A conversation, and whether somebody has written there, as far as that matters. */
export interface ConversationToSendTo {
  readonly id: ConversationId
  /** Sorted, the sender included. */
  readonly userIds: readonly UserId[]
  readonly isKnown: boolean
}

/** A direct message, likewise. */
export function decideDirectMessage(
  draft: MessageDraft,
  { id: conversationId, userIds, isKnown }: ConversationToSendTo,
  composed: ComposedMessage,
  state: OrganizationState,
  fail: SendFail,
): NewMessage {
  const partners = userIds.map((id) => state.getUser(id))
  checkRecipients(partners, draft.senderId, state, fail)
  if (!isKnown && needsKnownConversation(partners, draft.senderId, state))
    throw fail('NEW_CONVERSATION_FORBIDDEN')
  const users = UserSet.of(userIds)
  return {
    event: {
      type: 'message',
      channelId: null,
      conversationId,
      userIds,
      topic: '',
      ...draft,
      rendered: composed.rendered,
      ...decideMentions(composed, state.getUser(draft.senderId), users, state),
      ...linksOf(composed),
    },
    audience: { kind: 'users', users },
  }
}
