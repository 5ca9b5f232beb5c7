/** The newest messages of one channel, kept from the log and encoded once for each form. */

import { type Channel, type Message, textLengthOf, type User } from '../domain/entities.ts'
import type { MessagesUpdated, ReactionEvent, SubmessageAdded } from '../domain/events.ts'
import type { EventId, MessageId } from '../domain/ids.ts'
import type { OrganizationSettings } from '../domain/organization-settings.ts'
import { topicKey } from '../domain/topics.ts'
import { updateMessage } from '../domain/update-message.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { encodeMessage, type MessageViewOptions } from '../views/message-view.ts'

/** Messages kept: two pages of what clients ask for when they open a channel. */
export const RECENT_LENGTH_MAX = 256

/** Below so many, after deletions, the window is read anew: one page. */
const RECENT_LENGTH_MIN = 128

/** A message with its encodings, which hold as long as its sender, its channel and what is told of edits are as they were. */
interface RecentMessage {
  readonly message: Message
  readonly encodings: Map<number, { sender: User; channel: Channel; visibility: Visibility; bytes: Buffer }>
}
type Visibility = OrganizationSettings['editHistoryVisibility']

/** The window on the end of one channel. */
export class RecentMessages {
  #messages: RecentMessage[] = []
  /** Whether the window reaches back to the channel's first message. */
  #isWhole: boolean
  #textLength = 0

  /** Starts from the newest messages in ascending order; fewer than the window's length are all there are. */
  constructor(newest: readonly Message[]) {
    this.#isWhole = newest.length < RECENT_LENGTH_MAX
    for (const message of newest) this.push(message)
  }

  /** Characters held, for the bound over all channels. */
  get textLength(): number {
    return this.#textLength
  }

  /** Adds a message, unless the window has it already. */
  push(message: Message): void {
    const last = this.#messages.at(-1)
    if (last && last.message.id >= message.id) return
    this.#messages.push({ message, encodings: new Map() })
    this.#textLength += textLengthOf(message)
    if (this.#messages.length <= RECENT_LENGTH_MAX) return
    const oldest = this.#messages.shift() as RecentMessage
    this.#textLength -= textLengthOf(oldest.message)
    this.#isWhole = false
  }

  /** Takes out those that were deleted, or moved to another channel. */
  remove(ids: readonly MessageId[]): void {
    const deleted = new Set(ids)
    this.#messages = this.#messages.filter(({ message }) => {
      if (!deleted.has(message.id)) return true
      this.#textLength -= textLengthOf(message)
      return false
    })
  }

  /** Takes an edit of one of them, or the move of some. */
  update(id: EventId, event: MessagesUpdated): void {
    if (event.move?.toChannel) return this.remove(event.messageIds)
    const changed = new Set(event.messageIds)
    for (const [index, { message: known }] of this.#messages.entries()) {
      if (!changed.has(known.id)) continue
      const message = updateMessage(known, id, event)
      this.#messages[index] = { message, encodings: new Map() }
      this.#textLength += textLengthOf(message) - textLengthOf(known)
    }
  }

  /** Takes a reaction to one of them, or its end; one that was read from the database already is there once. */
  react({ type, messageId, emojiName, emojiCode, reactionType, userId }: ReactionEvent): void {
    const index = this.#messages.findLastIndex(({ message }) => message.id === messageId)
    const known = this.#messages[index]?.message
    if (!known) return
    const reactions = known.reactions.filter(
      (one) => one.userId !== userId || one.emojiCode !== emojiCode || one.reactionType !== reactionType,
    )
    if (type === 'reaction/add') {
      if (reactions.length < known.reactions.length) return
      reactions.push({ emojiName, emojiCode, reactionType, userId })
    }
    const message = { ...known, reactions }
    this.#messages[index] = { message, encodings: new Map() }
    this.#textLength += textLengthOf(message) - textLengthOf(known)
  }

  /** Takes what somebody did in one of them; what was read from the database already is there once. */
  attach(id: EventId, { messageId, senderId, content }: SubmessageAdded): void {
    const index = this.#messages.findLastIndex(({ message }) => message.id === messageId)
    const known = this.#messages[index]?.message
    if (!known || known.submessages.some((one) => one.id >= id)) return
    const submessages = [...known.submessages, { id, messageId, senderId, type: 'widget', content }]
    const message = { ...known, submessages }
    this.#messages[index] = { message, encodings: new Map() }
    this.#textLength += textLengthOf(message) - textLengthOf(known)
  }

  /** Whether so few are left that the database must be asked for most pages. */
  get isWorn(): boolean {
    return !this.#isWhole && this.#messages.length < RECENT_LENGTH_MIN
  }

  /** Whether one of them is in a topic. */
  hasTopic(topic: string): boolean {
    const key = topicKey(topic)
    return this.#messages.some(
      ({ message: { destination } }) => destination.kind === 'channel' && topicKey(destination.topic) === key,
    )
  }

  /**
   * The newest `count` messages, of one topic where it is given, ascending and encoded in UTF-8 without
   * the closing brace; undefined where the window does not reach far enough. Later ones than `asOf` are
   * passed over: they came after the reader's rights were looked at.
   */
  newest(
    asOf: EventId,
    count: number,
    topic: string | undefined,
    state: OrganizationState,
    options: MessageViewOptions,
  ): { messages: { message: Message; encoded: Buffer }[]; isOldestFound: boolean } | undefined {
    const key = topic === undefined ? undefined : topicKey(topic)
    const found: RecentMessage[] = []
    // One more than asked for tells whether there are older ones.
    for (let index = this.#messages.length - 1; index >= 0 && found.length <= count; index--) {
      const recent = this.#messages[index] as RecentMessage
      const { id, destination } = recent.message
      if (id > asOf) continue
      if (key !== undefined && (destination.kind !== 'channel' || topicKey(destination.topic) !== key))
        continue
      found.push(recent)
    }
    const isOldestFound = found.length <= count
    if (isOldestFound && !this.#isWhole) return undefined
    const messages = found
      .slice(0, count)
      .reverse()
      .map((recent) => ({ message: recent.message, encoded: this.#encode(recent, state, options) }))
    return { messages, isOldestFound }
  }

  #encode(
    { message, encodings }: RecentMessage,
    state: OrganizationState,
    options: MessageViewOptions,
  ): Buffer {
    // What is told of its former channels depends on how these are now.
    if (message.moves) return Buffer.from(encodeMessage(message, state, options))
    const variant =
      (options.applyMarkdown ? 1 : 0) | (options.clientGravatar ? 2 : 0) | (options.allowEmptyTopic ? 4 : 0)
    const sender = state.getUser(message.senderId)
    if (message.destination.kind !== 'channel') throw new Error('a channel holds a direct message')
    const { channel } = state.getChannel(message.destination.channelId)
    const known = encodings.get(variant)
    const visibility = state.settings.editHistoryVisibility
    if (known && known.sender === sender && known.channel === channel && known.visibility === visibility)
      return known.bytes
    // Bytes, since a page of texts would be encoded again at each reply.
    const bytes = Buffer.from(encodeMessage(message, state, options))
    encodings.set(variant, { sender, channel, visibility, bytes })
    return bytes
  }
}
