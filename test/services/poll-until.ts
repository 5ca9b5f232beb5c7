/** Waits for what another process does, where nothing tells us of it. */
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 20

/** Resolves to the first true-like value that `find` gives; throws `what` when there is none within the deadline. */
export async function pollUntil<T>(
  what: string,
  find: () => T | Promise<T>,
  deadlineMs = 20_000,
): Promise<NonNullable<T>> {
  const endMs = performance.now() + deadlineMs
  while (performance.now() < endMs) {
    const found = await find()
    if (found) return found
    await sleep(POLL_MS)
  }
  throw new Error(`not within ${deadlineMs} ms: ${what}`)
}
