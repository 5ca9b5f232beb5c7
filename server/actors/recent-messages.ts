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

/** What of the window is asked for, and in which form. */
export interface NewestQuery {
  /** Later ones are passed over: they came after the reader's rights were looked at. */
  readonly asOf: EventId
  readonly count: number
  /** Undefined for all topics. */
  readonly topic: string | undefined
  readonly options: MessageViewOptions
  /** The flags of a message for the reader. */
  readonly flagsOf: (message: Message) => number
}

/** One of the newest messages in UTF-8, without its flags and the closing brace. */
export interface NewestMessage {
  readonly encoded: Buffer
  readonly flags: number
}

/** A page that was read from the window since its last change, to be given to whom it looks the same. */
interface KnownPage {
  readonly structuralId: EventId
  readonly messages: readonly RecentMessage[]
  readonly flags: readonly number[]
  readonly bytes: Buffer
}

/** Pages kept of one window: clients differ by few forms and topics. */
const PAGES_MAX = 2
/** Bytes of a page that is kept: most are half as long. */
const PAGE_BYTES_MAX = 128 * 1024
/** What a message takes besides its texts, with what is kept of its encodings, roughly. */
const ENTRY_LENGTH = 1_000

function lengthOf(message: Message): number {
  return ENTRY_LENGTH + textLengthOf(message)
}

/** The window on the end of one channel. */
export class RecentMessages {
  #messages: RecentMessage[] = []
  /** Whether the window reaches back to the channel's first message. */
  #isWhole: boolean
  #textLength = 0
  readonly #pages = new Map<string, KnownPage>()

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
    this.#pages.clear()
    const last = this.#messages.at(-1)
    if (last && last.message.id >= message.id) return
    this.#messages.push({ message, encodings: new Map() })
    this.#textLength += lengthOf(message)
    if (this.#messages.length <= RECENT_LENGTH_MAX) return
    const oldest = this.#messages.shift() as RecentMessage
    this.#textLength -= lengthOf(oldest.message)
    this.#isWhole = false
  }

  /** Takes out those that were deleted, or moved to another channel. */
  remove(ids: readonly MessageId[]): void {
    this.#pages.clear()
    const deleted = new Set(ids)
    this.#messages = this.#messages.filter(({ message }) => {
      if (!deleted.has(message.id)) return true
      this.#textLength -= lengthOf(message)
      return false
    })
  }

  /** Takes an edit of one of them, or the move of some. */
  update(id: EventId, event: MessagesUpdated): void {
    if (event.move?.toChannel) return this.remove(event.messageIds)
    const changed = new Set(event.messageIds)
    for (const [index, { message: known }] of this.#messages.entries()) {
      if (!changed.has(known.id)) continue
      this.#replace(index, updateMessage(known, id, event))
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
    this.#replace(index, { ...known, reactions })
  }

  /** Takes what somebody did in one of them; what was read from the database already is there once. */
  attach(id: EventId, { messageId, senderId, content }: SubmessageAdded): void {
    const index = this.#messages.findLastIndex(({ message }) => message.id === messageId)
    const known = this.#messages[index]?.message
    if (!known || known.submessages.some((one) => one.id >= id)) return
    const submessages = [...known.submessages, { id, messageId, senderId, type: 'widget', content }]
    this.#replace(index, { ...known, submessages })
  }

  #replace(index: number, message: Message): void {
    const known = this.#messages[index] as RecentMessage
    this.#pages.clear()
    this.#messages[index] = { message, encodings: new Map() }
    this.#textLength += lengthOf(message) - lengthOf(known.message)
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
   * A page of the newest messages, ascending, as `encode` writes it; undefined where the window does not reach far
   * enough. It is not written again for whom it looks as for the last one who asked.
   */
  newestPage(
    query: NewestQuery,
    state: OrganizationState,
    encode: (messages: readonly NewestMessage[], isOldestFound: boolean) => Buffer,
  ): Buffer | undefined {
    const { asOf, count, topic, options, flagsOf } = query
    const variant = variantOf(options)
    const key = `${variant}/${count}/${topic === undefined ? '' : `>${topicKey(topic)}`}`
    const isLastSeen = (this.#messages.at(-1)?.message.id ?? 0) <= asOf
    const known = this.#pages.get(key)
    if (known && isLastSeen && known.structuralId === state.structuralId) {
      if (known.messages.every(({ message }, index) => flagsOf(message) === known.flags[index]))
        return known.bytes
    }
    const newest = this.#newest(asOf, count, topic)
    if (!newest) return undefined
    const { messages, isOldestFound } = newest
    const flags = messages.map(({ message }) => flagsOf(message))
    const encoded = messages.map((recent, index) => ({
      encoded: this.#encode(recent, variant, state, options),
      flags: flags[index] as number,
    }))
    const bytes = encode(encoded, isOldestFound)
    if (!isLastSeen || bytes.length > PAGE_BYTES_MAX) return bytes
    if (this.#pages.size >= PAGES_MAX) this.#pages.clear()
    this.#pages.set(key, { structuralId: state.structuralId, messages, flags, bytes })
    return bytes
  }

  #newest(asOf: EventId, count: number, topic: string | undefined) {
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
    return { messages: found.slice(0, count).reverse(), isOldestFound }
  }

  #encode(
    { message, encodings }: RecentMessage,
    variant: number,
    state: OrganizationState,
    options: MessageViewOptions,
  ): Buffer {
    // What is told of its former channels depends on how these are now.
    if (message.moves) return Buffer.from(encodeMessage(message, state, options))
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

function variantOf({ applyMarkdown, clientGravatar, allowEmptyTopic, isGuest }: MessageViewOptions): number {
  const form = (applyMarkdown ? 1 : 0) | (clientGravatar ? 2 : 0) | (allowEmptyTopic ? 4 : 0)
  return form | (isGuest ? 8 : 0)
}
