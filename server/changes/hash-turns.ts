/** Turns to hash a password, few at a time: people who are known here go before strangers. */

import { OverloadError } from '../actors/overload-error.ts'

/** `known`: a caller, or a log-in from a network from which its account has logged in before. */
export type Asker = 'known' | 'stranger'

/** Hashes at a time: each takes much memory, and a thread that files and DNS also need. */
const RUNNING_MAX = 2
/**
 * Hashes that may wait, some ten seconds' worth, for each kind of asker: guesses from many addresses must not delay everyone's
 * requests, nor a log-in from a known address, which waits for the hash that has begun.
 */
const WAITING_MAX = 100

/** Takes turns. */
export class HashTurns {
  #running = 0
  readonly #waiting: Readonly<Record<Asker, (() => void)[]>> = { known: [], stranger: [] }

  /** Runs the work in its turn. Rejects with an `OverloadError` if too many of the kind wait. */
  async run<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < RUNNING_MAX) this.#running++
    else await this.#wait(asker)
    try {
      return await work()
    } finally {
      // The turn goes to the next one without a gap, in which a newcomer could take it.
      const next = this.#waiting.known.shift() ?? this.#waiting.stranger.shift()
      if (next) next()
      else this.#running--
    }
  }

  async #wait(asker: Asker): Promise<void> {
    const line = this.#waiting[asker]
    if (line.length >= WAITING_MAX) throw new OverloadError('too many passwords wait to be hashed')
    await new Promise<void>((resolve) => line.push(resolve))
  }
}
