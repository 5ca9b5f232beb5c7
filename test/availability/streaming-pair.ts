/** PostgreSQL without anything that decides: a primary and a synchronous standby, which the check itself promotes. */

import { startPair } from '../harness/databases/start-pair.ts'
import type { Databases, Teardown } from './part.ts'

/** Starts both; they end with the check. */
export async function startStreamingPair(t: Teardown, folder?: string): Promise<Databases> {
  const { primary, standby, url } = await startPair(t, folder)
  return {
    url,
    kind: 'PostgreSQL with a synchronous standby, which this check promotes itself',
    outages: [
      {
        name: "PostgreSQL's primary",
        async begin() {
          await primary.kill()
          await standby.promote()
        },
        async end() {}, // The earlier primary stays away.
      },
    ],
  }
}
