/** Turns of the event loop: work that takes long lets everything else of the process go first now and then. */

import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of work at a stretch: a request that comes meanwhile waits for so long at most. */
const TURN_MS_MAX = 2

/** One stretch of work. */
export class Turn {
  #startMs = performance.now()

  get isOver(): boolean {
    return performance.now() - this.#startMs >= TURN_MS_MAX
  }

  /** Resolves in a later turn, which then begins. */
  async next(): Promise<void> {
    await nextTurn()
    this.#startMs = performance.now()
  }
}
