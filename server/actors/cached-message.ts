/** A message that is held in memory, encoded once for each form in which clients want it. */

import { type Channel, type Message, textLengthOf, type User } from '../domain/entities.ts'
import type { UserId } from '../domain/ids.ts'
import type { OrganizationSettings } from '../domain/organization-settings.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { encodeMessage, type MessageViewOptions } from '../views/message-view.ts'

/** A message with its encodings, which hold as long as all that they are made of is as it was. */
export interface CachedMessage {
  readonly message: Message
  /** Few, as clients differ by few forms; most messages have none. */
  encodings: readonly Encoding[]
  /** Bytes of all encodings. */
  encodedBytes: number
}

interface Encoding {
  readonly variant: number
  readonly sender: User
  /** Who reacted to it, in order; left out where the encoding tells their ids alone. */
  readonly reactors?: readonly User[]
  readonly channel: Channel
  readonly visibility: OrganizationSettings['editHistoryVisibility']
  readonly linkifiers: OrganizationState['linkifiers']
  /** UTF-8 with one character for each byte. A small buffer would share its slab of 8 KiB, and keep the whole slab alive. */
  readonly utf8: string
}

const NONE: readonly never[] = []

/** What a message takes besides its texts and encodings, as measured. */
const ENTRY_BYTES = 400
/** What an encoding takes besides its bytes. */
const ENCODING_BYTES = 160

/** Bytes that a message takes, about; most texts take one for each character. */
export function bytesOf({ message, encodedBytes }: CachedMessage): number {
  return ENTRY_BYTES + textLengthOf(message) + encodedBytes
}

/** A message to be held. */
export function cacheMessage(message: Message): CachedMessage {
  return { message, encodings: NONE, encodedBytes: 0 }
}

/** Drops the encodings of a message, which come back when it is read; answers how many bytes that frees. */
export function dropEncodings(held: CachedMessage): number {
  const freed = held.encodedBytes
  held.encodings = NONE
  held.encodedBytes = 0
  return freed
}

/**
 * A message of a channel in UTF-8, one character for each byte, without its flags and the closing brace. The message may
 * take more memory from then on.
 */
export function encodeCached(
  held: CachedMessage,
  state: OrganizationState,
  options: MessageViewOptions,
): string {
  const { message, encodings } = held
  // What is told of its former channels depends on how these are now, and of its users on who reads it.
  const known = options.viewerId === undefined ? undefined : state.sight.of(options.viewerId)
  const isOfUnknown =
    known !== undefined &&
    (!known.has(message.senderId) || message.reactions.some(({ userId }) => !known.has(userId)))
  if (message.moves || isOfUnknown) return encodeInUtf8(message, state, options)
  const sender = state.getUser(message.senderId)
  if (message.destination.kind !== 'channel') throw new Error('a channel holds a direct message')
  const { channel } = state.getChannel(message.destination.channelId)
  const variant = variantOf(options)
  const kept = encodings.find((encoding) => encoding.variant === variant)
  const visibility = state.settings.editHistoryVisibility
  const { linkifiers } = state
  if (
    kept?.sender === sender &&
    kept.channel === channel &&
    kept.visibility === visibility &&
    kept.linkifiers === linkifiers &&
    areReactors(kept.reactors, message, state)
  ) {
    return kept.utf8
  }
  const utf8 = encodeInUtf8(message, state, options)
  const reactors =
    options.namesReactors && message.reactions.length > 0
      ? { reactors: message.reactions.map(({ userId }) => state.getUser(userId)) }
      : {}
  held.encodedBytes += kept ? utf8.length - kept.utf8.length : utf8.length + ENCODING_BYTES
  const made = { variant, sender, ...reactors, channel, visibility, linkifiers, utf8 }
  held.encodings = [made, ...encodings.filter((encoding) => encoding !== kept)]
  return utf8
}

/** A page of other texts would be encoded in UTF-8 again at each reply. */
function encodeInUtf8(message: Message, state: OrganizationState, options: MessageViewOptions): string {
  return Buffer.from(encodeMessage(message, state, options)).toString('latin1')
}

/** Whether those who reacted are as they were when the encoding was made. */
function areReactors(
  reactors: readonly User[] | undefined,
  { reactions }: Message,
  state: OrganizationState,
): boolean {
  return (
    reactors?.every((user, index) => user === state.users.get(reactions[index]?.userId as UserId)) ?? true
  )
}

/** Numbers the forms: equal numbers, equal bytes. */
export function variantOf({
  applyMarkdown,
  clientGravatar,
  allowEmptyTopic,
  isGuest,
  namesReactors,
}: MessageViewOptions): number {
  const form = (applyMarkdown ? 1 : 0) | (clientGravatar ? 2 : 0) | (allowEmptyTopic ? 4 : 0)
  return form | (isGuest ? 8 : 0) | (namesReactors ? 16 : 0)
}
