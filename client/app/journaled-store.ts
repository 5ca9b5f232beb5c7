/**
 * Values of one user in the database of the browser. Until the disk has one, it also stands in storage that takes it at
 * once: a page that is reloaded right after a key press would lose the write that it has begun.
 */

import { DeviceStore } from './device-store.ts'

export type JournalName = 'outbox' | 'drafts'

/** The key of a value that the database may not have yet; without a user the beginning of all. */
export function placeInJournal(name: JournalName, key = '', userId?: number): string {
  return `parley-unwritten-${name}-${userId === undefined ? '' : `${key}-${userId}`}`
}

export class JournaledStore<Value> {
  readonly #store: DeviceStore<Value>
  readonly #keyOf: (value: Value) => string
  readonly #placeOf: (key: string) => string
  readonly #readJournal: () => readonly (readonly [place: string, text: string, value: Value])[]

  constructor(userId: number, name: JournalName, keyOf: (value: Value) => string) {
    this.#store = new DeviceStore<Value>(userId, name)
    this.#keyOf = keyOf
    this.#placeOf = (key) => placeInJournal(name, key, userId)
    this.#readJournal = () => readJournal<Value>(placeInJournal(name), `-${userId}`)
  }

  async load(): Promise<readonly Value[]> {
    // First: a value that another page writes meanwhile is in one of both.
    const unwritten = this.#readJournal()
    const stored = await this.#store.load().catch((error: unknown) => {
      if (unwritten.length === 0) throw error
      return []
    })
    const values = new Map(stored.map((value) => [this.#keyOf(value), value]))
    for (const [place, text, value] of unwritten) {
      values.set(this.#keyOf(value), value)
      // Its page is gone, or writes a newer one.
      if (read(place) === text) void this.#write(place, text, value).catch(() => undefined)
    }
    return [...values.values()]
  }

  /** Takes a value at once; `put` follows. */
  note(value: Value): void {
    try {
      localStorage.setItem(this.#placeOf(this.#keyOf(value)), JSON.stringify(value))
    } catch {
      // The browser refuses storage, or it is full: the value is safe once the database has it.
    }
  }

  /** Resolves when the disk has the value. */
  put(value: Value): Promise<void> {
    this.note(value)
    return this.#write(this.#placeOf(this.#keyOf(value)), JSON.stringify(value), value)
  }

  remove(key: string): Promise<void> {
    drop(this.#placeOf(key))
    return this.#store.remove(key)
  }

  async #write(place: string, text: string, value: Value): Promise<void> {
    try {
      await this.#store.put(this.#keyOf(value), value)
    } catch (error) {
      // A log-out in another page has closed the database and deleted all: nothing may be left behind.
      if (error instanceof DOMException && error.name === 'InvalidStateError') drop(place)
      throw error
    }
    // A newer value waits for its own write.
    if (read(place) === text) drop(place)
  }
}

function readJournal<Value>(start: string, end: string) {
  try {
    return Object.entries(localStorage as Readonly<Record<string, string>>)
      .filter(([place]) => place.startsWith(start) && place.endsWith(end))
      .map(([place, text]) => [place, text, JSON.parse(text) as Value] as const)
  } catch {
    return [] // The browser refuses storage.
  }
}

function read(place: string): string | null {
  try {
    return localStorage.getItem(place)
  } catch {
    return null
  }
}

function drop(place: string): void {
  try {
    localStorage.removeItem(place)
  } catch {
    // The browser refuses storage: nothing is there.
  }
}
