/** A queue in which users take turns: a user with many items waits longest for the last one. */

/** First in, first out for each user; users take turns. */
export class FairQueue<Item> {
  /** Users with items only; the next user comes first. */
  readonly #byUser = new Map<number, Item[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The number of a user's items. */
  countOf(userId: number): number {
    return this.#byUser.get(userId)?.length ?? 0
  }

  push(userId: number, item: Item): void {
    const items = this.#byUser.get(userId)
    if (items) items.push(item)
    else this.#byUser.set(userId, [item])
    this.#size++
  }

  /** The next item, if any, without removing it. */
  peek(): Item | undefined {
    for (const items of this.#byUser.values()) return items[0]
    return undefined
  }

  /** Removes the next item, if any. */
  shift(): Item | undefined {
    for (const [userId, items] of this.#byUser) {
      this.#byUser.delete(userId)
      const item = items.shift()
      if (items.length > 0) this.#byUser.set(userId, items)
      this.#size--
      return item
    }
    return undefined
  }

  /** Removes all items. */
  clear(): Item[] {
    const all = [...this.#byUser.values()].flat()
    this.#byUser.clear()
    this.#size = 0
    return all
  }
}
