/** What of one channel's messages is in memory: the newest, and pages of older ones that somebody has read. */

import type { Message } from '../domain/entities.ts'
import type { MessagesUpdated, ReactionEvent, SubmessageAdded } from '../domain/events/messages.ts'
import type { EventId, MessageId } from '../domain/ids.ts'
import type { PageBounds } from '../domain/page-bounds.ts'
import { topicKey } from '../domain/topics.ts'
import { updateMessage } from '../domain/update-message.ts'
import { bytesOf, dropEncodings, cacheMessage, type CachedMessage } from './cached-message.ts'

/** Newest messages kept: two pages of what clients ask for when they open a channel. */
export const RECENT_LENGTH_MAX = 256
/** Below so many, after deletions, the newest are read anew: one page. */
const RECENT_LENGTH_MIN = 128
/** Newest messages whose encodings may stay: a page of them is read again and again, what lies behind it is not. */
const ENCODED_LENGTH_MAX = 128
/** Bytes of one channel: some 5,000 messages of usual length. Beyond that only the newest stay. */
const BYTES_MAX = 8 * 1024 * 1024

/** Ids between which, both included, all messages of the channel are held. The last span ends where the log does. */
interface Span {
  readonly from: number
  readonly through: number
}

/** What of the messages is asked for. */
export interface CachedQuery extends PageBounds {
  /** Later ones are passed over: they came after the reader's rights were looked at. */
  readonly asOf: EventId
  /** Undefined for all topics. */
  readonly topic: string | undefined
}

/** A page of messages, ascending. */
export interface CachedPage {
  readonly messages: readonly CachedMessage[]
  readonly isOldestFound: boolean
  readonly isNewestFound: boolean
}

/** Follows the log once it holds the newest messages. */
export class ChannelMessages {
  /** Ascending. */
  #messages: CachedMessage[]
  /** Ascending, apart from each other. */
  #spans: readonly Span[]
  #bytes = 0
  #lengthMax: number
  /** How many of the newest have encodings that stay: as many as the longest page of them has. */
  #encodedLength = 0
  #version = 0
  #changeCount = 0

