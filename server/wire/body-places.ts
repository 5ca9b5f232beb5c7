/**
 * Limits the bodies in progress, in total and per user: each holds memory and a file on disk. When all places are
 * taken, a new body may take the place of a slow one, or of a user with more bodies.
 */

import { fail } from '../errors/api-error.ts'
import type { UserId } from '../domain/ids.ts'

/** A slower body may lose its place to another: even bad mobile networks are faster. */
const BYTES_PER_SECOND_MIN = 8 * 1024
/** Milliseconds before a body counts as slow. */
const GRACE_MS = 10_000

/** A body in progress. */
export interface ComingBody {
  /** Bytes that have arrived. */
  readonly bytes: () => number
  /** Called when another body takes its place; the body must end. */
  readonly onLost: () => void
}

interface Taken extends ComingBody {
  readonly userId: UserId
  readonly sinceMs: number
}

/** Counts bodies in progress. */
export class BodyPlaces {
  readonly #max: number
  readonly #perUserMax: number
  readonly #taken = new Set<Taken>()
  /** Bodies that found no place, and bodies that lost theirs to another. */
  refused = 0
  lost = 0

  constructor(max: number, perUserMax: number) {
    this.#max = max
    this.#perUserMax = perUserMax
  }

  /**
   * Takes a place, if necessary from another body; returns a function that frees it. Throws `OVERLOADED` if the user is
   * at the limit, or if no other body may lose its place.
   */
  take(userId: UserId, body: ComingBody, nowMs = performance.now()): () => void {
    const own = this.#count(userId)
    if (own >= this.#perUserMax) throw this.#refuse()
    if (this.#taken.size >= this.#max) {
      const loser = this.#findLoser(own, nowMs)
      if (!loser) throw this.#refuse()
      this.lost++
      this.#taken.delete(loser)
      setImmediate(loser.onLost) // After the turn of this request.
    }
    const place: Taken = { ...body, userId, sinceMs: nowMs }
    this.#taken.add(place)
    return () => void this.#taken.delete(place)
  }

  /** Places, and how many are taken. */
  get places(): { taken: number; max: number } {
    return { taken: this.#taken.size, max: this.#max }
  }

  #refuse() {
    this.refused++
    return fail('OVERLOADED')
  }

  #count(userId: UserId): number {
    return [...this.#taken].filter((place) => place.userId === userId).length
  }

  /** The body that loses its place to a user with this many bodies. */
  #findLoser(own: number, nowMs: number): Taken | undefined {
    const paceOf = ({ bytes, sinceMs }: Taken) => (1_000 * bytes()) / Math.max(nowMs - sinceMs, GRACE_MS)
    const bySlowness = [...this.#taken].sort((a, b) => paceOf(a) - paceOf(b))
    const slow = bySlowness.find(
      (place) => nowMs - place.sinceMs > GRACE_MS && paceOf(place) < BYTES_PER_SECOND_MIN,
    )
    return slow ?? bySlowness.find(({ userId }) => this.#count(userId) > own + 1)
  }
}
