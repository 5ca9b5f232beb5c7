/** Holds the log's lock, as another writer may, so that a test sees what waits for it. */

import type { Sql } from '../../../db/connection/connect.ts'

/** Resolves with the function that releases the lock, once it is held. */
export async function holdLog(sql: Sql): Promise<() => Promise<void>> {
  const [isHeld, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = sql.begin(async (tx) => {
    await tx`select from event_counter for update`
    isHeld.resolve()
    await release.promise
  })
  await Promise.race([isHeld.promise, holding])
  return async () => {
    release.resolve()
    await holding
  }
}
