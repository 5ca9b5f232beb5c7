/** The newest entries of the log, each with its audience as it was at that number, and its encodings. */

import { MENTION_LENGTH, USER_LENGTH } from '../domain/entities.ts'
import type { LogEntry, LogEvent } from '../domain/events.ts'
import type { ChannelId, EventId } from '../domain/ids.ts'
import { UserSet } from '../domain/user-set.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { type ViewedEntry, wireType } from '../views/event-view.ts'

/** Entries held; a client further behind reads the log. A minute of heavy traffic. */
const ENTRIES_MAX = 16_384
/** Entries that are held however old they are: hours of light traffic. */
const ENTRIES_MIN = 2_048
/**
 * Milliseconds after which an entry goes, unless it is among those few: clients that lose their connection are back
 * within a minute, and so much memory more would serve the few who are not.
 */
const AGE_MS_MAX = 110_000
/** How exactly the age of an entry is known. */
const AGE_STEP_MS = 5_000
/** Characters held, encodings included: hostile sizes must not multiply with the count. */
const LENGTH_MAX = 32 * 1024 * 1024
/** Bytes of all that is held: texts beyond Latin-1 take two for each character. */
export const TIMELINE_BYTES_MAX = 2 * LENGTH_MAX
/**
 * Places of dropped entries that are given back at a time: at least so many, and as many as there are entries, so that a
 * push copies one entry on average.
 */
const FREED_MIN = 1_024
/** What an entry takes besides its texts, as measured. */
const ENTRY_LENGTH = 1_000

/** The JSON texts of one entry by variant: recipients in the same variant get the same bytes. */
export class Encodings {
  /** Few entries have any: most are told to nobody who is there. */
  #texts: Map<number, string> | undefined
  #length = 0
  #timeline: Timeline | undefined

  get(variant: number): string | undefined {
    return this.#texts?.get(variant)
  }

  /** Keeps a text, unless the timeline that holds the entry is full. */
  set(variant: number, text: string): void {
    if (this.#timeline && !this.#timeline.takes(text.length)) return
    flatten(text)
    this.#texts ??= new Map()
    this.#texts.set(variant, text)
    this.#length += text.length
  }

  /** Counts the texts against a timeline, or no longer where there is none. */
  countIn(timeline: Timeline | undefined): number {
    this.#timeline = timeline
    return this.#length
  }
}

/**
 * Makes one string of a text that was put together of some thirty pieces: it would hold them all, in twice the memory.
 * Reading a character does so; it is stored, because the compiler leaves out what is read and not used.
 */
function flatten(text: string): void {
  flattened.character = text.charCodeAt(0)
}

const flattened = { character: 0 }

/** An entry that clients can be told of. */
export interface TimelineEntry extends ViewedEntry {
  /** The type clients know it by; undefined where none is told. */
  readonly wireType: string | undefined
  /** Who is told of it. */
  readonly recipients: UserSet
  /** Who had muted a message's sender; left out where nobody had. */
  readonly mutersAtEvent?: UserSet | undefined
  /** Whether it is a message that anyone but a guest may read. */
  readonly isPublicMessage: boolean
  readonly encodings: Encodings
}

/** Fixes the audience of an entry as of now: call it right after the entry is applied. */
export function placeInTime(entry: LogEntry, state: OrganizationState): TimelineEntry {
  const { audience, event } = entry
  const channel =
    event.type === 'message' && event.channelId !== null ? state.getChannel(event.channelId) : undefined
  const recipients =
    audience.kind === 'users'
      ? audience.users
      : audience.kind === 'nobody'
        ? UserSet.empty
        : state.getChannel(audience.channelId).subscribers
  return {
    ...entry,
    wireType: wireType(event),
    recipients,
    isPublicMessage: channel !== undefined && !channel.channel.isPrivate,
    subscribersAtEvent: subscribersOfRevealed(event, state),
    channelNameAtEvent: channel?.channel.name,
    mutersAtEvent: event.type === 'message' ? state.mutes.mutersOf.get(event.senderId) : undefined,
    encodings: new Encodings(),
  }
}

/** The subscribers of the channels that an event reveals to its audience; the sets are shared with the state. */
function subscribersOfRevealed(
  event: LogEvent,
  state: OrganizationState,
): ReadonlyMap<ChannelId, UserSet> | undefined {
  const ids = revealedChannelIds(event)
  return ids && new Map(ids.map((id) => [id, state.getChannel(id).subscribers]))
}

/** The channels whose subscribers an event tells to those who may not have seen them before. */
export function revealedChannelIds(event: LogEvent): readonly ChannelId[] | undefined {
  switch (event.type) {
    case 'stream/create':
    case 'stream/reveal':
    case 'subscription/add':
    case 'subscription/reveal':
      return event.channels.map(({ id }) => id)
    default:
      return undefined
  }
}

/** A bounded window on the end of the log. */
export class Timeline {
  readonly #entriesMax: number
  readonly #lengthMax: number
  /** Every entry after this number, up to the last, is held. */
  #startId: EventId
  #entries: TimelineEntry[] = []
  /** What each entry counts, but for its encodings. */
  #lengths: number[] = []
  #offset = 0
  #length = 0
  /** What was held at some times, so as to tell how old an entry is. */
  #ages: { readonly ms: number; readonly lastId: EventId }[] = []
  #pushedMs = 0
  /** Entries up to this one are too old. */
  #oldId: EventId

