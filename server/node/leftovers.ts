/** Finds the connections, timers and threads that a closed node left behind in its process. */

import { setTimeout as wait } from 'node:timers/promises'

/** How often they are counted. */
const LOOK_MS = 10

/** The resources that keep the process running, by their kind, as Node calls it. */
type Resources = Readonly<Record<string, number>>

/** Standard output and standard error, which open when they are first used and stay. */
const STREAMS: Resources = { PipeWrap: 2, TTYWrap: 2 }

/** Something of a closed node is still there. */
class LeftoverError extends Error {
  override readonly name = 'LeftoverError'
}

/** The resources of this moment. */
export function countResources(): Resources {
  const counts: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

/** Waits until there is no more of any kind than before; rejects with a `LeftoverError` when the time is over. */
export async function nothingLeft(before: Resources, msMax: number): Promise<void> {
  const endMs = performance.now() + msMax
  for (;;) {
    const left = excess(countResources(), before)
    if (left.length === 0) return
    if (performance.now() >= endMs) throw new LeftoverError(`the closed node left behind: ${left.join(', ')}`)
    await wait(LOOK_MS)
  }
}

function excess(now: Resources, before: Resources): string[] {
  return Object.entries(now)
    .map(([kind, count]) => ({ kind, count: count - (before[kind] ?? 0) - (STREAMS[kind] ?? 0) }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${kind}`)
}
