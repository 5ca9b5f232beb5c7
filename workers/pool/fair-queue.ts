/** A queue that users share by turns: whoever asks for much waits longest for the last of it. */

/** First in, first out for each user, and one of each user in turn. */
export class FairQueue<Item> {
  /** Nobody without an item; the user whose turn is next comes first. */
  readonly #byUser = new Map<number, Item[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** How many items a user has. */
  countOf(userId: number): number {
    return this.#byUser.get(userId)?.length ?? 0
  }

  push(userId: number, item: Item): void {
    const items = this.#byUser.get(userId)
    if (items) items.push(item)
    else this.#byUser.set(userId, [item])
    this.#size++
  }

  /** The item that comes next, if there is one; it stays. */
  peek(): Item | undefined {
    for (const items of this.#byUser.values()) return items[0]
    return undefined
  }

  /** Takes the item that comes next, if there is one. */
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

  /** Takes out all. */
  clear(): Item[] {
    const all = [...this.#byUser.values()].flat()
    this.#byUser.clear()
    this.#size = 0
    return all
  }
}