  constructor(startId: EventId, entriesMax = ENTRIES_MAX, lengthMax = LENGTH_MAX) {
    this.#startId = startId
    this.#oldId = startId
    this.#entriesMax = entriesMax
    this.#lengthMax = lengthMax
  }

  get startId(): EventId {
    return this.#startId
  }

  get lastId(): EventId {
    return (this.#startId + this.#entries.length - this.#offset) as EventId
  }

  /** Takes the entry that comes next, at a time that never goes back. */
  push(entry: TimelineEntry, nowMs: number): void {
    this.#grow(nowMs)
    if (entry.id !== this.lastId + 1) throw new Error(`entry ${entry.id} does not follow ${this.lastId}`)
    const length = entryLength(entry, this.#entries.at(-1))
    this.#entries.push(entry)
    this.#lengths.push(length)
    this.#length += length + entry.encodings.countIn(this)
    while (this.#isFull || (this.#startId < this.#oldId && this.#count > ENTRIES_MIN)) this.#dropOldest()
  }

  /** Counts a text that an entry is about to keep; false where there is no room, until entries are dropped. */
  takes(length: number): boolean {
    if (this.#length + length > this.#lengthMax) return false
    this.#length += length
    return true
  }

  /** The entries after a number that is not before `startId`. */
  *after(id: EventId): Generator<TimelineEntry> {
    if (id < this.#startId) throw new Error(`the timeline starts after ${this.#startId}, not ${id}`)
    for (let index = this.#offset + id - this.#startId; index < this.#entries.length; index++) {
      yield this.#entries[index] as TimelineEntry
    }
  }

  get #count(): number {
    return this.#entries.length - this.#offset
  }

  get #isFull(): boolean {
    return this.#count > this.#entriesMax || this.#length > this.#lengthMax
  }

  /** Notes what is held at a time, and what of it was there long before. */
  #grow(nowMs: number): void {
    if (nowMs - (this.#ages.at(-1)?.ms ?? Number.NEGATIVE_INFINITY) >= AGE_STEP_MS)
      this.#ages.push({ ms: this.#pushedMs, lastId: this.lastId })
    this.#pushedMs = nowMs
    for (let oldest = this.#ages[0]; oldest && nowMs - oldest.ms > AGE_MS_MAX; oldest = this.#ages[0]) {
      this.#oldId = oldest.lastId
      this.#ages.shift()
    }
  }

  #dropOldest(): void {
    const oldest = this.#entries[this.#offset] as TimelineEntry
    this.#length -= (this.#lengths[this.#offset] as number) + oldest.encodings.countIn(undefined)
    this.#startId = oldest.id
    this.#entries[this.#offset++] = undefined as never
    if (this.#offset < Math.max(this.#count, FREED_MIN)) return
    this.#entries = this.#entries.slice(this.#offset)
    this.#lengths = this.#lengths.slice(this.#offset)
    this.#offset = 0
  }
}

/** Characters that an entry takes, about; sets of users are shared as long as they stay as they are. */
function entryLength({ event, recipients }: TimelineEntry, before: TimelineEntry | undefined): number {
  const fixed = ENTRY_LENGTH + (recipients === before?.recipients ? 0 : recipients.bytes)
  // The others are rare, and one may name a thousand channels or ten thousand users.
  if (event.type !== 'message') return fixed + JSON.stringify(event).length
  const { content, rendered, submessage = '', mentions = [], unreadFor = [] } = event
  const texts = content.length + rendered.length + submessage.length
  return fixed + texts + mentions.length * MENTION_LENGTH + unreadFor.length * USER_LENGTH
}
