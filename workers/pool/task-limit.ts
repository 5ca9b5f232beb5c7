/**
 * The time limit of a task: it counts the processor time that the task got, so that a busy machine fails no task. A task
 * that hangs without any is ended by the clock.
 */

import type { Worker } from 'node:worker_threads'

/** A task takes the time of its own thread, or also that of threads of libraries, which only the process counts. */
export type Counted = 'thread' | 'process'

/** How many times its limit a task may last by the clock: a machine that gives it less of the processor is overloaded. */
const CLOCK_FACTOR = 10
/** The part of the limit that passes before anything is counted: nearly all tasks end before, and cost no more. */
const UNCOUNTED_SHARE = 0.25
/** Milliseconds between two looks, at least. */
const LOOK_MS_MIN = 10

/** Aborts its signal when a task has had its time. */
export class TaskLimit {
  readonly #controller = new AbortController()
  readonly #thread: Worker | undefined
  readonly #counted: Counted
  readonly #msMax: number
  readonly #startMs = performance.now()
  #look: NodeJS.Timeout
  #clock: NodeJS.Timeout | undefined
  #isOver = false

  /** Of `msMax` milliseconds in a thread, from now on. */
  constructor(thread: Worker | undefined, msMax: number, counted: Counted) {
    this.#thread = thread
    this.#msMax = msMax
    this.#counted = counted
    this.#look = setTimeout(() => void this.#watch(), msMax * UNCOUNTED_SHARE)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Ends the watch; the task is done. */
  end(): void {
    this.#isOver = true
    clearTimeout(this.#look)
    clearTimeout(this.#clock)
  }

  async #watch(): Promise<void> {
    // A thread that answers no more is ended by this.
    this.#clock = setTimeout(() => this.#abort(), this.#msMax * (CLOCK_FACTOR - UNCOUNTED_SHARE))
    const beforeMs = await this.#readMs()
    this.#lookIn(this.#msMax * (1 - UNCOUNTED_SHARE), beforeMs)
  }

  #lookIn(ms: number, beforeMs: number): void {
    if (this.#isOver) return
    this.#look = setTimeout(async () => {
      // Several threads take more than the clock.
      const takenMs = Math.min(performance.now() - this.#startMs, (await this.#readMs()) - beforeMs)
      if (takenMs >= this.#msMax) this.#abort()
      else this.#lookIn(Math.max(LOOK_MS_MIN, this.#msMax - takenMs), beforeMs)
    }, ms)
  }

  /** Milliseconds of the processor so far. */
  async #readMs(): Promise<number> {
    // An older Node counts whole processes only; a thread that has ended counts no more.
    const read = this.#counted === 'thread' ? this.#thread?.cpuUsage?.().catch(() => undefined) : undefined
    const { user, system } = (await read) ?? process.cpuUsage()
    return (user + system) / 1000
  }

  #abort(): void {
    if (this.#isOver) return
    this.end()
    this.#controller.abort(new Error(`the task took more than ${this.#msMax} ms`))
  }
}
