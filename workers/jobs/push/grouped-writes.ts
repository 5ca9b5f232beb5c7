/** Writes of many small results: what comes while one write runs is written together by the next. */

interface Waiting<Item> {
  readonly item: Item
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Groups writes. None waits for a timer: a lone item is written at once. */
export class GroupedWrites<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void>
  #waiting: Waiting<Item>[] = []
  #isWriting = false

  constructor(write: (items: readonly Item[]) => Promise<void>) {
    this.#write = write
  }

  /** Resolves when the item is written; rejects with all others of its write if that fails. */
  add(item: Item): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      if (!this.#isWriting) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const group = this.#waiting
      this.#waiting = []
      try {
        await this.#write(group.map(({ item }) => item))
        for (const { resolve } of group) resolve()
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    this.#isWriting = false
  }
}
