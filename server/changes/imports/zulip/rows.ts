/** Reads fields of Zulip's tables. */

/** An id as a text; undefined if it is none. */
export function idOf(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? String(value) : undefined
}

/** Some fields are JSON in a text, in others of its versions the value itself; undefined for a broken text. */
export function parseField(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

/** Rows that belong to another one, such as the members of a group. */
export class RowsOf<Value> {
  readonly #lists = new Map<string, Value[]>()

  /** Without an owner the row is dropped. */
  add(owner: string | undefined, value: Value | undefined): void {
    if (owner === undefined || value === undefined) return
    const list = this.#lists.get(owner)
    if (list) list.push(value)
    else this.#lists.set(owner, [value])
  }

  all(): Iterable<readonly [owner: string, values: readonly Value[]]> {
    return this.#lists
  }

  of(owner: string): readonly Value[] {
    return this.#lists.get(owner) ?? []
  }
}
