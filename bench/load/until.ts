/** Waits that are exact to some microseconds. */

import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds before the end from which the loop spins, since a timer is late by up to one. */
const SPIN_MS = 2

/** Resolves at this time of `performance.now()`. */
export async function until(dueMs: number): Promise<void> {
  const timerMs = dueMs - performance.now() - SPIN_MS
  if (timerMs > 0) await wait(timerMs)
  while (performance.now() < dueMs) await new Promise((resolve) => setImmediate(resolve))
}
