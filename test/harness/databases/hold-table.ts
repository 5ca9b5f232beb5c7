/** Holds a table, so that a test sees what waits for it. */

import type { Sql } from '../../../db/connection/connect.ts'

/** Resolves with the function that releases the table, once it is held. */
export async function holdTable(sql: Sql, table: string): Promise<() => Promise<void>> {
  const [isHeld, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = sql.begin(async (tx) => {
    await tx`lock table ${tx(table)} in access exclusive mode`
    isHeld.resolve()
    await release.promise
  })
  await Promise.race([isHeld.promise, holding])
  return async () => {
    release.resolve()
    await holding
  }
}
