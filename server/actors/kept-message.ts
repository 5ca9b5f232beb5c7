/** A message that is held in memory, encoded once for each form in which clients want it. */

import { type Channel, type Message, textLengthOf, type User } from '../domain/entities.ts'
import type { OrganizationSettings } from '../domain/organization-settings.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { encodeMessage, type MessageViewOptions } from '../views/message-view.ts'

/** A message with its encodings, which hold as long as all that they are made of is as it was. */
export interface KeptMessage {
  readonly message: Message
  readonly encodings: Map<number, Encoding>
}

interface Encoding {
  readonly sender: User
  readonly channel: Channel
  readonly visibility: OrganizationSettings['editHistoryVisibility']
  readonly linkifiers: OrganizationState['linkifiers']
  readonly bytes: Buffer
}

/** What a message takes besides its texts, with what is kept of its encodings, roughly. */
const ENTRY_LENGTH = 1_000

/** Characters that a message takes, about. */
export function lengthOf({ message }: KeptMessage): number {
  return ENTRY_LENGTH + textLengthOf(message)
}

/** A message to be held. */
export function keepMessage(message: Message): KeptMessage {
  return { message, encodings: new Map() }
}

/** A message of a channel in UTF-8, without its flags and the closing brace. */
export function encodeKept(
  { message, encodings }: KeptMessage,
  state: OrganizationState,
  options: MessageViewOptions,
): Buffer {
  // What is told of its former channels depends on how these are now, and of its sender on who reads it.
  const isUnknown = options.viewerId !== undefined && !state.sight.knows(options.viewerId, message.senderId)
  if (message.moves || isUnknown) return Buffer.from(encodeMessage(message, state, options))
  const sender = state.getUser(message.senderId)
  if (message.destination.kind !== 'channel') throw new Error('a channel holds a direct message')
  const { channel } = state.getChannel(message.destination.channelId)
  const variant = variantOf(options)
  const known = encodings.get(variant)
  const visibility = state.settings.editHistoryVisibility
  const { linkifiers } = state
  if (
    known?.sender === sender &&
    known.channel === channel &&
    known.visibility === visibility &&
    known.linkifiers === linkifiers
  ) {
    return known.bytes
  }
  // Bytes, since a page of texts would be encoded again at each reply.
  const bytes = Buffer.from(encodeMessage(message, state, options))
  encodings.set(variant, { sender, channel, visibility, linkifiers, bytes })
  return bytes
}

/** Numbers the forms: equal numbers, equal bytes. */
export function variantOf({
  applyMarkdown,
  clientGravatar,
  allowEmptyTopic,
  isGuest,
}: MessageViewOptions): number {
  const form = (applyMarkdown ? 1 : 0) | (clientGravatar ? 2 : 0) | (allowEmptyTopic ? 4 : 0)
  return form | (isGuest ? 8 : 0)
}
