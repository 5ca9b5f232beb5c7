/** The flags of messages for one user: read, starred, collapsed; by marks and their exceptions. */

import type { FlaggedMessage } from '../../db/unread/flagged-messages.ts'
import type { ReaderRows } from '../../db/unread/read-marks.ts'
import { isInSpan, type MutingSpan } from '../../db/personal/mutings.ts'
import type { SubscriptionSpan } from '../../db/organization/subscriptions.ts'
import type { LogEntry } from '../domain/events.ts'
import type { MessagesOfPlace } from '../domain/events/messages.ts'
import type { ChannelId, EventId, MessageId, UserId } from '../domain/ids.ts'
import {
  isReadAtSending,
  MESSAGE_FLAGS,
  mentionFlagsOf,
  type SettableFlag,
} from '../domain/messages/message-flags.ts'
import { EVERYWHERE, type Place, placeWhereSent } from '../domain/messages/places.ts'

/** Bytes of one id in a set, as measured: 33 for small numbers, 49 beyond 31 bits. */
const ID_BYTES = 48
/** Bytes of a mark with two empty sets, as measured. */
const MARK_BYTES = 400
/** Bytes of a span with its share of a list by channel or user, as measured. */
const SPAN_BYTES = 150
/**
 * Exceptions that one place may gain in memory before it is loaded again. The database moves its mark after each 256 to
 * where the fewest are left, and the log does not have that.
 */
const GAINED_IDS_MAX = 1_024

/** How far one place is read. */
interface Mark {
  readonly throughId: number
  readonly readIds: Set<MessageId>
  readonly unreadIds: Set<MessageId>
  /** Its number of exceptions when it was loaded. */
  readonly loadedIds: number
}

/** A projection of the log for one user; it never loads data. */
export class Reader {
  readonly userId: UserId
  readonly #spans: Map<ChannelId, SubscriptionSpan[]>
  readonly #marks = new Map<Place, Mark>()
  /** The times during which the user had muted others, by muted user. */
  readonly #mutings: Map<UserId, MutingSpan[]>
  /** Starred and collapsed messages. */
  readonly #chosen: Map<MessageId, number>
  #readThroughId: number
  #bytes: number

