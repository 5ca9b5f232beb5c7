/** Time as a dependency, so that tests drive it. */

/** Milliseconds since the UNIX epoch, and calls at intervals. */
export interface Clock {
  nowMs(): number
  /** Calls back every `periodMs` until stopped; does not keep the process alive. */
  every(periodMs: number, task: () => void): { stop(): void }
}

/** The machine's own clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  every(periodMs, task) {
    const timer = setInterval(task, periodMs)
    timer.unref()
    return { stop: () => clearInterval(timer) }
  },
}

/** A clock's time in UNIX seconds. */
export function nowSeconds(clock: Clock): number {
  return Math.floor(clock.nowMs() / 1000)
}
