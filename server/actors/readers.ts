/** The users who read in this process: what messages are to each, read from the database once and kept by the log. */

import type { Sql } from '../../db/connect.ts'
import { loadReader } from '../../db/read-marks.ts'
import type { LogEntry } from '../domain/events.ts'
import type { EventId, UserId } from '../domain/ids.ts'
import { Reader } from './reader.ts'

/** Bytes of all readers; those who read longest ago are dropped first, and read anew when they come back. */
export const READERS_BYTES_MAX = 24 * 1024 * 1024
/** Entries that one reader may miss while it is read: then it is read again, as the log may go on faster than that. */
const ARRIVED_MAX = 1_000

/** What the readers work with. */
export interface ReadersOptions {
  readonly sql: Sql
  /** Resolves when the state includes an event. */
  readonly reached: (id: EventId) => Promise<void>
}

interface Loading {
  readonly reader: Promise<Reader>
  readonly arrivals: Arrivals
}

/** What concerns a user and was applied while it was being read. */
interface Arrivals {
  entries: LogEntry[]
  /** Whether some were left out, because there were too many. */
  isIncomplete: boolean
}

/** All of them. */
export class Readers {
  readonly #options: ReadersOptions
  /** In the order of their last reading. */
  readonly #readers = new Map<UserId, Reader>()
  readonly #loading = new Map<UserId, Loading>()
  #bytes = 0

  constructor(options: ReadersOptions) {
    this.#options = options
  }

  /** Bytes of all that are held, about. */
  get bytes(): number {
    return this.#bytes
  }

  /** What messages are to a user, as the state has it or newer. */
  get(userId: UserId): Reader | Promise<Reader> {
    const known = this.#readers.get(userId)
    if (!known) return this.#loading.get(userId)?.reader ?? this.#load(userId)
    this.#readers.delete(userId)
    this.#readers.set(userId, known)
    return known
  }

  /** Takes an entry that was just applied to the state. */
  push(entry: LogEntry): void {
    for (const userId of this.#concernedBy(entry)) {
      const arrivals = this.#loading.get(userId)?.arrivals
      if (arrivals) noteArrival(arrivals, entry)
      const reader = this.#readers.get(userId)
      if (!reader) continue
      const before = reader.bytes
      const isCurrent = reader.apply(entry)
      this.#bytes += reader.bytes - before
      if (!isCurrent) this.#drop(userId, reader)
    }
    this.#makeRoom()
  }

  #load(userId: UserId): Promise<Reader> {
    const arrivals: Arrivals = { entries: [], isIncomplete: false }
    const reader = this.#read(userId, arrivals).finally(() => this.#loading.delete(userId))
    this.#loading.set(userId, { reader, arrivals })
    return reader
  }

  async #read(userId: UserId, arrivals: Arrivals): Promise<Reader> {
    for (;;) {
      const rows = await loadReader(this.#options.sql, userId)
      await this.#options.reached(rows.asOf)
      const reader = new Reader(userId, rows)
      const later = arrivals.entries.filter(({ id }) => id > rows.asOf)
      const { isIncomplete } = arrivals
      arrivals.entries = []
      arrivals.isIncomplete = false
      if (isIncomplete || !later.every((entry) => reader.apply(entry))) continue
      this.#readers.set(userId, reader)
      this.#bytes += reader.bytes
      this.#makeRoom() // It may be too large itself to be kept: then it serves this once.
      return reader
    }
  }

  #makeRoom(): void {
    for (const [userId, reader] of this.#readers) {
      if (this.#bytes <= READERS_BYTES_MAX) return
      this.#drop(userId, reader)
    }
  }

  #drop(userId: UserId, reader: Reader): void {
    this.#bytes -= reader.bytes
    this.#readers.delete(userId)
  }

  /** Whose reading an event changes, of those who are here at least. */
  #concernedBy({ event, audience }: LogEntry): readonly UserId[] {
    switch (event.type) {
      case 'update_message_flags':
      case 'muted_users':
        return [event.userId]
      case 'subscription/add':
      case 'subscription/remove':
        return event.userIds
      case 'delete_message/hidden':
        return audience.kind === 'users' ? audience.users.toArray() : []
      case 'update_message':
        return event.move?.toChannel ? [...new Set([...this.#readers.keys(), ...this.#loading.keys()])] : []
      default:
        return []
    }
  }
}

function noteArrival(arrivals: Arrivals, entry: LogEntry): void {
  if (arrivals.entries.length < ARRIVED_MAX) arrivals.entries.push(entry)
  else arrivals.isIncomplete = true
}
