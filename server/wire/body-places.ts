/** How many bodies may come at once, in all and of each user: each holds memory, and a file of the disk. */

import { fail } from '../api/errors.ts'
import type { UserId } from '../domain/ids.ts'

/** Counts bodies on their way. */
export class BodyPlaces {
  readonly #max: number
  readonly #perUserMax: number
  readonly #counts = new Map<UserId, number>()
  #count = 0

  constructor(max: number, perUserMax: number) {
    this.#max = max
    this.#perUserMax = perUserMax
  }

  /** Takes a place; answers how to give it back, which is done once. Throws `OVERLOADED` where there is none. */
  take(userId: UserId): () => void {
    const ofUser = this.#counts.get(userId) ?? 0
    if (this.#count >= this.#max || ofUser >= this.#perUserMax) throw fail('OVERLOADED')
    this.#count++
    this.#counts.set(userId, ofUser + 1)
    return () => {
      this.#count--
      const left = (this.#counts.get(userId) ?? 1) - 1
      if (left > 0) this.#counts.set(userId, left)
      else this.#counts.delete(userId)
    }
  }
}
