/** Connections to PostgreSQL. */

import type postgresType from 'postgres'
import {
  type DatabaseAddress,
  type DatabaseHost,
  isSocketFolder,
  readDatabaseAddress,
} from '../../server/domain/settings/database-address.ts'
import { ARRAY_TYPES } from './array-types.ts'
import { tlsOptions } from './database-tls.ts'
import { failingSocket } from './open-socket.ts'
import { primaryOf } from './primary.ts'
import { postgres } from '../postgres.ts'
import { workerStatement } from './worker-session.ts'

export type Sql = postgresType.Sql<{ bigint: number }>
export type Transaction = postgresType.TransactionSql<{ bigint: number }>
/** One connection of a pool, for its only user. */
export type ReservedSql = postgresType.ReservedSql<{ bigint: number }>

const CONNECT_SECONDS_MAX = 10 // A database that does not answer in time is reported instead.
const RECONNECT_SECONDS_MAX = 0.25 // A node looks for a lost database this often.

/** Milliseconds that one statement may take, by the kind of work; PostgreSQL cancels slower ones. */
export const STATEMENT_MS_MAX = {
  /** Web processes: clients give up after this. */
  requests: 30_000,
  /** Changes: all others wait for the one that holds the log's lock. Waiting for the lock counts. */
  log: 20_000,
  /** A page of one channel takes less than a millisecond. */
  pages: 10_000,
  /** Each step of a search takes some milliseconds. */
  searches: 3_000,
  /** Batches of removing and indexing: each takes a second at most on a slow disk. */
  jobs: 120_000,
  /** Migrations build indexes over all messages; administrators wait. */
  administration: 3_600_000,
  /** One table of any size, as fast as a disk or a network takes it. */
  backups: 86_400_000,
} as const

/**
 * Milliseconds that a transaction may wait for its process. A holder of the log's lock blocks all other writers, but a
 * busy process may need seconds to send a batch of megabytes, of which PostgreSQL has the beginning. The others lock
 * single rows, and some of them wait for remote servers.
 */
const IDLE_MS_MAX = { log: 5_000, others: 60_000 } as const
/** Milliseconds that a change waits for the lock of the log. */
const LOCK_MS_MAX = 10_000

/** Both ends drop a peer that disappeared silently within some ten seconds. */
const KEEPALIVE_SECONDS = 5
const TCP_SETTINGS = {
  tcp_keepalives_idle: KEEPALIVE_SECONDS,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 10_000,
} as const

/** Options that differ between pools. */
export interface ConnectOptions {
  readonly work?: keyof typeof STATEMENT_MS_MAX
  /** Plans statements once, without their values: for statements with one best plan. */
  readonly plansOnce?: boolean
  /** The worker whose sessions these are. */
  readonly workerId?: number
}

/** Each connection holds some 3 MB at the server; one that opens anew costs milliseconds. */
const IDLE_SECONDS_MAX = 20
/** Each narrow is a separate statement, which both ends keep prepared; closing the connection frees them. */
const LIFE_SECONDS_MAX = 600

/** Opens a pool of at most `connectionsMax` connections, which open on first use. The URL is one of libpq's. */
export function connect(
  url: string,
  connectionsMax: number,
  name = 'parley',
  { work = 'administration', plansOnce = false, workerId }: ConnectOptions = {},
): Sql {
  const settings = setStatement({
    statement_timeout: STATEMENT_MS_MAX[work],
    ...idleBounds(work),
    ...TCP_SETTINGS,
    ...(plansOnce ? { plan_cache_mode: 'force_generic_plan' } : {}),
  })
  const session = workerId === undefined ? settings : `${settings}; ${workerStatement(workerId)}`
  const { options, ...place } = { ...readPlace(url), session } // `patches/postgres` adds `session` to the driver.
  return postgres({
    ...place,
    max: connectionsMax,
    connect_timeout: CONNECT_SECONDS_MAX,
    max_lifetime: LIFE_SECONDS_MAX,
    // A single connection serves constant work.
    ...(connectionsMax > 1 ? { idle_timeout: IDLE_SECONDS_MAX } : {}),
    backoff: (failures: number) => Math.min(RECONNECT_SECONDS_MAX, 0.05 * failures),
    onnotice: () => {},
    keep_alive: KEEPALIVE_SECONDS,
    connection: { application_name: name, ...options },
    // Ids and counts stay far below 2^53, so plain numbers hold them.
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number }, ...ARRAY_TYPES },
    fetch_types: false,
  })
}

