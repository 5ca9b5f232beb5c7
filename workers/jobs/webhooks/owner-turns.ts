/** Calls under way, by the owner of the bot: slow receivers of one person hold up no bots of others. */

import type { BotOwner } from '../../../db/notifications/pending-notifications.ts'

/** Calls at once for the bots of one owner. */
const CALLS_PER_OWNER_MAX = 4

/** The calls of one worker that are under way. */
export class OwnerTurns {
  readonly #running = new Map<BotOwner, number>()
  #claiming: Promise<unknown> = Promise.resolve()

  /** The owners with the most calls under way. */
  get busyOwners(): readonly BotOwner[] {
    return [...this.#running].filter(([, count]) => count >= CALLS_PER_OWNER_MAX).map(([ownerId]) => ownerId)
  }

  /** Claims a call when the claims before have ended, so that it counts their calls. */
  claim<Claimed>(claim: () => Promise<Claimed>): Promise<Claimed> {
    const claimed = this.#claiming.then(claim)
    this.#claiming = claimed.catch(() => undefined)
    return claimed
  }

  /** Begins a call; returns the function that ends it. */
  begin(ownerId: BotOwner): () => void {
    this.#running.set(ownerId, (this.#running.get(ownerId) ?? 0) + 1)
    return () => {
      const left = (this.#running.get(ownerId) ?? 1) - 1
      if (left === 0) this.#running.delete(ownerId)
      else this.#running.set(ownerId, left)
    }
  }
}
