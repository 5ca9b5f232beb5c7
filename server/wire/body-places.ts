/**
 * How many bodies may come at once, in all and of each user: each holds memory, and a file of the disk. Where all
 * places are taken, who has fewer takes that of a body that hardly gets on, or of a user who has more.
 */

import { fail } from '../errors/api-error.ts'
import type { UserId } from '../domain/ids.ts'

/** A body that gets on more slowly may lose its place where others wait: bad mobile networks bring more. */
const BYTES_PER_SECOND_MIN = 8 * 1024
/** Milliseconds in which nobody is called slow. */
const GRACE_MS = 10_000

/** A body that takes a place. */
export interface ComingBody {
  /** How much of it has come. */
  readonly bytes: () => number
  /** Called where another takes its place: it is to end. */
  readonly onLost: () => void
}

interface Taken extends ComingBody {
  readonly userId: UserId
  readonly sinceMs: number
}

/** Counts bodies on their way. */
export class BodyPlaces {
  readonly #max: number
  readonly #perUserMax: number
  readonly #taken = new Set<Taken>()

  constructor(max: number, perUserMax: number) {
    this.#max = max
    this.#perUserMax = perUserMax
  }

  /**
   * Takes a place, perhaps from another; answers how to give it back. Throws `OVERLOADED` where the user has as many as
   * one may have, or nobody has more than they would.
   */
  take(userId: UserId, body: ComingBody, nowMs = performance.now()): () => void {
    const own = this.#count(userId)
    if (own >= this.#perUserMax) throw fail('OVERLOADED')
    if (this.#taken.size >= this.#max) {
      const loser = this.#findLoser(own, nowMs)
      if (!loser) throw fail('OVERLOADED')
      this.#taken.delete(loser)
      setImmediate(loser.onLost) // Not within the turn of this request.
    }
    const place: Taken = { ...body, userId, sinceMs: nowMs }
    this.#taken.add(place)
    return () => void this.#taken.delete(place)
  }

  #count(userId: UserId): number {
    return [...this.#taken].filter((place) => place.userId === userId).length
  }

  /** Whose place goes to a user who has so many. */
  #findLoser(own: number, nowMs: number): Taken | undefined {
    const paceOf = ({ bytes, sinceMs }: Taken) => (1_000 * bytes()) / Math.max(nowMs - sinceMs, GRACE_MS)
    const bySlowness = [...this.#taken].sort((a, b) => paceOf(a) - paceOf(b))
    const slow = bySlowness.find(
      (place) => nowMs - place.sinceMs > GRACE_MS && paceOf(place) < BYTES_PER_SECOND_MIN,
    )
    return slow ?? bySlowness.find(({ userId }) => this.#count(userId) > own + 1)
  }
}
