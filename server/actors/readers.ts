/** The users who read in this process: what messages are to each, read from the database once and kept by the log. */

import type { Sql } from '../../db/connect.ts'
import { loadReader } from '../../db/read-marks.ts'
import type { LogEntry } from '../domain/events.ts'
import type { EventId, UserId } from '../domain/ids.ts'
import { Reader } from './reader.ts'

/** Marks, spans and their like held over all readers; those who read longest ago are dropped first. Some 20 MB. */
const WEIGHT_MAX = 200_000

/** What the readers work with. */
export interface ReadersOptions {
  readonly sql: Sql
  /** Resolves when the state includes an event. */
  readonly reached: (id: EventId) => Promise<void>
}

interface Loading {
  readonly reader: Promise<Reader>
  /** What concerns the user and was applied meanwhile. */
  readonly arrived: LogEntry[]
}

/** All of them. */
export class Readers {
  readonly #options: ReadersOptions
  /** In the order of their last reading. */
  readonly #readers = new Map<UserId, Reader>()
  readonly #loading = new Map<UserId, Loading>()
  #weight = 0

  constructor(options: ReadersOptions) {
    this.#options = options
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
      this.#loading.get(userId)?.arrived.push(entry)
      const reader = this.#readers.get(userId)
      if (!reader) continue
      const before = reader.weight
      if (reader.apply(entry)) this.#weight += reader.weight - before
      else this.#drop(userId, reader)
    }
  }

  #load(userId: UserId): Promise<Reader> {
    const arrived: LogEntry[] = []
    const reader = this.#read(userId, arrived).finally(() => this.#loading.delete(userId))
    this.#loading.set(userId, { reader, arrived })
    return reader
  }

  async #read(userId: UserId, arrived: LogEntry[]): Promise<Reader> {
    for (;;) {
      const rows = await loadReader(this.#options.sql, userId)
      await this.#options.reached(rows.asOf)
      const reader = new Reader(userId, rows)
      const later = arrived.splice(0).filter(({ id }) => id > rows.asOf)
      if (!later.every((entry) => reader.apply(entry))) continue
      this.#readers.set(userId, reader)
      this.#weight += reader.weight
      this.#makeRoom(reader)
      return reader
    }
  }

  #makeRoom(kept: Reader): void {
    for (const [userId, reader] of this.#readers) {
      if (this.#weight <= WEIGHT_MAX) return
      if (reader !== kept) this.#drop(userId, reader)
    }
  }

  #drop(userId: UserId, reader: Reader): void {
    this.#weight -= reader.weight
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
