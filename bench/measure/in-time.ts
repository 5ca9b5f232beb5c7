/** A limit for benchmarks that report figures while they run. */

import type { Figure } from './figure.ts'

/** The time of a benchmark was over. Its figures are shown, but not published: others are missing. */
export class OutOfTime extends Error {
  readonly figures: readonly Figure[]

  constructor(figures: readonly Figure[]) {
    super(`its time was over after ${figures.length} figures`)
    this.figures = figures
  }
}

/**
 * Runs work until it ends or its time is over, and answers whether it ended. Then the signal is aborted, so that nothing
 * starts any more. It rejects as the work does; what fails after that time, as when servers close under it, is ignored.
 */
export async function runInTime(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const late = Promise.withResolvers<false>()
  const ending = new AbortController()
  const timer = setTimeout(() => {
    ending.abort()
    late.resolve(false)
  }, limitMs)
  const running = work(ending.signal).then(() => true)
  running.catch(() => undefined)
  try {
    return await Promise.race([running, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
