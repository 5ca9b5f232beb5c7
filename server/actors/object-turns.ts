/**
 * Serializes the changes of one object, and retries each while it is stale.
 *
 * Such a change is decided on rows, and refused if the rows have changed since. Within one process the changes run in
 * the order of their requests, so each sees the result of the one before. Another process may still interfere: then the
 * change is retried for as long as its client may wait.
 */

import { setTimeout as wait } from 'node:timers/promises'
import { OverloadError } from './overload-error.ts'
import { Turns } from './turns.ts'

/** Milliseconds after which a change fails: some seconds before clients and routers give up. */
const CHANGE_MS_MAX = 20_000
/**
 * The longest delay before a retry, in milliseconds, doubled from 1 on and random: competing processes must not retry
 * in step.
 */
const RETRY_WAIT_MS_MAX = 32
/** Changes of all objects that may wait; with more, the server is overloaded. */
const WAITING_MAX = 10_000

/** The error with which the tables refuse a stale change. */
type Stale = abstract new (...args: never[]) => Error

/** The turns of each object. */
export class ObjectTurns {
  readonly #turns = new Turns<string>()
  readonly #changeMsMax: number
  #waiting = 0

  constructor(changeMsMax = CHANGE_MS_MAX) {
    this.#changeMsMax = changeMsMax
  }

  /**
   * Runs `act` in the object's turn, and again if it throws `Stale`. `object` is a kind and an id. Throws an
   * `OverloadError` if the change does not succeed in time.
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
