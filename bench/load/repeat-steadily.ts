/** Repeats work at a steady rate, however long each takes. */

import { until } from './until.ts'

/** Begins `count` works at their due times; returns the milliseconds from each due time to its end. */
export async function repeatSteadily(
  { count, perSecond }: { readonly count: number; readonly perSecond: number },
  work: (number: number) => Promise<void>,
): Promise<number[]> {
  const latenciesMs: number[] = []
  const begun: Promise<void>[] = []
  const startMs = performance.now()
  for (let number = 0; number < count; number++) {
    const dueMs = startMs + (number * 1_000) / perSecond
    await until(dueMs)
    const done = work(number).then(() => void latenciesMs.push(performance.now() - dueMs))
    done.catch(() => {}) // Thrown below, when all are awaited.
    begun.push(done)
  }
  await Promise.all(begun)
  return latenciesMs
}
