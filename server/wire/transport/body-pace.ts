/** Ends bodies that arrive too slowly: each holds memory and a connection. */

/** Bytes that must arrive in each window of time: as many as in uWebSockets.js. */
const WINDOW_BYTES_MIN = 160 * 1024

/** The pace of one body. */
export class BodyPace {
  readonly #windowMs: number
  readonly #onSlow: () => void
  #timer: NodeJS.Timeout | undefined
  #bytes = 0

  constructor(windowMs: number, onSlow: () => void) {
    this.#windowMs = windowMs
    this.#onSlow = onSlow
  }

  /** The client may send from now on. */
  begin(): void {
    this.#timer ??= setTimeout(this.#onSlow, this.#windowMs)
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
