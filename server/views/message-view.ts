/** Messages for clients, encoded once for all who choose the same form. */

import type { Destination, Message, Reaction, Submessage, User } from '../domain/entities.ts'
import type { MessageSent } from '../domain/events/messages.ts'
import type { ChannelId, ConversationId, EventId, MessageId, UserId } from '../domain/ids.ts'
import { topicDisplayName } from '../../packages/rules/topics.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { encodeEdits, MESSAGE_EDIT } from './message-edits-view.ts'
import { encodeTopicLinks, TOPIC_LINK } from './topic-links-view.ts'
import { sharedAvatarUrl, UNKNOWN_AVATAR_URL, UNKNOWN_USER_NAME } from './user-view.ts'
import {
  anyOf,
  arrayOf,
  BOOLEAN,
  INTEGER,
  oneOf,
  orNull,
  record,
  STRING,
  type ValueOf,
} from '../domain/json-schema.ts'
import { SHOWN_REACTION_TYPES, shownReactionType } from './names.ts'

const PARTNER = record({ id: INTEGER, email: STRING, full_name: STRING, is_mirror_dummy: BOOLEAN })

/** Schema of `viewReaction`. */
export const REACTION_FIELDS = {
  emoji_name: STRING,
  emoji_code: STRING,
  reaction_type: oneOf(...SHOWN_REACTION_TYPES),
  user_id: INTEGER,
}
const REACTION_VIEW = record(REACTION_FIELDS)
/** A reaction in a message; `user` is present only if the server also uses the spellings of existing clients. */
const REACTION = record(REACTION_FIELDS, {
  user: record({ id: INTEGER, email: STRING, full_name: STRING, is_mirror_dummy: BOOLEAN }),
})

/** Schema of `viewSubmessage`. */
const SUBMESSAGE = record({
  id: INTEGER,
  message_id: INTEGER,
  sender_id: INTEGER,
  msg_type: STRING,
  content: STRING,
})

const MESSAGE_FIELDS = {
  id: INTEGER,
  sender_id: INTEGER,
  content: STRING,
  content_type: oneOf('text/html', 'text/x-markdown'),
  type: oneOf('stream', 'private'),
  display_recipient: anyOf(STRING, arrayOf(PARTNER)),
  recipient_id: INTEGER,
  subject: STRING,
  timestamp: INTEGER,
  client: STRING,
  topic_links: arrayOf(TOPIC_LINK),
  is_me_message: BOOLEAN,
  reactions: arrayOf(REACTION),
  submessages: arrayOf(SUBMESSAGE),
  sender_full_name: STRING,
  sender_email: STRING,
  sender_realm_str: STRING,
  avatar_url: orNull(STRING),
}
const MESSAGE_OPTIONAL_FIELDS = {
  stream_id: INTEGER,
  last_edit_timestamp: INTEGER,
  last_moved_timestamp: INTEGER,
  edit_history: arrayOf(MESSAGE_EDIT),
}

/** Schema of `encodeMessage`. */
export const SENT_MESSAGE = record(MESSAGE_FIELDS, MESSAGE_OPTIONAL_FIELDS)

/** Schema of `encodeMessage` with its flags and, after a search, its matches. */
export const MESSAGE = record(
  { ...MESSAGE_FIELDS, flags: arrayOf(STRING) },
  { ...MESSAGE_OPTIONAL_FIELDS, match_content: STRING, match_subject: STRING },
)

/** The form in which a client wants messages. */
export interface MessageViewOptions {
  /** Sends HTML rather than the original Markdown. */
  readonly applyMarkdown: boolean
  /** Omits avatar addresses that the client computes itself. */
  readonly clientGravatar: boolean
  /** Sends an empty topic as empty rather than as its display name. */
  readonly allowEmptyTopic: boolean
  /** Omits moves of channels that guests may not see. */
  readonly isGuest?: boolean
  /** Adds the users' names and addresses to reactions. */
  readonly namesReactors?: boolean
  /** Spells reaction types as existing clients read them. */
  readonly readsOriginalTypes?: boolean
  /** The reader; users whom the reader does not know are concealed. */
  readonly viewerId?: UserId
}

/** The message of a log event. */
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
    ...(event.unreadFor ? { unreadFor: event.unreadFor } : {}),
    mentions: event.mentions ?? NOTHING,
    isForAll: event.isForAll ?? false,
    moves: null,
    editedAt: event.imported?.editedAt ?? null,
    movedAt: event.imported?.movedAt ?? null,
    reactions: event.imported?.reactions ?? NOTHING,
    edits: NOTHING,
    submessages: openingOf(id, event),
  }
}

/** Shared by all messages: each empty list would take 32 bytes. */
const NOTHING: readonly never[] = []

/**
 * The message object as JSON text without the closing brace, so that `flags` may follow. `channelName` replaces the
 * channel's name if given: a user who has left does not see the current name.
 */
export function encodeMessage(
  message: Message,
  state: OrganizationState,
  options: MessageViewOptions,
  channelName?: string,
): string {
  return new MessageEncoder(state, options, channelName).encode(message)
}

/** Encodes the messages of one page: encodes their common parts once. */
export class MessageEncoder {
  readonly #state: OrganizationState
  readonly #options: MessageViewOptions
  readonly #channelName: string | undefined
  readonly #senders = new Map<UserId, string>()
  /** By topic, for the channel of the last message. */
  readonly #topics = new Map<string, string>()
  #channelId: ChannelId | undefined

  /** `channelName` replaces the channel's name; then all messages must be in one channel. */
  constructor(state: OrganizationState, options: MessageViewOptions, channelName?: string) {
    this.#state = state
    this.#options = options
    this.#channelName = channelName
  }

