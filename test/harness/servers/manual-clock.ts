/** A clock that the test moves. */

import type { Clock } from '../../../server/domain/clock.ts'

interface Timer {
  readonly periodMs: number
  readonly task: () => void
  nextMs: number
}

/** Time stands still until `advance`. */
export class ManualClock implements Clock {
  #nowMs: number
  readonly #timers = new Set<Timer>()

  constructor(startMs = Date.now()) {
    this.#nowMs = startMs
  }

  nowMs(): number {
    return this.#nowMs
  }

  every(periodMs: number, task: () => void): { stop(): void } {
    const timer = { periodMs, task, nextMs: this.#nowMs + periodMs }
    this.#timers.add(timer)
    return { stop: () => this.#timers.delete(timer) }
  }

  /** Jumps by months: due timers run once at the next `advance`, not thousands of times. */
  leap(ms: number): void {
    this.#nowMs += ms
    for (const timer of this.#timers) timer.nextMs = Math.max(timer.nextMs, this.#nowMs)
  }

  /** Advances time and runs due timers on the way, in order. */
  advance(ms: number): void {
    const endMs = this.#nowMs + ms
    for (let due = this.#nextBy(endMs); due; due = this.#nextBy(endMs)) {
      this.#nowMs = due.nextMs
      due.nextMs += due.periodMs
      due.task()
    }
    this.#nowMs = endMs
  }

  /** The earliest of the timers that are due by a time. */
  #nextBy(endMs: number): Timer | undefined {
    let next: Timer | undefined
    for (const timer of this.#timers)
      if (timer.nextMs <= endMs && (!next || timer.nextMs < next.nextMs)) next = timer
    return next
  }
}
