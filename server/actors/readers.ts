/** The users who read in this process, and what messages are to each of them. */

import type { Sql } from '../../db/connect.ts'
import { loadReader } from '../../db/read-marks.ts'
import type { LogEntry } from '../domain/events.ts'
import type { EventId, UserId } from '../domain/ids.ts'
import { LoadedProjections } from './loaded-projections.ts'
import { Reader } from './reader.ts'

/** Bytes of all readers; users who read longest ago are dropped first. */
export const READERS_BYTES_MAX = 24 * 1024 * 1024

/** What the readers work with. */
export interface ReadersOptions {
  readonly sql: Sql
  /** Resolves when the state includes an event. */
  readonly reached: (id: EventId) => Promise<void>
}

export class Readers {
  readonly #readers: LoadedProjections<UserId, Reader>

  constructor({ sql, reached }: ReadersOptions) {
    this.#readers = new LoadedProjections({
      bytesMax: READERS_BYTES_MAX,
      load: async (userId) => {
        const rows = await loadReader(sql, userId)
        await reached(rows.asOf)
        return { projection: new Reader(userId, rows), asOf: rows.asOf }
      },
      apply: (reader, entry) => reader.apply(entry),
    })
  }

  /** Bytes of all that are held, about. */
  get bytes(): number {
    return this.#readers.bytes
  }

  /** What messages are to a user, as the state has it or newer. */
  get(userId: UserId): Reader | Promise<Reader> {
    return this.#readers.get(userId)
  }

  /** Takes an entry that was just applied to the state. */
  push(entry: LogEntry): void {
    for (const userId of this.#concernedBy(entry)) this.#readers.push(userId, entry)
  }

  /** Users whose reading an event changes, at least those who read here. */
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
        return event.move?.toChannel ? this.#readers.keys : []
      default:
        return []
    }
  }
}
