/** Waits for another process that sends no signal. */
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 20
/**
 * The limit without progress only ends a test that hangs: a start takes a second or two of a processor, and a busy
 * machine may give it a hundredth of one.
 */
export const STILL_MS_MAX = 300_000

/**
 * Resolves to the first truthy value of `find`. Throws `what`, computed then, after too long without
 * progress. With a `measure` of progress, each change restarts the time: a busy machine only takes longer.
 */
export async function pollUntil<T>(
  what: string | (() => string),
  find: () => T | Promise<T>,
  measure: () => number = () => 0,
): Promise<NonNullable<T>> {
  let measured = measure()
  let endMs = performance.now() + STILL_MS_MAX
  while (performance.now() < endMs) {
    const found = await find()
    if (found) return found
    await sleep(POLL_MS)
    const now = measure()
    if (now === measured) continue
    measured = now
    endMs = performance.now() + STILL_MS_MAX
  }
  throw new Error(`no progress for ${STILL_MS_MAX} ms: ${typeof what === 'string' ? what : what()}`)
}
