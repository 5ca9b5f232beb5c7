/** The differences of two records, one in each line. */

import type { Fields } from '../../changes/imports/fields.ts'

/** Lines that are listed; the others are counted. */
const LINES_MAX = 1_000
/** Characters of a value in a line. */
const VALUE_LENGTH_MAX = 200

export class Differences {
  readonly lines: string[] = []
  count = 0

  add(line: string): void {
    this.count++
    if (this.lines.length < LINES_MAX) this.lines.push(line)
  }

  /** Compares two records field by field; `what` names them. */
  compare(what: string, one: Fields, other: Fields): void {
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const [before, after] = [canonical(one[name]), canonical(other[name])]
      if (before !== after) this.add(`${what}: ${name}: ${cut(before)}, in the other ${cut(after)}`)
    }
  }
}

/** A value as text; the order of fields means nothing. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? 'nothing'
}

function cut(text: string): string {
  if (text.length <= VALUE_LENGTH_MAX) return text
  return `${text.slice(0, VALUE_LENGTH_MAX)}… (${text.length} characters)`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]))
}
