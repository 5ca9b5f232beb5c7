/**
 * Determines the log's epoch before a process loads its state, and starts a new epoch if the database is a different
 * one.
 */

import type { Sql } from '../../db/connection/connect.ts'
import { type LogHistory, openLogHistory } from '../../db/log/log-history.ts'
import type { EventId } from '../domain/ids.ts'

/** The log's history when a process starts. */
export interface Beginning {
  readonly history: LogHistory
  readonly epoch: string
}

/** A database that was restored elsewhere, or a replica after a failover, may lack events that clients already have. */
export async function beginEpoch(sql: Sql, onNew: (message: string) => void): Promise<Beginning> {
  const history = await openLogHistory(sql)
  const { epoch, isAtHome } = await history.read(sql, 0 as EventId)
  if (isAtHome) return { history, epoch }
  onNew('the database was restored or failed over since it was last used: clients register again')
  return { history, epoch: await history.renew(sql, epoch) }
}
