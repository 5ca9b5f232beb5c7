/** Work at a steady rate, and waits that are exact to some microseconds. */

import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds before the end from which the loop spins, since a timer is late by up to one. */
const SPIN_MS = 2

/** Resolves at this time of `performance.now()`. */
export async function until(dueMs: number): Promise<void> {
  const timerMs = dueMs - performance.now() - SPIN_MS
  if (timerMs > 0) await wait(timerMs)
  while (performance.now() < dueMs) await new Promise((resolve) => setImmediate(resolve))
}

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
