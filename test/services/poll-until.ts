/** Waits for what another process does, where nothing tells us of it. */
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 20
/** How long nothing may change: on a busy machine a database takes most of it to start. */
const STILL_MS_MAX = 60_000

/**
 * Resolves to the first true-like value that `find` gives; throws `what`, made then, when nothing has happened for too
 * long. With a `measure` of how far it has got, each change starts the time anew: a busy machine only takes longer.
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
  throw new Error(`nothing came of it for ${STILL_MS_MAX} ms: ${typeof what === 'string' ? what : what()}`)
}
