/** The messages of one channel in memory: the newest, and older pages that users have read. */

import type { Message } from '../domain/entities.ts'
import type {
  MessageRendered,
  MessagesUpdated,
  ReactionEvent,
  SubmessageAdded,
} from '../domain/events/messages.ts'
import type { EventId, MessageId } from '../domain/ids.ts'
import { NEWEST_MIN, type PageBounds } from '../domain/messages/page-bounds.ts'
import { topicKey } from '../../packages/rules/topics.ts'
import { updateMessage } from '../domain/messages/update-message.ts'
import { bytesOf, dropEncodings, cacheMessage, type CachedMessage } from './cached-message.ts'

/** The newest messages in memory: two pages as clients request them when they open a channel. */
export const RECENT_LENGTH_MAX = 256
/** With fewer messages after deletions, the newest are loaded again: one page. */
const RECENT_LENGTH_MIN = 128
/** The newest messages whose encodings may stay: a page of them is read often, older ones are not. */
const ENCODED_LENGTH_MAX = 128
/** Bytes of one channel: some 5,000 messages of average length. Beyond it only the newest stay. */
const BYTES_MAX = 8 * 1024 * 1024

/**
 * A range of ids, both included, of which all the channel's messages are in memory. The last span ends at the log's
 * end.
 */
interface Span {
  readonly from: number
  readonly through: number
}

/** The requested messages. */
export interface CachedQuery extends PageBounds {
  /** Later messages are skipped: they were sent after the reader's rights were checked. */
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

/** Follows the log once the newest messages are loaded. */
export class ChannelMessages {
  /** Ascending. */
  #messages: CachedMessage[]
  /** Ascending and disjoint. */
  #spans: readonly Span[]
  #bytes = 0
  #lengthMax: number
  /** How many of the newest messages keep their encodings: the length of the longest page of them. */
  #encodedLength = 0
  #version = 0
  #changeCount = 0

