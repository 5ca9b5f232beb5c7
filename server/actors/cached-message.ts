/** A message in memory, encoded once for each form that clients choose. */

import {
  type Channel,
  EXTRA_REACTION_TYPE,
  type Message,
  textLengthOf,
  type User,
} from '../domain/entities.ts'
import type { UserId } from '../domain/ids.ts'
import type { OrganizationSettings } from '../domain/organization/organization-settings.ts'
import { VISITOR_ID } from '../domain/users/visitor.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { encodeMessage, type MessageViewOptions } from '../views/message-view.ts'

/** A message with its encodings; they are valid until something that they contain changes. */
export interface CachedMessage {
  readonly message: Message
  /** Few, since clients choose few forms; most messages have none. */
  encodings: readonly Encoding[]
  /** Bytes of all encodings. */
  encodedBytes: number
}

interface Encoding {
  readonly variant: number
  readonly sender: User
  /** The users who reacted, in order; omitted if the encoding has only their ids. */
  readonly reactors?: readonly User[]
  readonly channel: Channel
  readonly visibility: OrganizationSettings['editHistoryVisibility']
  readonly linkifiers: OrganizationState['linkifiers']
  /** UTF-8, one character per byte. A small buffer would share a slab of 8 KiB and keep all of it alive. */
  readonly utf8: string
}

/** The form of a message with a reaction type in its original spelling; other messages have one form for both. */
const ORIGINAL_TYPES_VARIANT = 64
const NONE: readonly never[] = []

/** Bytes of a message besides its texts and encodings, as measured. */
const ENTRY_BYTES = 400
/** Bytes of an encoding besides its text. */
const ENCODING_BYTES = 160

/** The approximate bytes of a message; most texts take one byte per character. */
export function bytesOf({ message, encodedBytes }: CachedMessage): number {
  return ENTRY_BYTES + textLengthOf(message) + encodedBytes
}

/** Makes a cache entry for a message. */
export function cacheMessage(message: Message): CachedMessage {
  return { message, encodings: NONE, encodedBytes: 0 }
}

/** Drops the encodings of a message until it is read again; returns the number of bytes freed. */
export function dropEncodings(held: CachedMessage): number {
  const freed = held.encodedBytes
  held.encodings = NONE
  held.encodedBytes = 0
  return freed
}

/**
 * A channel message in UTF-8, one character per byte, without its flags and the closing brace. This may increase the
 * message's bytes.
 */
export function encodeCached(
  held: CachedMessage,
  state: OrganizationState,
  options: MessageViewOptions,
): string {
  const { message, encodings } = held
  // Moves depend on the current state of former channels, and users on the reader.
  const known = options.viewerId === undefined ? undefined : state.userVisibility.of(options.viewerId)
  const isOfUnknown =
    known !== undefined &&
    (!known.has(message.senderId) || message.reactions.some(({ userId }) => !known.has(userId)))
  if (message.moves || isOfUnknown) return encodeInUtf8(message, state, options)
  const sender = state.getUser(message.senderId)
  if (message.destination.kind !== 'channel') throw new Error('a channel holds a direct message')
  const { channel } = state.getChannel(message.destination.channelId)
  const variant =
    variantOf(options) | (options.readsOriginalTypes && hasExtraEmoji(message) ? ORIGINAL_TYPES_VARIANT : 0)
  const cached = encodings.find((encoding) => encoding.variant === variant)
  const visibility = state.settings.editHistoryVisibility
  const { linkifiers } = state
  if (
    cached?.sender === sender &&
    cached.channel === channel &&
    cached.visibility === visibility &&
    cached.linkifiers === linkifiers &&
    areReactors(cached.reactors, message, state)
  ) {
    return cached.utf8
  }
  const utf8 = encodeInUtf8(message, state, options)
  const reactors =
    options.namesReactors && message.reactions.length > 0
      ? { reactors: message.reactions.map(({ userId }) => state.getUser(userId)) }
      : {}
  held.encodedBytes += cached ? utf8.length - cached.utf8.length : utf8.length + ENCODING_BYTES
  const made = { variant, sender, ...reactors, channel, visibility, linkifiers, utf8 }
  held.encodings = [made, ...encodings.filter((encoding) => encoding !== cached)]
  return utf8
}

/** Otherwise a page of non-Latin texts would be encoded in UTF-8 at each reply. */
function encodeInUtf8(message: Message, state: OrganizationState, options: MessageViewOptions): string {
  return Buffer.from(encodeMessage(message, state, options)).toString('latin1')
}

/** Whether the users who reacted are unchanged since the encoding. */
function areReactors(
  reactors: readonly User[] | undefined,
  { reactions }: Message,
  state: OrganizationState,
): boolean {
  return (
    reactors?.every((user, index) => user === state.users.get(reactions[index]?.userId as UserId)) ?? true
  )
}

/** Whether a message has a reaction whose type clients spell differently. */
export function hasExtraEmoji({ reactions }: Message): boolean {
  return reactions.some(({ reactionType }) => reactionType === EXTRA_REACTION_TYPE)
}

/** Numbers the forms: equal numbers mean equal bytes, except for the spelling of reaction types. */
export function variantOf({
  applyMarkdown,
  clientGravatar,
  allowEmptyTopic,
  isGuest,
  namesReactors,
  viewerId,
}: MessageViewOptions): number {
  const form = (applyMarkdown ? 1 : 0) | (clientGravatar ? 2 : 0) | (allowEmptyTopic ? 4 : 0)
  return form | (isGuest ? 8 : 0) | (namesReactors ? 16 : 0) | (viewerId === VISITOR_ID ? 32 : 0)
}
