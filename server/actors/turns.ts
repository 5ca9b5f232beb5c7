/** Lets each user have one thing done at a time, so that what many clients of one user ask for holds up nobody else. */

import type { UserId } from '../domain/ids.ts'

/** Whose turn it is, for each user. */
export class Turns {
  /** By user, what ends with the last that waits for its turn. */
  readonly #tails = new Map<UserId, Promise<void>>()

  /** How many users have something under way. */
  get size(): number {
    return this.#tails.size
  }

  /** Does it once what was asked for before by the same user is done, or has failed. */
  async take<Result>(userId: UserId, act: () => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(userId)
    const { promise: turnEnded, resolve: endTurn } = Promise.withResolvers<void>()
    this.#tails.set(userId, turnEnded)
    try {
      await before
      return await act()
    } finally {
      endTurn()
      if (this.#tails.get(userId) === turnEnded) this.#tails.delete(userId)
    }
  }
}
