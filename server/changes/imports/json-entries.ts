/**
 * Reads the entries of an archive as JSON. Damage is reported and skipped: once, until the lists are whole, since the
 * passes that follow meet it again.
 */

import type { ArchiveEntry } from './archive.ts'
import { type Fields, toFields } from './fields.ts'
import { readJsonLines } from './json-lines.ts'
import { readJsonParts } from './json-parts.ts'
import type { Loss } from './records.ts'
import { EntryError } from './archive.ts'

/** The record of one part: an element of an array, or another field of the object around it. */
export interface EntryPart {
  /** The name of the field; empty for elements of a file that is an array itself. */
  readonly field: string
  readonly fields: Fields
}

export class JsonEntries {
  readonly #lose: (loss: Loss) => void
  /** Whether a first pass has read, and reported, everything. */
  isListed = false

  constructor(lose: (loss: Loss) => void) {
    this.#lose = lose
  }

  /** An entry of a record in each line. */
  async *lines(entry: ArchiveEntry | undefined): AsyncGenerator<Fields> {
    if (!entry) return
    const values = readJsonLines(entry.stream(), (line, reason) =>
      this.#report(reason, `${entry.name}, line ${line}`),
    )
    for await (const value of this.#untilDamage(entry, values)) yield toFields(value)
  }

  /** An entry of one JSON value of any size, by its parts. */
  async *parts(entry: ArchiveEntry | undefined): AsyncGenerator<EntryPart> {
    if (!entry) return
    const parts = readJsonParts(entry.stream(), (reason) => this.#report(reason, entry.name))
    for await (const { field, value } of this.#untilDamage(entry, parts))
      yield { field, fields: toFields(value) }
  }

  async *#untilDamage<Value>(entry: ArchiveEntry, values: AsyncIterable<Value>): AsyncGenerator<Value> {
    try {
      yield* values
    } catch (error) {
      if (!(error instanceof EntryError)) throw error
      this.#report('the rest of a file, which is damaged', `${entry.name}: ${error.message}`)
    }
  }

  #report(reason: string, example: string): void {
    if (!this.isListed) this.#lose({ place: undefined, reason, example })
  }
}
