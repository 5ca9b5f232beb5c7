/** Turns of the event loop: long work yields to the rest of the process now and then. */

import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of uninterrupted work: the longest that a new request waits for it. */
const TURN_MS_MAX = 2

/** One turn of work. */
export class Turn {
  #startMs = performance.now()

  get isOver(): boolean {
    return performance.now() - this.#startMs >= TURN_MS_MAX
  }

  /** Resolves in a later turn, which then starts. */
  async next(): Promise<void> {
    await nextTurn()
    this.#startMs = performance.now()
  }
}