  /** Starts with the newest messages in ascending order; if fewer than `RECENT_LENGTH_MAX`, these are all. */
  constructor(newest: readonly Message[]) {
    this.#messages = newest.map(cacheMessage)
    const from = newest.length < RECENT_LENGTH_MAX ? 0 : (newest[0] as Message).id
    this.#spans = [{ from, through: Number.POSITIVE_INFINITY }]
    this.#lengthMax = RECENT_LENGTH_MAX
    for (const cached of this.#messages) this.#bytes += bytesOf(cached)
  }

  /** Bytes in memory, for the limit over all channels. */
  get bytes(): number {
    return this.#bytes
  }

  /** Changes whenever a page may change. */
  get version(): number {
    return this.#version
  }

  /** 0 without messages. */
  get newestId(): number {
    return this.#messages.at(-1)?.message.id ?? 0
  }

  /** Grows with each change of messages: data read from the database before a change may be stale. */
  get changeCount(): number {
    return this.#changeCount
  }

  /** Whether too few of the newest messages are left, so that most pages would need the database. */
  get isDepleted(): boolean {
    const { from } = this.#spans.at(-1) as Span
    return from > 0 && this.#messages.length - this.#indexOf(from) < RECENT_LENGTH_MIN
  }

  /** Whether one of the messages is in a topic. */
  hasTopic(topic: string): boolean {
    const key = topicKey(topic)
    return this.#messages.some((cached) => isInTopic(cached, key))
  }

  /** A page, if all of its messages are in memory. */
  page({ anchor, before, after, isAnchorIncluded, asOf, topic }: CachedQuery): CachedPage | undefined {
    const at = Math.min(isAnchorIncluded || after > 0 ? anchor : anchor - 1, asOf)
    const span = this.#spans.find(({ from, through }) => from <= at && at <= through)
    if (!span) return undefined
    const key = topic === undefined ? undefined : topicKey(topic)
    const start = this.#indexOf(anchor)
    const older: CachedMessage[] = []
    // One message more than requested shows whether there are others.
    for (let index = start - 1; before > 0 && index >= 0 && older.length <= before; index--) {
      const cached = this.#messages[index] as CachedMessage
      if (cached.message.id < span.from) break
      if (cached.message.id <= asOf && isInTopic(cached, key)) older.push(cached)
    }
    const isOldestFound = anchor === 0 || (before > 0 && older.length <= before)
    if (isOldestFound && before > 0 && span.from > 0) return undefined
    const newer: CachedMessage[] = []
    let atAnchor: CachedMessage | undefined
    const lengthMax = after > 0 ? after : -1
    for (let index = start; index < this.#messages.length; index++) {
      const cached = this.#messages[index] as CachedMessage
      const { id } = cached.message
      if (id > asOf) break
      if (id === anchor) {
        if (isAnchorIncluded && isInTopic(cached, key)) atAnchor = cached
        continue
      }
      if (newer.length > lengthMax || id > span.through) break
      if (isInTopic(cached, key)) newer.push(cached)
    }
    const isNewestFound = anchor >= NEWEST_MIN || (after > 0 && newer.length <= after)
    if (isNewestFound && span.through < asOf) return undefined
    const messages = older.slice(0, before).reverse()
    if (atAnchor) messages.push(atAnchor)
    messages.push(...newer.slice(0, after))
    return { messages, isOldestFound, isNewestFound }
  }

  /** Caches a page that was loaded: all messages between two ids, ascending. */
  keep(from: number, through: number, messages: readonly Message[]): void {
    const known = new Map(this.#messages.map((cached) => [cached.message.id, cached]))
    let bytes = 0
    for (const message of messages) {
      if (known.has(message.id)) continue
      const cached = cacheMessage(message)
      known.set(message.id, cached)
      bytes += bytesOf(cached)
    }
    if (this.#bytes + bytes > BYTES_MAX) return this.#forgetOlder()
    this.#bytes += bytes
    this.#lengthMax += known.size - this.#messages.length
    this.#messages = [...known.values()].sort((a, b) => a.message.id - b.message.id)
    this.#spans = withSpan(this.#spans, { from, through })
  }

  /** Records that a page was encoded, and by how many bytes its messages grew. */
  noteEncoded({ messages: [oldest] }: CachedPage, bytes: number): void {
    const reach = oldest ? this.#messages.length - this.#indexOf(oldest.message.id) : 0
    if (reach <= ENCODED_LENGTH_MAX) this.#encodedLength = Math.max(this.#encodedLength, reach)
    this.#bytes += bytes
    if (this.#bytes > BYTES_MAX) this.#forgetOlder()
  }

  /** Adds a new message, unless it is loaded already. */
  push(message: Message): void {
    const last = this.#messages.at(-1)
    if (last && last.message.id >= message.id) return
    this.#version++
    const cached = cacheMessage(message)
    this.#messages.push(cached)
    this.#bytes += bytesOf(cached)
    const passed = this.#messages[this.#messages.length - 1 - this.#encodedLength]
    if (passed) this.#bytes -= dropEncodings(passed)
    if (this.#messages.length > this.#lengthMax) this.#dropOldest()
  }

  /** Removes messages that were deleted or moved to another channel. */
  remove(ids: readonly MessageId[]): void {
    this.#noteChange()
    const deleted = new Set(ids)
    this.#messages = this.#messages.filter((cached) => {
      if (!deleted.has(cached.message.id)) return true
      this.#bytes -= bytesOf(cached)
      return false
    })
  }

  /** Applies an edit of a message, or a move of several. */
  update(id: EventId, event: MessagesUpdated): void {
    if (event.move?.toChannel) return this.remove(event.messageIds)
    this.#noteChange()
    for (const messageId of event.messageIds) {
      this.#replace(messageId, (known) => updateMessage(known, id, event))
    }
  }

  /** Applies new previews; a message that was loaded from the database with a later text stays. */
  render({ messageId, content, previousRendered, rendered }: MessageRendered): void {
    this.#noteChange()
    this.#replace(messageId, (known) =>
      known.content === content && known.rendered === previousRendered ? { ...known, rendered } : known,
    )
  }

  /** Adds or removes a reaction; one that was loaded from the database already is not added again. */
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

  /** Adds a submessage; one that was loaded from the database already is not added again. */
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
    const cached = cacheMessage(message)
    this.#messages[index] = cached
    this.#bytes += bytesOf(cached) - bytesOf(known)
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

  /** The index of the first message with at least this id. */
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

/** Adds a span to the others; spans that touch are merged. */
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
