/** The newest entries of the log, each with its audience at that time, and its encodings. */

import { MENTION_LENGTH, USER_LENGTH } from '../domain/entities.ts'
import type { LogEntry, LogEvent } from '../domain/events.ts'
import type { ChannelId, EventId } from '../domain/ids.ts'
import { UserSet } from '../domain/users/user-set.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { type ViewedEntry, wireType } from '../events/encode-event.ts'
import { cacheBytes } from '../domain/cache-share.ts'

/** Entries in memory; a client further behind reads the log. A minute of heavy traffic. */
const ENTRIES_MAX = 16_384
/** Entries that stay in memory at any age: hours of light traffic. */
const ENTRIES_MIN = 2_048
/**
 * Milliseconds after which an entry is dropped, unless it is among those: most clients that lose their connection are
 * back within a minute, and the others are too few to spend memory on.
 */
const AGE_MS_MAX = 110_000
/** The precision of an entry's age. */
const AGE_STEP_MS = 5_000
/** Characters in memory, encodings included: hostile sizes must not multiply with the count. */
const LENGTH_MAX = cacheBytes(32)
/** Bytes of everything in memory: texts beyond Latin-1 take two bytes per character. */
export const TIMELINE_BYTES_MAX = 2 * LENGTH_MAX
/**
 * Slots of dropped entries that are freed at a time: at least this many, and as many as there are entries, so that a
 * push copies one entry on average.
 */
const FREED_MIN = 1_024
/** Characters of an entry besides its texts, as measured. */
const ENTRY_LENGTH = 1_000

/** The JSON texts of one entry by variant: recipients of the same variant get the same bytes. */
export class Encodings {
  /** Few entries have any: most have no connected recipient. */
  #texts: Map<number, string> | undefined
  #length = 0
  #timeline: Timeline | undefined

  get(variant: number): string | undefined {
    return this.#texts?.get(variant)
  }

  /** Caches a text, unless the entry's timeline is full. */
  set(variant: number, text: string): void {
    if (this.#timeline && !this.#timeline.takes(text.length)) return
    flatten(text)
    this.#texts ??= new Map()
    this.#texts.set(variant, text)
    this.#length += text.length
  }

  /** Counts the texts in a timeline; pass none when the entry leaves it. */
  countIn(timeline: Timeline | undefined): number {
    this.#timeline = timeline
    return this.#length
  }
}

/**
 * Flattens a text that was concatenated from some thirty pieces: otherwise it would hold them all, in twice the memory.
 * Reading a character does that; it is stored, since the compiler drops unused reads.
 */
function flatten(text: string): void {
  flattened.character = text.charCodeAt(0)
}

const flattened = { character: 0 }

/** An entry that may be sent to clients. */
export interface TimelineEntry extends ViewedEntry {
  /** The type on the wire; undefined if no client gets it. */
  readonly wireType: string | undefined
  /** The users who get it. */
  readonly recipients: UserSet
  /** The users who had muted a message's sender; omitted if none had. */
  readonly mutersAtEvent?: UserSet | undefined
  /** Whether it is a message that all but guests may read. */
  readonly isPublicMessage: boolean
  readonly encodings: Encodings
}

/** Fixes an entry's audience at this time: call it right after the entry is applied. */
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

/** The channels whose subscribers an event sends to users who may not have seen them before. */
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
  /** All entries after this id are in memory. */
  #startId: EventId
  #entries: TimelineEntry[] = []
  /** The length of each entry, without its encodings. */
  #lengths: number[] = []
  #offset = 0
  #length = 0
  /** The last id at some times, to know an entry's age. */
  #ages: { readonly ms: number; readonly lastId: EventId }[] = []
  #pushedMs = 0
  /** Entries up to this id are too old. */
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

  /** The approximate bytes of all entries, by the same measure as the bound. */
  get bytes(): number {
    return 2 * this.#length
  }

  /** Adds the next entry, at a time that never decreases. */
  push(entry: TimelineEntry, nowMs: number): void {
    this.#grow(nowMs)
    if (entry.id !== this.lastId + 1) throw new Error(`entry ${entry.id} does not follow ${this.lastId}`)
    const length = entryLength(entry, this.#entries.at(-1))
    this.#entries.push(entry)
    this.#lengths.push(length)
    this.#length += length + entry.encodings.countIn(this)
    while (this.#isFull || (this.#startId < this.#oldId && this.#count > ENTRIES_MIN)) this.#dropOldest()
  }

  /** Counts a text that an entry is about to cache; false if there is no room until entries are dropped. */
  takes(length: number): boolean {
    if (this.#length + length > this.#lengthMax) return false
    this.#length += length
    return true
  }

  /** The entries after an id that is not before `startId`. */
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

  /** Records the last id at a time, and which entries are too old by then. */
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

/** The approximate characters of an entry; sets of users are shared while they are unchanged. */
function entryLength({ event, recipients }: TimelineEntry, before: TimelineEntry | undefined): number {
  const fixed = ENTRY_LENGTH + (recipients === before?.recipients ? 0 : recipients.bytes)
  // Other events are rare, and one may name a thousand channels or ten thousand users.
  if (event.type !== 'message') return fixed + JSON.stringify(event).length
  const { content, rendered, submessage = '', mentions = [], unreadFor = [] } = event
  const texts = content.length + rendered.length + submessage.length
  return fixed + texts + mentions.length * MENTION_LENGTH + unreadFor.length * USER_LENGTH
}
