/** Lets each of many, such as users, have one thing done at a time, so that what is asked for one holds up no other. */

/** Whose turn it is. */
export class Turns<Key> {
  /** By user or the like, what ends with the last that waits for its turn. */
  readonly #tails = new Map<Key, Promise<void>>()

  /** How many have something under way. */
  get size(): number {
    return this.#tails.size
  }

  /** Does it once what was asked for before by the same one is done, or has failed. */
  async take<Result>(key: Key, act: () => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(key)
    const { promise: turnEnded, resolve: endTurn } = Promise.withResolvers<void>()
    this.#tails.set(key, turnEnded)
    try {
      await before
      return await act()
    } finally {
      endTurn()
      if (this.#tails.get(key) === turnEnded) this.#tails.delete(key)
    }
  }
}
