/**
 * Which history of the log this is. Numbers alone don't tell: after a restore from a backup, or a fail-over to a replica
 * that lagged, the log goes on from an earlier end, and gives numbers again that were given before.
 */

import type { EventId } from '../server/domain/ids.ts'
import type { Sql } from './connect.ts'
import { postgres } from './postgres.ts'

/** The database as PostgreSQL tells it from others; not every role or host may ask for all of it. */
const HOMES = [
  `(select system_identifier from pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    || '/' || (select oid from pg_database where datname = current_database())`,
  `left(pg_walfile_name(pg_current_wal_lsn()), 8) || '/' || (select oid from pg_database where datname = current_database())`,
  `(select oid::text from pg_database where datname = current_database())`,
]
/** Undefined function, missing right, unsupported feature: what a host that hides such things answers. */
const UNTOLD = ['42883', '42501', '0A000']

/** An entry by its number and the moment at which it was written: another history has another moment. */
export interface LogMark {
  readonly id: EventId
  /** As text with microseconds; null where there is no such entry. */
  readonly loggedAt: string | null
}

/** How far the log is, and whose it is. */
export interface LogPosition {
  /** The last entry. */
  readonly last: LogMark
  /** When the entry was written that was asked for; null where the log doesn't have it. */
  readonly askedAt: string | null
  readonly epoch: string
  /** False where the epoch was made in another database than this; null where that is not known. */
  readonly isAtHome: boolean | null
  /** A replica, or a database that was made read-only. */
  readonly isReadOnly: boolean
}

/** Reads positions of the log, by any connection to the same server. */
export interface LogHistory {
  read(sql: Sql, askedId: EventId): Promise<LogPosition>
  /** Begins a new epoch, unless another process has: queues of the old one are no more. Answers the present epoch. */
  renew(sql: Sql, epoch: string): Promise<string>
}

/** Finds out what this server tells of itself, and makes the database known to the log where it is new. */
export async function openLogHistory(sql: Sql): Promise<LogHistory> {
  const home = await findHome(sql)
  const here = `case when not pg_is_in_recovery() then ${home} end`
  await sql.unsafe(`update event_counter set home = ${here} where home is null and not pg_is_in_recovery()`)
  return {
    async read(sql, askedId) {
      const [row] = await sql<(Omit<LogPosition, 'last'> & { lastId: EventId; lastAt: string | null })[]>`
        select last_id as "lastId", (select logged_at::text from event_log where id = last_id) as "lastAt",
          (select logged_at::text from event_log where id = ${askedId}) as "askedAt", epoch::text,
          home = ${sql.unsafe(here)} as "isAtHome",
          current_setting('transaction_read_only') = 'on' as "isReadOnly"
        from event_counter`
      if (!row) throw new Error('the event counter has no row: the database is not migrated')
      const { lastId, lastAt, ...position } = row
      return { ...position, last: { id: lastId, loggedAt: lastAt } }
    },
    renew: (sql, epoch) =>
      sql.begin(async (tx) => {
        const renewed = await tx`
          update event_counter set epoch = gen_random_uuid(), home = ${tx.unsafe(here)} where epoch = ${epoch}`
        if (renewed.count > 0) await tx`delete from event_queues`
        const [row] = await tx<{ epoch: string }[]>`select epoch::text from event_counter`
        return (row as { epoch: string }).epoch
      }) as Promise<string>,
  }
}

/** The fullest description that the server gives. */
async function findHome(sql: Sql): Promise<string> {
  for (const home of HOMES) {
    try {
      await sql.unsafe(`select case when not pg_is_in_recovery() then ${home} end`)
      return home
    } catch (error) {
      if (!(error instanceof postgres.PostgresError && UNTOLD.includes(error.code))) throw error
    }
  }
  return 'null::text'
}
