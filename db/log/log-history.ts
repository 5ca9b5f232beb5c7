/**
 * Identifies the history of the log. Numbers are not enough: after a restore from a backup, or a failover to a lagging
 * replica, the log continues from an earlier end, and gives the same numbers again.
 */

import type { EventId } from '../../server/domain/ids.ts'
import { transact } from '../connection/collisions.ts'
import type { Sql } from '../connection/connect.ts'
import { postgres } from '../postgres.ts'

/** The cluster, its timeline and the database's own number: not every role or host may read all of them. */
const PARTS = [
  '(select system_identifier from pg_control_system())::text',
  'left(pg_walfile_name(pg_current_wal_lsn()), 8)',
  '(select oid from pg_database where datname = current_database())::text',
]
/** A part that the server does not reveal. */
const UNKNOWN = '-'
/** Undefined function, missing privilege, unsupported feature: the answers of hosts that hide these parts. */
const HIDDEN_CODES = ['42883', '42501', '0A000']

/** An entry by its number and the time it was written: another history has another time. */
export interface LogMark {
  readonly id: EventId
  /** Text with microseconds; null if there is no such entry. */
  readonly loggedAt: string | null
}

/** The end of the log, and its identity. */
export interface LogPosition {
  /** The last entry. */
  readonly last: LogMark
  /** The time of the requested entry; null if the log does not have it. */
  readonly askedAt: string | null
  readonly epoch: string
  /** False if the epoch was created in another database than this one, as far as the server reveals it. */
  readonly isAtHome: boolean
  /** A replica, or a read-only database. */
  readonly isReadOnly: boolean
  /** The server's process for the connection: a new one may belong to another database. */
  readonly backendId: number
}

/** Reads positions of the log, over any connection to the same server. */
export interface LogHistory {
  read(sql: Sql, askedId: EventId): Promise<LogPosition>
  /**
   * Starts a new epoch, unless another process has done so: queues of the old one become invalid. Returns the current
   * epoch.
   */
  renew(sql: Sql, epoch: string): Promise<string>
}

/** Finds out which parts the server reveals, and records the database in the log if it is new. */
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
          home, ${sql.unsafe(ownHome)} as here, current_setting('transaction_read_only') = 'on' as "isReadOnly",
          pg_backend_pid() as "backendId"
        from event_counter`
      if (!row) throw new Error('the event counter has no row: the database is not migrated')
      const { lastId, lastAt, home, here, ...position } = row
      return { ...position, last: { id: lastId, loggedAt: lastAt }, isAtHome: isSameHome(home, here) }
    },
    renew: (sql, epoch) =>
      transact(sql, async (tx) => {
        const renewed = await tx`
          update event_counter set epoch = gen_random_uuid(), home = ${tx.unsafe(ownHome)} where epoch = ${epoch}`
        if (renewed.count > 0)
          await tx`delete from event_queues where id in (select id from event_queues order by id for update)`
        const [row] = await tx<{ epoch: string }[]>`select epoch::text from event_counter`
        return (row as { epoch: string }).epoch
      }),
  }
}

interface PositionRow extends Omit<LogPosition, 'last' | 'isAtHome'> {
  readonly lastId: EventId
  readonly lastAt: string | null
  readonly home: string | null
  /** Null in a replica, whose identity may change before it is written to. */
  readonly here: string | null
}

/** An SQL expression for the identity that the server reveals. */
async function describeHome(sql: Sql): Promise<string> {
  const revealed: string[] = []
  for (const part of PARTS) revealed.push((await isRevealed(sql, part)) ? part : `'${UNKNOWN}'`)
  return `concat_ws('/', ${revealed.join(', ')})`
}

async function isRevealed(sql: Sql, part: string): Promise<boolean> {
  try {
    await sql.unsafe(`select case when not pg_is_in_recovery() then ${part} end`)
    return true
  } catch (error) {
    if (error instanceof postgres.PostgresError && HIDDEN_CODES.includes(error.code)) return false
    throw error
  }
}

/** Whether two identities agree; a part that a role could not read counts as equal. */
function isSameHome(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return true
  const others = other.split('/')
  return one
    .split('/')
    .every((part, index) => part === others[index] || [part, others[index]].includes(UNKNOWN))
}
