/** Runs one task at a time for each key, such as a user, so that tasks of one key do not delay others. */

/** The turns of each key. */
export class Turns<Key> {
  /** By key: settles after the last waiting task. */
  readonly #tails = new Map<Key, Promise<void>>()

  /** The number of keys with tasks in progress. */
  get size(): number {
    return this.#tails.size
  }

  /** Runs a task after the key's earlier tasks have ended or failed. */
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
