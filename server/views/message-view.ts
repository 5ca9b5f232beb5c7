/** Messages as clients see them, encoded once and shared by all who want the same form. */

import type { Message, Reaction, Submessage, User } from '../domain/entities.ts'
import type { MessageSent } from '../domain/events.ts'
import type { ConversationId, EventId, MessageId, UserId } from '../domain/ids.ts'
import { topicDisplayName } from '../domain/topics.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { encodeEdits } from './message-edits-view.ts'
import { sharedAvatarUrl } from './user-view.ts'

/** How a client wants messages told. */
export interface MessageViewOptions {
  /** HTML rather than the Markdown as sent. */
  readonly applyMarkdown: boolean
  /** Leaves out avatar addresses that the client makes itself. */
  readonly clientGravatar: boolean
  /** Tells an empty topic as such rather than by its display name. */
  readonly allowEmptyTopic: boolean
  /** Tells of no channels that guests may not know of. */
  readonly isGuest?: boolean
}

/** The message that a log event tells of. */
export function messageOf(id: EventId, event: MessageSent): Message {
  return {
    id: id as number as MessageId,
    destination:
      event.channelId === null
        ? {
            kind: 'direct',
            conversationId: event.conversationId as ConversationId,
            userIds: event.userIds as readonly UserId[],
          }
        : { kind: 'channel', channelId: event.channelId, topic: event.topic },
    senderId: event.senderId,
    content: event.content,
    rendered: event.rendered,
    sentAt: event.sentAt,
    client: event.client,
    readById: event.readById,
    mentions: event.mentions ?? [],
    isForAll: event.isForAll ?? false,
    moves: null,
    editedAt: null,
    movedAt: null,
    reactions: [],
    edits: [],
    submessages: openingOf(id, event),
  }
}

/**
 * The message object as JSON text without the closing brace, so that `flags` may follow. Its channel goes by
 * `channelName` where that is given: who has left since is not told what it is called now.
 */
export function encodeMessage(
  message: Message,
  state: OrganizationState,
  options: MessageViewOptions,
  channelName?: string,
): string {
  const sender = state.getUser(message.senderId)
  const avatar = sharedAvatarUrl(sender, state, options)
  return (
    `{"id":${message.id},"sender_id":${sender.id},` +
    `"content":${JSON.stringify(options.applyMarkdown ? message.rendered : message.content)},` +
    `"content_type":${options.applyMarkdown ? '"text/html"' : '"text/x-markdown"'},` +
    `${encodeDestination(message, state, options, channelName)},` +
    `"timestamp":${message.sentAt},"client":${JSON.stringify(message.client)},"topic_links":[],` +
    `"is_me_message":${message.content.startsWith('/me ')},"reactions":${encodeReactions(message)},` +
    `"submessages":${encodeSubmessages(message)},` +
    `"sender_full_name":${JSON.stringify(sender.fullName)},"sender_email":${JSON.stringify(state.apiEmailOf(sender))},` +
    `"sender_realm_str":"","avatar_url":${avatar === null ? 'null' : JSON.stringify(avatar)}` +
    encodeEdits(message, state, options)
  )
}

/** The poll or list that a message opens. */
function openingOf(id: EventId, { senderId, submessage }: MessageSent): Submessage[] {
  if (submessage === undefined) return []
  return [{ id, messageId: id as number as MessageId, senderId, type: 'widget', content: submessage }]
}

function encodeSubmessages({ submessages }: Message): string {
  return submessages.length === 0 ? '[]' : JSON.stringify(submessages.map(viewSubmessage))
}

/** A submessage as messages and events tell of it. */
export function viewSubmessage({ id, messageId, senderId, type, content }: Submessage) {
  return { id, message_id: messageId, sender_id: senderId, msg_type: type, content }
}

function encodeReactions({ reactions }: Message): string {
  return reactions.length === 0 ? '[]' : JSON.stringify(reactions.map(viewReaction))
}

/** A reaction as messages and events tell of it. */
export function viewReaction({ emojiName, emojiCode, reactionType, userId }: Reaction) {
  return { emoji_name: emojiName, emoji_code: emojiCode, reaction_type: reactionType, user_id: userId }
}

function encodeDestination(
  { destination }: Message,
  state: OrganizationState,
  { allowEmptyTopic }: MessageViewOptions,
  channelName: string | undefined,
): string {
  // One number space for the two kinds of recipients: channels are even, conversations odd.
  if (destination.kind === 'channel') {
    const { channel } = state.getChannel(destination.channelId)
    const topic = allowEmptyTopic ? destination.topic : topicDisplayName(destination.topic)
    return (
      `"type":"stream","stream_id":${channel.id},"display_recipient":${JSON.stringify(channelName ?? channel.name)},` +
      `"recipient_id":${channel.id * 2},"subject":${JSON.stringify(topic)}`
    )
  }
  const partners = destination.userIds.map((id) => encodePartner(state.getUser(id), state)).join(',')
  return (
    `"type":"private","display_recipient":[${partners}],` +
    `"recipient_id":${destination.conversationId * 2 + 1},"subject":""`
  )
}

function encodePartner(user: User, state: OrganizationState): string {
  const email = state.apiEmailOf(user)
  return JSON.stringify({ id: user.id, email, full_name: user.fullName, is_mirror_dummy: false })
}
