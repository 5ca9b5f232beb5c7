/** The users who read in this process, and what messages are to each of them. */

import type { Sql } from '../../db/connection/connect.ts'
import { loadReader } from '../../db/unread/read-marks.ts'
import type { LogEntry } from '../domain/events.ts'
import type { EventId, UserId } from '../domain/ids.ts'
import { LoadedProjections } from './loaded-projections.ts'
import { Reader } from './reader.ts'
import { cacheBytes } from '../domain/cache-share.ts'

/** Bytes of all readers; users who read longest ago are dropped first. */
export const READERS_BYTES_MAX = cacheBytes(24)

/** The dependencies of readers. */
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

  /** The approximate bytes of all readers. */
  get bytes(): number {
    return this.#readers.bytes
  }

  /** The flags for a user, as of the state or newer. */
  get(userId: UserId): Reader | Promise<Reader> {
    return this.#readers.get(userId)
  }

  /** Applies an entry that the state has just applied. */
  push(entry: LogEntry): void {
    for (const userId of this.#concernedBy(entry)) this.#readers.push(userId, entry)
  }

  /** Users whose reading an event changes, at least the ones who read here. */
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
