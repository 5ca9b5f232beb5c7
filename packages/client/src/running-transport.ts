/** A transport that follows a queue at the moment. */

import type { Event } from './wire-types.ts'

type Batches = AsyncGenerator<readonly Event[], void, void>
type Batch = IteratorResult<readonly Event[], void>

export class RunningTransport {
  readonly #stop = new AbortController()
  readonly #batches: Batches
  readonly #opened: Promise<boolean>
  #settle: (isOpen: boolean) => void = () => undefined
  readonly #signal: AbortSignal | undefined
  readonly #abort = () => this.#stop.abort()
  #next: Promise<Batch> | undefined

  constructor(
    start: (onOpen: () => void, signal: AbortSignal) => Batches,
    signal: AbortSignal | undefined,
    onOpen: () => void = () => undefined,
  ) {
    this.#opened = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#signal = signal
    signal?.addEventListener('abort', this.#abort)
    if (signal?.aborted) this.#abort()
    const open = () => {
      this.#settle(true)
      onOpen()
    }
    this.#batches = start(open, this.#stop.signal)
  }

  /** The next batch; throws if the connection fails. */
  async next(): Promise<Batch> {
    const next = this.#next ?? this.#batches.next()
    this.#next = undefined
    return await next
  }

  /** Opens the connection; resolves with whether the server accepts it in time. */
  async opens(msMax: number): Promise<boolean> {
    const fail = () => this.#settle(false)
    const timer = setTimeout(fail, msMax)
    this.#next = this.#batches.next()
    this.#next.then(fail, fail) // A connection that has opened stays so.
    const isOpen = await this.#opened
    clearTimeout(timer)
    return isOpen
  }

  /** Ends the connection: a wait for the next batch ends, too. */
  end(): void {
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#stop.abort()
    this.#next?.catch(() => undefined) // Nobody waits for it any more.
    this.#batches.return().catch(() => undefined)
  }
}
