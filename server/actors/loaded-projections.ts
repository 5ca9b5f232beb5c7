/**
 * Projections of the log that are loaded when they are first asked for, one for each key, and follow the log from there.
 *
 * Entries that are applied while one is being loaded wait for it. All of them together have a bound in bytes; those
 * unused for longest are dropped first, and loaded again when they are asked for. An `LRUCache` would not do: a
 * projection grows while it is held, and to count it again would count as a use.
 */

import type { LogEntry } from '../domain/events.ts'
import type { EventId } from '../domain/ids.ts'

/** Entries that may wait while one projection is loaded. With more it is loaded again, as the log may go on faster. */
const WAITING_MAX = 1_000

/** How projections are loaded and changed. */
export interface ProjectionOptions<Key, Projection> {
  /** For all projections. */
  readonly bytesMax: number
  /** Resolves with a projection and the last event that it includes, at least. */
  load(key: Key): Promise<{ readonly projection: Projection; readonly asOf: EventId }>
  /** Changes a projection by a later entry; answers false if it must be loaded again instead. */
  apply(projection: Projection, entry: LogEntry): boolean
}

interface Loading<Projection> {
  readonly promise: Promise<Projection>
  readonly waiting: Waiting
}

/** Entries that were applied while a projection is being loaded. */
interface Waiting {
  entries: LogEntry[]
  /** Whether the projection must be loaded again, because an entry is missing. */
  isIncomplete: boolean
}

export class LoadedProjections<Key, Projection extends { readonly bytes: number }> {
  readonly #options: ProjectionOptions<Key, Projection>
  /** In the order of their last use. */
  readonly #held = new Map<Key, Projection>()
  readonly #loading = new Map<Key, Loading<Projection>>()
  #bytes = 0

  constructor(options: ProjectionOptions<Key, Projection>) {
    this.#options = options
  }

  /** The approximate bytes of all projections. */
  get bytes(): number {
    return this.#bytes
  }

  /** Keys of loaded and loading projections. */
  get keys(): readonly Key[] {
    return [...this.#held.keys(), ...this.#loading.keys()]
  }

  /** The projection of a key, which includes all that the state includes. */
  get(key: Key): Projection | Promise<Projection> {
    return this.#use(key) ?? this.#loading.get(key)?.promise ?? this.#load(key)
  }

  /** The cached projection of a key, if any; does not count as a use. */
  peek(key: Key): Projection | undefined {
    return this.#held.get(key)
  }

  /** Uses the cached projection of a key, if any; this may make it grow. */
  use<Result>(key: Key, act: (projection: Projection) => Result): Result | undefined {
    const projection = this.#use(key)
    if (!projection) return undefined
    const before = projection.bytes
    const result = act(projection)
    this.#bytes += projection.bytes - before
    this.#makeRoom(key)
    return result
  }

  /** Applies an entry to the projection of a key; the state has just applied it. */
  push(key: Key, entry: LogEntry): void {
    const waiting = this.#loading.get(key)?.waiting
    if (waiting) waitWith(waiting, entry)
    const projection = this.#held.get(key)
    if (!projection) return
    const before = projection.bytes
    const isCurrent = this.#options.apply(projection, entry)
    this.#bytes += projection.bytes - before
    if (!isCurrent) this.#drop(key)
    this.#makeRoom()
  }

  /** Drops a projection, loaded or loading: a change is in no entry. */
  invalidate(key: Key): void {
    this.#drop(key)
    const waiting = this.#loading.get(key)?.waiting
    if (waiting) waiting.isIncomplete = true
  }

  #use(key: Key): Projection | undefined {
    const projection = this.#held.get(key)
    if (projection) {
      this.#held.delete(key)
      this.#held.set(key, projection)
    }
    return projection
  }

  #load(key: Key): Promise<Projection> {
    const waiting: Waiting = { entries: [], isIncomplete: false }
    const promise = this.#loadWith(key, waiting).finally(() => this.#loading.delete(key))
    this.#loading.set(key, { promise, waiting })
    return promise
  }

  async #loadWith(key: Key, waiting: Waiting): Promise<Projection> {
    for (;;) {
      const { projection, asOf } = await this.#options.load(key)
      const later = waiting.entries.filter(({ id }) => id > asOf)
      const { isIncomplete } = waiting
      waiting.entries = []
      waiting.isIncomplete = false
      if (isIncomplete || !later.every((entry) => this.#options.apply(projection, entry))) continue
      this.#held.set(key, projection)
      this.#bytes += projection.bytes
      this.#makeRoom() // A projection above the limit serves only this call.
      return projection
    }
  }

  /** Drops the least recently used projections, except the one in use. */
  #makeRoom(usedKey?: Key): void {
    for (const key of this.#held.keys()) {
      if (this.#bytes <= this.#options.bytesMax) return
      if (key !== usedKey) this.#drop(key)
    }
  }

  #drop(key: Key): void {
    this.#bytes -= this.#held.get(key)?.bytes ?? 0
    this.#held.delete(key)
  }
}

function waitWith(waiting: Waiting, entry: LogEntry): void {
  if (waiting.entries.length < WAITING_MAX) waiting.entries.push(entry)
  else waiting.isIncomplete = true
}