  /** Starts from the newest messages in ascending order; fewer than `RECENT_LENGTH_MAX` are all there are. */
  constructor(newest: readonly Message[]) {
    this.#messages = newest.map(cacheMessage)
    const from = newest.length < RECENT_LENGTH_MAX ? 0 : (newest[0] as Message).id
    this.#spans = [{ from, through: Number.POSITIVE_INFINITY }]
    this.#lengthMax = RECENT_LENGTH_MAX
    for (const kept of this.#messages) this.#bytes += bytesOf(kept)
  }

  /** Bytes held, for the bound over all channels. */
  get bytes(): number {
    return this.#bytes
  }

  /** Changes whenever a page may. */
  get version(): number {
    return this.#version
  }

  /** 0 without any. */
  get newestId(): number {
    return this.#messages.at(-1)?.message.id ?? 0
  }

  /** Grows with each change of messages: what was read from the database before one may be older than it. */
  get changeCount(): number {
    return this.#changeCount
  }

  /** Whether so few of the newest are left that the database must be asked for most pages. */
  get isWorn(): boolean {
    const { from } = this.#spans.at(-1) as Span
    return from > 0 && this.#messages.length - this.#indexOf(from) < RECENT_LENGTH_MIN
  }

  /** Whether one of them is in a topic. */
  hasTopic(topic: string): boolean {
    const key = topicKey(topic)
    return this.#messages.some((kept) => isInTopic(kept, key))
  }

  /** A page, where all that it may hold is in memory. */
  page({ anchor, before, after, isAnchorIncluded, asOf, topic }: CachedQuery): CachedPage | undefined {
    const isAtEnd = anchor > asOf
    const at = Math.min(isAnchorIncluded || after > 0 ? anchor : anchor - 1, asOf)
    const span = this.#spans.find(({ from, through }) => from <= at && at <= through)
    if (!span) return undefined
    const key = topic === undefined ? undefined : topicKey(topic)
    const start = this.#indexOf(anchor)
    const older: CachedMessage[] = []
    // One more than asked for tells whether there are others.
    for (let index = start - 1; before > 0 && index >= 0 && older.length <= before; index--) {
      const kept = this.#messages[index] as CachedMessage
      if (kept.message.id < span.from) break
      if (kept.message.id <= asOf && isInTopic(kept, key)) older.push(kept)
    }
    const isOldestFound = anchor === 0 || (before > 0 && older.length <= before)
    if (isOldestFound && before > 0 && span.from > 0) return undefined
    const newer: CachedMessage[] = []
    let atAnchor: CachedMessage | undefined
    const lengthMax = after > 0 ? after : -1
    for (let index = start; index < this.#messages.length; index++) {
      const kept = this.#messages[index] as CachedMessage
      const { id } = kept.message
      if (id > asOf) break
      if (id === anchor) {
        if (isAnchorIncluded && isInTopic(kept, key)) atAnchor = kept
        continue
      }
      if (newer.length > lengthMax || id > span.through) break
      if (isInTopic(kept, key)) newer.push(kept)
    }
    const isNewestFound = isAtEnd || (after > 0 && newer.length <= after)
    if (isNewestFound && span.through < asOf) return undefined
    const messages = older.slice(0, before).reverse()
    if (atAnchor) messages.push(atAnchor)
    messages.push(...newer.slice(0, after))
    return { messages, isOldestFound, isNewestFound }
  }

  /** Holds a page that was read: all messages between two ids, ascending. */
  keep(from: number, through: number, messages: readonly Message[]): void {
    const known = new Map(this.#messages.map((kept) => [kept.message.id, kept]))
    let bytes = 0
    for (const message of messages) {
      if (known.has(message.id)) continue
      const kept = cacheMessage(message)
      known.set(message.id, kept)
      bytes += bytesOf(kept)
    }
    if (this.#bytes + bytes > BYTES_MAX) return this.#forgetOlder()
    this.#bytes += bytes
    this.#lengthMax += known.size - this.#messages.length
    this.#messages = [...known.values()].sort((a, b) => a.message.id - b.message.id)
    this.#spans = withSpan(this.#spans, { from, through })
  }

  /** Notes that a page was encoded, and how many bytes more its messages take since. */
  noteEncoded({ messages: [oldest] }: CachedPage, bytes: number): void {
    const reach = oldest ? this.#messages.length - this.#indexOf(oldest.message.id) : 0
    if (reach <= ENCODED_LENGTH_MAX) this.#encodedLength = Math.max(this.#encodedLength, reach)
    this.#bytes += bytes
    if (this.#bytes > BYTES_MAX) this.#forgetOlder()
  }

  /** Adds a new message, unless it was read already. */
  push(message: Message): void {
    const last = this.#messages.at(-1)
    if (last && last.message.id >= message.id) return
    this.#version++
    const kept = cacheMessage(message)
    this.#messages.push(kept)
    this.#bytes += bytesOf(kept)
    const passed = this.#messages[this.#messages.length - 1 - this.#encodedLength]
    if (passed) this.#bytes -= dropEncodings(passed)
    if (this.#messages.length > this.#lengthMax) this.#dropOldest()
  }

  /** Takes out those that were deleted, or moved to another channel. */
  remove(ids: readonly MessageId[]): void {
    this.#noteChange()
    const deleted = new Set(ids)
    this.#messages = this.#messages.filter((kept) => {
      if (!deleted.has(kept.message.id)) return true
      this.#bytes -= bytesOf(kept)
      return false
    })
  }

  /** Takes an edit of one of them, or the move of some. */
  update(id: EventId, event: MessagesUpdated): void {
    if (event.move?.toChannel) return this.remove(event.messageIds)
    this.#noteChange()
    for (const messageId of event.messageIds) {
      this.#replace(messageId, (known) => updateMessage(known, id, event))
    }
  }

  /** Takes a reaction to one of them, or its end; one that was read from the database already is there once. */
  react({ type, messageId, emojiName, emojiCode, reactionType, userId }: ReactionEvent): void {
    this.#noteChange()
    this.#replace(messageId, (known) => {
      const reactions = known.reactions.filter(
        (one) => one.userId !== userId || one.emojiCode !== emojiCode || one.reactionType !== reactionType,
      )
      if (type === 'reaction/add') {
        if (reactions.length < known.reactions.length) return known
        reactions.push({ emojiName, emojiCode, reactionType, userId })
      }
      return { ...known, reactions }
    })
  }

  /** Takes what somebody did in one of them; what was read from the database already is there once. */
  attach(id: EventId, { messageId, senderId, content }: SubmessageAdded): void {
    this.#noteChange()
    this.#replace(messageId, (known) => {
      if (known.submessages.some((one) => one.id >= id)) return known
      const submessages = [...known.submessages, { id, messageId, senderId, type: 'widget', content }]
      return { ...known, submessages }
    })
  }

  #noteChange(): void {
    this.#version++
    this.#changeCount++
  }

  #replace(id: MessageId, change: (known: Message) => Message): void {
    const index = this.#indexOf(id)
    const known = this.#messages[index]
    if (known?.message.id !== id) return
    const message = change(known.message)
    if (message === known.message) return
    const kept = cacheMessage(message)
    this.#messages[index] = kept
    this.#bytes += bytesOf(kept) - bytesOf(known)
  }

  #dropOldest(): void {
    const oldest = this.#messages.shift() as CachedMessage
    this.#bytes -= bytesOf(oldest)
    const from = oldest.message.id + 1
    this.#spans = this.#spans
      .filter(({ through }) => through >= from)
      .map((span) => (span.from < from ? { ...span, from } : span))
  }

  #forgetOlder(): void {
    while (this.#messages.length > RECENT_LENGTH_MAX) this.#dropOldest()
    this.#lengthMax = RECENT_LENGTH_MAX
  }

  /** Where the first message with an id of at least `id` is. */
  #indexOf(id: number): number {
    let low = 0
    let high = this.#messages.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#messages[middle] as CachedMessage).message.id < id) low = middle + 1
      else high = middle
    }
    return low
  }
}

function isInTopic({ message: { destination } }: CachedMessage, key: string | undefined): boolean {
  return key === undefined || (destination.kind === 'channel' && topicKey(destination.topic) === key)
}

/** The spans with another one; those that meet are one. */
function withSpan(spans: readonly Span[], added: Span): readonly Span[] {
  const sorted = [...spans, added].sort((a, b) => a.from - b.from)
  const joined: Span[] = []
  for (const span of sorted) {
    const last = joined.at(-1)
    if (last && span.from <= last.through + 1) {
      joined[joined.length - 1] = { from: last.from, through: Math.max(last.through, span.through) }
    } else joined.push(span)
  }
  return joined
}
