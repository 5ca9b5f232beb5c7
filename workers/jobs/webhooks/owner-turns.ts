/** Calls under way, by the owner of the bot: slow receivers of one person hold up no bots of others. */

import type { UserId } from '../../../server/domain/ids.ts'
import type { OrganizationState } from '../../../server/state/organization-state.ts'

/** Calls at once for the bots of one owner. */
const CALLS_PER_OWNER_MAX = 4

/** The calls of one worker that are under way. */
export class OwnerTurns {
  readonly #running = new Map<UserId | null, number>()

  /** Begins a call; returns the function that ends it. */
  begin(ownerId: UserId | null): () => void {
    this.#running.set(ownerId, (this.#running.get(ownerId) ?? 0) + 1)
    return () => {
      const left = (this.#running.get(ownerId) ?? 1) - 1
      if (left === 0) this.#running.delete(ownerId)
      else this.#running.set(ownerId, left)
    }
  }

  /** The bots whose owner has the most calls under way. */
  busyBots({ bots, users }: OrganizationState): readonly UserId[] {
    const isFull = (ownerId: UserId | null) => (this.#running.get(ownerId) ?? 0) >= CALLS_PER_OWNER_MAX
    if (![...this.#running.keys()].some(isFull)) return []
    return bots.toArray().filter((id) => isFull(users.get(id)?.botOwnerId ?? null))
  }
}
