/** Changes the organization without clients: with the same decisions and the same log; web processes get a notice. */

import { connect, connectLog, type ConnectOptions, type Sql } from '../../db/connection/connect.ts'
import { readLog } from '../../db/log/event-log.ts'
import { type Clock, systemClock } from '../domain/clock.ts'
import { Feed } from '../log/feed.ts'
import { LOG_NOTICE } from '../log/tail-log.ts'
import { applyEvent } from '../events/apply-event.ts'
import { loadState } from '../state/load-state.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { Committer } from './committer.ts'

/** A writer without clients. */
export interface LocalWriter {
  readonly sql: Sql
  readonly state: OrganizationState
  /** Applies other processes' changes. */
  readonly feed: Feed
  readonly committer: Committer
  /** The system's clock: nothing here needs the database's to the second. */
  readonly clock: Clock
  /** Notifies web processes that the log has grown. */
  tell(): Promise<void>
  /** Notifies web processes, and closes the connections. */
  close(): Promise<void>
}

/** Loads the organization to change it; `name` identifies the connections in the database. */
export async function openLocalWriter(
  databaseUrl: string,
  name = 'parley-admin',
  options: ConnectOptions = {},
): Promise<LocalWriter> {
  const sql = connect(databaseUrl, 4, name, options)
  let state: OrganizationState
  try {
    state = await loadState(sql)
  } catch (error) {
    await sql.end({ timeout: 0 })
    throw error
  }
  const logSql = connectLog(databaseUrl)
  const feed = new Feed({
    appliedId: state.appliedId,
    readLog: (afterId, countMax) => readLog(sql, afterId, countMax),
    onEntry: (entry) => applyEvent(state, entry),
    onError: () => {}, // The commit that waits for it fails with its own error.
  })
  const committer = new Committer({ sql: logSql, state, feed, publish: () => {} })
  const tell = async () => {
    await sql.notify(LOG_NOTICE, '').catch(() => {
      // Web processes poll the log each second anyway.
    })
  }
  return {
    sql,
    state,
    feed,
    committer,
    clock: systemClock,
    tell,
    async close() {
      await committer.drain()
      await tell()
      feed.close()
      await Promise.all([sql.end({ timeout: 5 }), logSql.end({ timeout: 5 })])
    },
  }
}
