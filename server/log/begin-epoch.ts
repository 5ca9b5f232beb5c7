/** Finds the epoch of the log before a process loads its state, and begins another where the database is another. */

import type { Sql } from '../../db/connect.ts'
import { type LogHistory, openLogHistory } from '../../db/log-history.ts'
import type { EventId } from '../domain/ids.ts'

/** The log's history as a process begins with it. */
export interface Beginning {
  readonly history: LogHistory
  readonly epoch: string
}

/** A database that was restored elsewhere, or a replica that took over, may have lost what clients know. */
export async function beginEpoch(sql: Sql, onNew: (message: string) => void): Promise<Beginning> {
  const history = await openLogHistory(sql)
  const { epoch, isAtHome } = await history.read(sql, 0 as EventId)
  if (isAtHome) return { history, epoch }
  onNew('the database was restored or failed over since it was last used: clients register again')
  return { history, epoch: await history.renew(sql, epoch) }
}
