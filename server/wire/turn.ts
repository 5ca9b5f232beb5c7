/**
 * The turn of the event loop in which requests are handled.
 *
 * uWebSockets.js parses a whole packet before anything else runs, and cuts a connection whose next request comes while
 * one waits for its answer. So a change begins only in the next turn: then it is the only request of its packet, or its
 * connection is gone, and the client may repeat it.
 */

/** Requests that are answered in one turn: one client may send thousands in one packet, and others would wait for them. */
const REQUESTS_PER_TURN_MAX = 256

/** The turns of one server. */
export class Turn {
  #count = 0
  #isScheduled = false
  #next: PromiseWithResolvers<void> | undefined

  /** Counts a request; returns whether it should wait for the next turn. */
  isFull(): boolean {
    this.#schedule()
    return ++this.#count > REQUESTS_PER_TURN_MAX
  }

  /** Resolves in the next turn. */
  next(): Promise<void> {
    this.#schedule()
    this.#next ??= Promise.withResolvers()
    return this.#next.promise
  }

  /** One immediate for each turn: each takes a microsecond, and a turn has only a few requests. */
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(this.#end)
  }

  readonly #end = (): void => {
    const next = this.#next
    this.#isScheduled = false
    this.#count = 0
    this.#next = undefined
    next?.resolve()
  }
}
