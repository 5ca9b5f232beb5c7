/**
 * Lets changes of one object take turns, and tries each again until it holds.
 *
 * Such a change is decided on rows, and refused where these have changed since. In one process they come one after
 * another, in the order in which they were asked for, so that each finds what the one before it left. Another process may
 * still come in between: then it is tried again, for as long as its client may wait.
 */

import { setTimeout as wait } from 'node:timers/promises'
import { OverloadError } from './overload-error.ts'
import { Turns } from './turns.ts'

/** Milliseconds after which a change is given up: some seconds before clients and routers give up themselves. */
const CHANGE_MS_MAX = 20_000
/** Milliseconds before another try at most, doubled from 1 on: processes that got in each other's way shall not do so in step. */
const RETRY_WAIT_MS_MAX = 32
/** Changes that may wait for their turn, of all objects; beyond it the server is overloaded. */
const WAITING_MAX = 10_000

/** The error by which the tables refuse what has changed since it was read. */
type Stale = abstract new (...args: never[]) => Error

/** Whose turn it is, for each object. */
export class ObjectTurns {
  readonly #turns = new Turns<string>()
  readonly #changeMsMax: number
  #waiting = 0

  constructor(changeMsMax = CHANGE_MS_MAX) {
    this.#changeMsMax = changeMsMax
  }

  /**
   * Reads, decides and commits by `act` in its turn, and again where it throws `Stale`. `object` is a kind and an id.
   * Throws an `OverloadError` where it does not come to hold in time.
   */
  async change<Result>(object: string, Stale: Stale, act: () => Promise<Result>): Promise<Result> {
    if (this.#waiting >= WAITING_MAX) throw new OverloadError('too many changes wait for their turn')
    const endMs = performance.now() + this.#changeMsMax
    this.#waiting++
    try {
      return await this.#turns.take(object, async () => {
        for (let tries = 0; ; tries++) {
          try {
            return await act()
          } catch (error) {
            if (!(error instanceof Stale)) throw error
            if (performance.now() >= endMs)
              throw new OverloadError(`${object} changes too fast`, { cause: error })
            await wait(Math.random() * Math.min(RETRY_WAIT_MS_MAX, 2 ** tries))
          }
        }
      })
    } finally {
      this.#waiting--
    }
  }
}