  /** Like `encodeMessage`. */
  encode(message: Message): string {
    const { applyMarkdown } = this.#options
    const { destination } = message
    const place =
      destination.kind === 'channel'
        ? this.#topicOf(destination.channelId, destination.topic)
        : encodeConversation(destination, this.#state)
    return (
      `{"id":${message.id},"sender_id":${message.senderId},` +
      `"content":${JSON.stringify(applyMarkdown ? message.rendered : message.content)},` +
      `"content_type":${applyMarkdown ? '"text/html"' : '"text/x-markdown"'},` +
      `${place},` +
      `"timestamp":${message.sentAt},"client":${JSON.stringify(message.client)},` +
      `"topic_links":${destination.kind === 'direct' ? '[]' : encodeTopicLinks(destination.topic, this.#state)},` +
      `"is_me_message":${message.content.startsWith('/me ')},"reactions":${encodeReactions(message, this.#state, this.#options)},` +
      `"submessages":${encodeSubmessages(message)},` +
      this.#senderOf(message.senderId) +
      encodeEdits(message, this.#state, this.#options)
    )
  }

  #senderOf(id: UserId): string {
    const known = this.#senders.get(id)
    if (known !== undefined) return known
    const state = this.#state
    const sender = state.getUser(id)
    const { viewerId } = this.#options
    const isKnown = viewerId === undefined || state.userVisibility.knows(viewerId, id)
    const name = isKnown ? sender.fullName : UNKNOWN_USER_NAME
    const email = viewerId === undefined ? state.apiEmailOf(sender) : state.apiEmailFor(viewerId, sender)
    const avatar = isKnown ? sharedAvatarUrl(sender, state, this.#options, viewerId) : UNKNOWN_AVATAR_URL
    const encoded =
      `"sender_full_name":${JSON.stringify(name)},"sender_email":${JSON.stringify(email)},` +
      `"sender_realm_str":"","avatar_url":${avatar === null ? 'null' : JSON.stringify(avatar)}`
    this.#senders.set(id, encoded)
    return encoded
  }

  #topicOf(channelId: ChannelId, topic: string): string {
    if (channelId !== this.#channelId) {
      this.#topics.clear()
      this.#channelId = channelId
    }
    const known = this.#topics.get(topic)
    if (known !== undefined) return known
    const { channel } = this.#state.getChannel(channelId)
    const shown = this.#options.allowEmptyTopic ? topic : topicDisplayName(topic)
    const encoded =
      `"type":"stream","stream_id":${channel.id},"display_recipient":${JSON.stringify(this.#channelName ?? channel.name)},` +
      `"recipient_id":${channel.id * 2},"subject":${JSON.stringify(shown)}`
    this.#topics.set(topic, encoded)
    return encoded
  }
}

/** The poll or to-do list of a message. */
function openingOf(id: EventId, { senderId, submessage }: MessageSent): readonly Submessage[] {
  if (submessage === undefined) return NOTHING
  return [{ id, messageId: id as number as MessageId, senderId, type: 'widget', content: submessage }]
}

function encodeSubmessages({ submessages }: Message): string {
  return submessages.length === 0 ? '[]' : JSON.stringify(submessages.map(viewSubmessage))
}

/** A submessage in messages and events. */
export function viewSubmessage({
  id,
  messageId,
  senderId,
  type,
  content,
}: Submessage): ValueOf<typeof SUBMESSAGE> {
  return { id, message_id: messageId, sender_id: senderId, msg_type: type, content }
}

function encodeReactions(
  { reactions }: Message,
  state: OrganizationState,
  { namesReactors, readsOriginalTypes, viewerId }: MessageViewOptions,
): string {
  if (reactions.length === 0) return '[]'
  if (namesReactors !== true)
    return JSON.stringify(reactions.map((reaction) => viewReaction(reaction, readsOriginalTypes)))
  return JSON.stringify(
    reactions.map((reaction) => ({
      ...viewReaction(reaction, readsOriginalTypes),
      user: { id: reaction.userId, ...viewReactor(reaction.userId, viewerId, state) },
    })),
  )
}

/** The user of a reaction as the reader may see them; without a reader, the user is shown in full. */
export function viewReactor(id: UserId, viewerId: UserId | undefined, state: OrganizationState) {
  const user = state.getUser(id)
  const isKnown = viewerId === undefined || state.userVisibility.knows(viewerId, id)
  return {
    email: viewerId === undefined ? state.apiEmailOf(user) : state.apiEmailFor(viewerId, user),
    full_name: isKnown ? user.fullName : UNKNOWN_USER_NAME,
    is_mirror_dummy: false,
  }
}

/** A reaction in messages and events. */
export function viewReaction(
  { emojiName, emojiCode, reactionType, userId }: Reaction,
  isOriginal: boolean | undefined,
): ValueOf<typeof REACTION_VIEW> {
  const reaction_type = shownReactionType(reactionType, isOriginal)
  return { emoji_name: emojiName, emoji_code: emojiCode, reaction_type, user_id: userId }
}

// Both kinds of recipients share one number space: channels are even, conversations odd.
function encodeConversation(
  { userIds, conversationId }: Destination & { readonly kind: 'direct' },
  state: OrganizationState,
): string {
  const partners = userIds.map((id) => encodePartner(state.getUser(id), state)).join(',')
  return `"type":"private","display_recipient":[${partners}],"recipient_id":${conversationId * 2 + 1},"subject":""`
}

function encodePartner(user: User, state: OrganizationState): string {
  const email = state.apiEmailOf(user)
  return JSON.stringify({ id: user.id, email, full_name: user.fullName, is_mirror_dummy: false })
}