  constructor(userId: UserId, { spans, marks, chosen, mutings }: ReaderRows) {
    this.userId = userId
    this.#spans = Map.groupBy(spans, ({ channelId }) => channelId)
    this.#chosen = new Map(chosen.map(({ messageId, flags }) => [messageId, flags]))
    this.#mutings = Map.groupBy(mutings, ({ mutedId }) => mutedId)
    this.#bytes =
      (spans.length + mutings.length) * SPAN_BYTES + marks.length * MARK_BYTES + chosen.length * ID_BYTES
    for (const { place, throughId, readIds, unreadIds } of marks) {
      const loadedIds = readIds.length + unreadIds.length
      this.#marks.set(place, {
        throughId,
        readIds: new Set(readIds),
        unreadIds: new Set(unreadIds),
        loadedIds,
      })
      this.#bytes += loadedIds * ID_BYTES
    }
    this.#readThroughId = this.#marks.get(EVERYWHERE)?.throughId ?? 0
  }

  /** The approximate bytes in memory. */
  get bytes(): number {
    return this.#bytes
  }

  /** The sum of a message's flags; the user must be able to read the message. */
  flagsOf(message: FlaggedMessage): number {
    const isReceived = this.#isReceived(message, 'once')
    return (
      (this.#chosen.get(message.id) ?? 0) |
      (this.isUnread(message) ? 0 : MESSAGE_FLAGS.read) |
      (isReceived ? mentionFlagsOf(message, this.userId) : MESSAGE_FLAGS.historical)
    )
  }

  /** Whether a message is unread for the user, as `db/unread/unread.ts` lists them. */
  isUnread(message: FlaggedMessage): boolean {
    const { id, destination, senderId } = message
    const mark = this.#marks.get(placeWhereSent(message))
    if (mark?.unreadIds.has(id))
      return destination.kind === 'direct' || this.isSubscribed(destination.channelId)
    if (id <= this.#readThroughId || isReadAtSending(message, this.userId)) return false
    if (mark && (id <= mark.throughId || mark.readIds.has(id))) return false
    if (this.#mutings.size > 0 && isInSpan(this.#mutings.get(senderId) ?? [], id)) return false
    return this.#isReceived(message, 'since')
  }

  /** Whether the user is subscribed to a channel. */
  isSubscribed(channelId: ChannelId): boolean {
    return this.#spans.get(channelId)?.some(({ untilId }) => untilId === null) ?? false
  }

  /**
   * Whether the user received the message: they were subscribed to each of its channels when it was there. With `since`
   * they were subscribed for as long as it was or is there.
   */
  #isReceived({ id, destination, moves }: FlaggedMessage, time: 'once' | 'since'): boolean {
    if (destination.kind === 'direct') return true
    const placedId = moves?.placedId ?? (id as number as EventId)
    const untilId = time === 'once' ? placedId : Number.POSITIVE_INFINITY
    if (!this.#wasSubscribed(destination.channelId, placedId, untilId)) return false
    return (moves?.passed ?? []).every((stay, index, passed) =>
      this.#wasSubscribed(
        stay.channelId,
        stay.placedId,
        time === 'once' ? stay.placedId : (passed[index + 1]?.placedId ?? placedId),
      ),
    )
  }

  #wasSubscribed(channelId: ChannelId, from: EventId, until: number): boolean {
    return (
      this.#spans
        .get(channelId)
        ?.some(({ fromId, untilId }) => fromId < from && (untilId === null || untilId >= until)) ?? false
    )
  }

  /** The number of read messages after a place's mark. */
  countReadIds(place: Place): number {
    return this.#marks.get(place)?.readIds.size ?? 0
  }

  /** Applies an entry that concerns the user; false if the user must be loaded again. */
  apply({ id, event }: LogEntry): boolean {
    switch (event.type) {
      case 'update_message_flags':
        if (event.isAll) {
          for (const { readIds, unreadIds } of this.#marks.values())
            this.#bytes -= MARK_BYTES + (readIds.size + unreadIds.size) * ID_BYTES
          this.#marks.clear()
          this.#readThroughId = id
        } else if (event.flag === 'read') return this.#mark(event.messages, event.op)
        else this.#choose(event.messages, event.op, event.flag)
        return true
      case 'update_message':
        if (event.move?.toChannel && !this.isSubscribed(event.move.toChannel.channelId))
          for (const { unreadIds } of this.#marks.values())
            for (const messageId of unreadIds.size === 0 ? [] : event.messageIds)
              this.#bytes -= unreadIds.delete(messageId) ? ID_BYTES : 0
        return true
      case 'subscription/add':
        for (const { id: channelId } of event.channels) {
          const spans = this.#spans.get(channelId) ?? []
          this.#spans.set(channelId, [...spans, { channelId, fromId: id, untilId: null }])
          this.#bytes += SPAN_BYTES
        }
        return true
      default:
        return false
    }
  }

  /** False if a place has gained so many exceptions that the database has moved its mark. */
  #mark(messages: readonly MessagesOfPlace[], op: 'add' | 'remove'): boolean {
    let isBounded = true
    for (const { place, messageIds } of messages) {
      let mark = this.#marks.get(place)
      if (!mark) {
        mark = { throughId: 0, readIds: new Set(), unreadIds: new Set(), loadedIds: 0 }
        this.#marks.set(place, mark)
        this.#bytes += MARK_BYTES
      }
      const [from, to] = op === 'add' ? [mark.unreadIds, mark.readIds] : [mark.readIds, mark.unreadIds]
      const before = from.size + to.size
      for (const id of messageIds) {
        from.delete(id)
        if (op === 'remove' || id > mark.throughId) to.add(id)
      }
      const after = from.size + to.size
      this.#bytes += (after - before) * ID_BYTES
      if (after - mark.loadedIds > GAINED_IDS_MAX) isBounded = false
    }
    return isBounded
  }

  #choose(messages: readonly MessagesOfPlace[], op: 'add' | 'remove', flag: SettableFlag): void {
    for (const id of messages.flatMap(({ messageIds }) => messageIds)) {
      const flags = this.#chosen.get(id) ?? 0
      const changed = op === 'add' ? flags | MESSAGE_FLAGS[flag] : flags & ~MESSAGE_FLAGS[flag]
      if (changed === 0) this.#chosen.delete(id)
      else this.#chosen.set(id, changed)
      this.#bytes += (Math.sign(changed) - Math.sign(flags)) * ID_BYTES
    }
  }
}
