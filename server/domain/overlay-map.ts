/** A map over a base that it never changes: it holds only the differences. */

export class OverlayMap<Key, Value> extends Map<Key, Value> {
  readonly #base: ReadonlyMap<Key, Value>
  /** Values set here, in insertion order. */
  readonly #own = new Map<Key, Value>()
  /** Keys of the base that were deleted here. A key that is set again moves to the end, as in any map. */
  readonly #hidden = new Set<Key>()
  #addedCount = 0

  constructor(base: ReadonlyMap<Key, Value>) {
    super()
    this.#base = base
  }

  /** Whether the value of a key was set here, so callers may change it in place. */
  isOwn(key: Key): boolean {
    return this.#own.has(key)
  }

  override get size(): number {
    return this.#base.size - this.#hidden.size + this.#addedCount
  }

  override has(key: Key): boolean {
    return this.#own.has(key) || this.#isInBase(key)
  }

  override get(key: Key): Value | undefined {
    return this.#own.has(key) || !this.#isInBase(key) ? this.#own.get(key) : this.#base.get(key)
  }

  override set(key: Key, value: Value): this {
    if (!this.has(key)) this.#addedCount++
    this.#own.set(key, value)
    return this
  }

  override delete(key: Key): boolean {
    if (!this.has(key)) return false
    if (this.#isInBase(key)) this.#hidden.add(key)
    else this.#addedCount--
    this.#own.delete(key)
    return true
  }

  override clear(): void {
    for (const key of this.keys()) this.delete(key)
  }

  override *entries(): MapIterator<[Key, Value]> {
    for (const [key, value] of this.#base) {
      if (!this.#hidden.has(key)) yield [key, this.#own.has(key) ? (this.#own.get(key) as Value) : value]
    }
    for (const entry of this.#own) if (!this.#isInBase(entry[0])) yield entry
  }

  override *keys(): MapIterator<Key> {
    for (const [key] of this.entries()) yield key
  }

  override *values(): MapIterator<Value> {
    for (const [, value] of this.entries()) yield value
  }

  override [Symbol.iterator](): MapIterator<[Key, Value]> {
    return this.entries()
  }

  override forEach(callback: (value: Value, key: Key, map: Map<Key, Value>) => void): void {
    for (const [key, value] of this.entries()) callback(value, key, this)
  }

  #isInBase(key: Key): boolean {
    return this.#base.has(key) && !this.#hidden.has(key)
  }
}

/** An empty map, or one over a base. */
export function mapOver<Key, Value>(base: ReadonlyMap<Key, Value> | undefined): Map<Key, Value> {
  return base ? new OverlayMap(base) : new Map<Key, Value>()
}

/** A value that may be changed in place: in an overlay, a copy of its own. */
export function ownValue<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  copy: (value: Value) => Value,
): Value | undefined {
  const value = map.get(key)
  if (value === undefined || !(map instanceof OverlayMap) || map.isOwn(key)) return value
  const own = copy(value)
  map.set(key, own)
  return own
}
