/**
 * Which history of the log this is. Numbers alone don't tell: after a restore from a backup, or a fail-over to a replica
 * that lagged, the log goes on from an earlier end, and gives numbers again that were given before.
 */

import type { EventId } from '../server/domain/ids.ts'
import type { Sql } from './connect.ts'
import { postgres } from './postgres.ts'

/** The cluster, its timeline and the database's own number: not every role or host may ask for all of it. */
const PARTS = [
  '(select system_identifier from pg_control_system())::text',
  'left(pg_walfile_name(pg_current_wal_lsn()), 8)',
  '(select oid from pg_database where datname = current_database())::text',
]
/** A part that is not told. */
const UNKNOWN = '-'
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
  /** False where the epoch was made in another database than this, as far as that is told. */
  readonly isAtHome: boolean
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
  const ownHome = `case when not pg_is_in_recovery() then ${await describeHome(sql)} end`
  await sql.unsafe(
    `update event_counter set home = ${ownHome} where home is null and not pg_is_in_recovery()`,
  )
  return {
    async read(sql, askedId) {
      const [row] = await sql<PositionRow[]>`
        select last_id as "lastId", (select logged_at::text from event_log where id = last_id) as "lastAt",
          (select logged_at::text from event_log where id = ${askedId}) as "askedAt", epoch::text,
          home, ${sql.unsafe(ownHome)} as here, current_setting('transaction_read_only') = 'on' as "isReadOnly"
        from event_counter`
      if (!row) throw new Error('the event counter has no row: the database is not migrated')
      const { lastId, lastAt, home, here, ...position } = row
      return { ...position, last: { id: lastId, loggedAt: lastAt }, isAtHome: isSameHome(home, here) }
    },
    renew: (sql, epoch) =>
      sql.begin(async (tx) => {
        const renewed = await tx`
          update event_counter set epoch = gen_random_uuid(), home = ${tx.unsafe(ownHome)} where epoch = ${epoch}`
        if (renewed.count > 0) await tx`delete from event_queues`
        const [row] = await tx<{ epoch: string }[]>`select epoch::text from event_counter`
        return (row as { epoch: string }).epoch
      }) as Promise<string>,
  }
}

interface PositionRow extends Omit<LogPosition, 'last' | 'isAtHome'> {
  readonly lastId: EventId
  readonly lastAt: string | null
  readonly home: string | null
  /** Null in a replica, which may become another before it is written to. */
  readonly here: string | null
}

/** An expression for all that the server tells of the database. */
async function describeHome(sql: Sql): Promise<string> {
  const told: string[] = []
  for (const part of PARTS) told.push((await isTold(sql, part)) ? part : `'${UNKNOWN}'`)
  return `concat_ws('/', ${told.join(', ')})`
}

async function isTold(sql: Sql, part: string): Promise<boolean> {
  try {
    await sql.unsafe(`select case when not pg_is_in_recovery() then ${part} end`)
    return true
  } catch (error) {
    if (error instanceof postgres.PostgresError && UNTOLD.includes(error.code)) return false
    throw error
  }
}

/** Whether what is told of two databases agrees; processes whose roles may ask for more or less do not differ by that. */
function isSameHome(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return true
  const others = other.split('/')
  return one
    .split('/')
    .every((part, index) => part === others[index] || [part, others[index]].includes(UNKNOWN))
}
