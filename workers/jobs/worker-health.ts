/** Whether a worker can do its jobs: routers and operators ask on the port of its metrics. */

import type { Sql } from '../../db/connection/connect.ts'
import type { StoreCheck } from '../../server/files/store-check.ts'

/** Milliseconds that the database has for an answer, as in a web process. */
const ANSWER_MS_MAX = 1_200

/** The parts that jobs need. */
interface NeededParts {
  readonly sql: Sql
  readonly isConnected: () => boolean
  readonly storeCheck: StoreCheck | undefined
  /** The door for mails, if this worker has it. */
  readonly mailDoor: { isOpen(): boolean } | undefined
}

/** Makes the check; all who ask at the same time share one question to the database. */
export function createWorkerHealth({
  sql,
  isConnected,
  storeCheck,
  mailDoor,
}: NeededParts): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined
  const ask = async () => {
    try {
      await sql`select 1`
      return true
    } catch {
      return false // Other statements report it.
    } finally {
      asking = undefined
    }
  }
  return async () => {
    if (!isConnected() || storeCheck?.mayWork === false || mailDoor?.isOpen() === false) return false
    asking ??= ask()
    const late = Promise.withResolvers<boolean>()
    const timer = setTimeout(late.resolve, ANSWER_MS_MAX, false)
    try {
      return await Promise.race([asking, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