/** The server and the database of a URL, as the driver names their parts. */
function readPlace(url: string) {
  const address = requireAddress(url)
  const { database, user, password, options } = address
  return {
    ...(address.isForPrimary ? placeOfPrimary(url, address) : placeOfOne(address)),
    ...(database === undefined ? {} : { database }),
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    options: (options === undefined ? {} : { options }) as Record<string, string>,
  }
}

// Lists, which the driver's types lack: it would split an IPv6 address at its colons.
const inDriver = ({ host, port }: DatabaseHost) => ({
  host: [host] as unknown as string,
  port: [port] as unknown as number,
})

function placeOfOne({ hosts: [one], tls }: DatabaseAddress) {
  return {
    ...inDriver(one),
    ...(isSocketFolder(one.host) ? { path: `${one.host}/.s.PGSQL.${one.port}` } : {}),
    ssl: tlsOptions(one, tls),
  }
}

/**
 * The driver's own way with several hosts stays on a standby for ever once it got there. So it gets sockets to the primary,
 * which have TLS already.
 */
function placeOfPrimary(url: string, address: DatabaseAddress) {
  for (const one of address.hosts) tlsOptions(one, address.tls) // Bad files of certificates show at once.
  const socket = () => primaryOf(url, address).open().catch(failingSocket)
  return { ...inDriver(address.hosts[0]), socket, ssl: false as const }
}

/** The address that a valid URL holds. */
export function requireAddress(url: string): DatabaseAddress {
  const address = readDatabaseAddress(url)
  if (typeof address === 'string') throw new Error(`the address of the database ${address}`)
  return address
}

/**
 * The statement that sets a session's settings, none of which is input. In the start packet PgBouncer would refuse them,
 * or drop them silently.
 */
export function setStatement(settings: Readonly<Record<string, string | number>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `set ${name} to ${value}`)
    .join('; ')
}

/** How busy a pool is. */
export interface PoolFigures {
  /** Connections that it may open. */
  readonly max: number
  /** Connections with a statement or a transaction, and open ones without. */
  readonly busy: number
  readonly idle: number
  /** Statements that wait for a connection, or for earlier ones on theirs. */
  readonly waiting: number
  /** Statements that PostgreSQL ended since the start: they took too long, or their client was gone. */
  readonly ended: number
  /** Statements and transactions that were tried again after a deadlock or a serialization failure. */
  readonly repeated: number
}

/** How busy a pool is now; `patches/postgres` adds it to the driver. */
export function poolFigures(sql: Sql): PoolFigures {
  return (sql as Sql & { figures(): PoolFigures }).figures()
}

function idleBounds(work: keyof typeof STATEMENT_MS_MAX): Record<string, number> {
  if (work === 'administration' || work === 'backups') return {} // A person watches it.
  if (work !== 'log') return { idle_in_transaction_session_timeout: IDLE_MS_MAX.others }
  return { idle_in_transaction_session_timeout: IDLE_MS_MAX.log, lock_timeout: LOCK_MS_MAX }
}

/** Opens the connection for changes, which does nothing else: a process commits them one after another. */
export function connectLog(url: string): Sql {
  // Each statement finds its rows by key, so generic plans are as good.
  return connect(url, 1, 'parley-log', { work: 'log', plansOnce: true })
}

/** Whether the asking connection is the oldest of that name to this database: the first of its pool. */
export async function isFirstOfName(sql: Sql, name: string): Promise<boolean> {
  const older = await sql`
    select from pg_stat_activity other, pg_stat_activity own
    where own.pid = pg_backend_pid() and other.datname = own.datname and other.application_name = ${name}
      and other.backend_start < own.backend_start
    limit 1`
  return older.count === 0
}

/** The number of connections of a name to this database. */
export async function countConnections(sql: Sql, name: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name = ${name}`
  return row?.count ?? 0
}

/**
 * SQLSTATEs of cancellations: a statement that timed out or was cancelled, a lock timeout, a transaction that idled or
 * ran too long.
 */
const ENDED: readonly string[] = ['57014', '55P03', '25P03', '25P04']

/** Whether an error reports a statement or transaction that ran too long and was ended: nothing was written. */
export function isTimedOut(error: unknown): boolean {
  return error instanceof postgres.PostgresError && ENDED.includes(error.code)
}

/** SQLSTATE of a violated unique constraint. */
const UNIQUE_VIOLATION = '23505'

/** Whether an error reports a violated unique constraint. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === UNIQUE_VIOLATION
}

/** Whether an error reports data that the database rejected: nothing was written. */
export function isRefusedData(error: unknown): boolean {
  // Class 22: data exceptions; class 23: violated constraints.
  return error instanceof postgres.PostgresError && /^2[23]/.test(error.code)
}
