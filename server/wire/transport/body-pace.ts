/** Ends bodies that arrive too slowly: each holds memory and a connection. */

/** Milliseconds, and the bytes that must arrive meanwhile: the same as in uWebSockets.js. */
const WINDOW_MS = 10_000
const WINDOW_BYTES_MIN = 160 * 1024

/** The pace of one body. */
export class BodyPace {
  readonly #onSlow: () => void
  #timer: NodeJS.Timeout | undefined
  #bytes = 0

  constructor(onSlow: () => void) {
    this.#onSlow = onSlow
  }

  /** The client may send from now on. */
  begin(): void {
    this.#timer ??= setTimeout(this.#onSlow, WINDOW_MS)
  }

  add(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes < WINDOW_BYTES_MIN) return
    this.#bytes = 0
    this.#timer?.refresh()
  }

  /** The client is not awaited any more. */
  end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
