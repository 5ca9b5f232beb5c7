/** Connections to PostgreSQL. */

import type postgresType from 'postgres'
import { ARRAY_TYPES } from './array-types.ts'
import { postgres } from './postgres.ts'

export type Sql = postgresType.Sql<{ bigint: number }>
export type Transaction = postgresType.TransactionSql<{ bigint: number }>

const CONNECT_SECONDS_MAX = 10 // A database that does not answer by then is reported, not waited for.
const RECONNECT_SECONDS_MAX = 1 // A database that is back is used again within the time in which a node looks for it.

/** Milliseconds that one statement may take, by the kind of work; PostgreSQL ends a statement that takes longer. */
export const STATEMENT_MS_MAX = {
  /** Web processes: a client has given up by then. */
  requests: 30_000,
  /** Changes: all others wait for one that holds the log's lock. The wait for the lock counts. */
  log: 20_000,
  /** A page of one channel takes less than a millisecond. */
  pages: 10_000,
  /** Each step of a search takes some milliseconds. */
  searches: 3_000,
  /** Removing and indexing in batches: a batch takes a second at most on a slow disk. */
  jobs: 120_000,
  /** Migrations build indexes over all messages; administrators wait. */
  administration: 3_600_000,
} as const

/**
 * Milliseconds that a transaction may wait for its process. One that holds the log's lock makes all other writers wait; the
 * others hold locks of single rows, and some of them wait for servers elsewhere.
 */
const IDLE_MS_MAX = { log: 1_000, others: 60_000 } as const
/** Milliseconds that a change waits for the log's lock. */
const LOCK_MS_MAX = 10_000

/** A peer that is gone without a word is given up within some ten seconds, by both ends. */
const KEEPALIVE_SECONDS = 5
const TCP_SETTINGS = {
  tcp_keepalives_idle: KEEPALIVE_SECONDS,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 10_000,
} as const

/** How the connections of a pool differ. */
export interface ConnectOptions {
  readonly work?: keyof typeof STATEMENT_MS_MAX
  /** Statements are planned once, without their values: for those whose best plan is always the same. */
  readonly plansOnce?: boolean
}

/** Each narrow is a statement of its own, which both ends keep prepared: they go with the connection. */
const LIFE_SECONDS_MAX = 600

/**
 * Opens a pool of at most `connectionsMax` connections; they are made when first needed.
 * The URL is one of libpq's; `?host=/folder` names the folder of a unix socket.
 */
export function connect(
  url: string,
  connectionsMax: number,
  name = 'parley',
  { work = 'administration', plansOnce = false }: ConnectOptions = {},
): Sql {
  const [address, socket] = splitSocketUrl(url)
  return postgres(address, {
    ...socket,
    ...(hasTlsSetting(url) ? {} : { ssl: socket.host === undefined ? 'prefer' : false }),
    max: connectionsMax,
    connect_timeout: CONNECT_SECONDS_MAX,
    max_lifetime: LIFE_SECONDS_MAX,
    backoff: (failures: number) => Math.min(RECONNECT_SECONDS_MAX, 0.05 * failures),
    onnotice: () => {},
    keep_alive: KEEPALIVE_SECONDS,
    connection: {
      application_name: name,
      statement_timeout: STATEMENT_MS_MAX[work],
      ...idleBounds(work),
      ...TCP_SETTINGS,
      ...(plansOnce ? { plan_cache_mode: 'force_generic_plan' } : {}),
    },
    // Ids and counts stay far below 2^53, so plain numbers hold them.
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number }, ...ARRAY_TYPES },
    fetch_types: false,
  }) as unknown as Sql
}

function idleBounds(work: keyof typeof STATEMENT_MS_MAX): Record<string, number> {
  if (work === 'administration') return {} // Somebody looks on.
  if (work !== 'log') return { idle_in_transaction_session_timeout: IDLE_MS_MAX.others }
  return { idle_in_transaction_session_timeout: IDLE_MS_MAX.log, lock_timeout: LOCK_MS_MAX }
}

/** Opens the connection for changes, which nothing else may keep busy: a process commits them one after another. */
export function connectLog(url: string): Sql {
  // Each statement finds its rows by keys, so that planning without values loses nothing.
  return connect(url, 1, 'parley-log', { work: 'log', plansOnce: true })
}

/** Whether a URL says itself whether to encrypt; where it does not, TLS is used if it is offered, as libpq does. */
function hasTlsSetting(url: string): boolean {
  return /[?&]ssl(mode)?=/.test(url)
}

/** Takes the folder of a unix socket out of a URL, where postgres.js does not look for one. */
function splitSocketUrl(url: string): [url: string, options: { host?: string }] {
  if (!/[?&]host=(\/|%2f)/i.test(url)) return [url, {}]
  const parsed = new URL(url)
  const host = parsed.searchParams.get('host') ?? ''
  parsed.searchParams.delete('host')
  return [parsed.href, { host }]
}

/** Whether no connection of that name to this database is older than the one that asks: the first of its pool. */
export async function isFirstOfName(sql: Sql, name: string): Promise<boolean> {
  const older = await sql`
    select from pg_stat_activity other, pg_stat_activity own
    where own.pid = pg_backend_pid() and other.datname = own.datname and other.application_name = ${name}
      and other.backend_start < own.backend_start
    limit 1`
  return older.count === 0
}

/**
 * SQLSTATE of what was ended: a statement by the time it took, or on request; a wait for a lock; a transaction whose process
 * did nothing, or took too long.
 */
const ENDED: readonly string[] = ['57014', '55P03', '25P03', '25P04']

/** Whether an error says that a statement or its transaction took too long and was ended: nothing of it is written. */
export function isTimedOut(error: unknown): boolean {
  return error instanceof postgres.PostgresError && ENDED.includes(error.code)
}

/** SQLSTATE of a violated unique constraint. */
const UNIQUE_VIOLATION = '23505'

/** Whether an error says that a unique constraint was violated. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === UNIQUE_VIOLATION
}

/** Whether an error says that the data of a statement was refused, so that nothing of it was written. */
export function isRefusedData(error: unknown): boolean {
  // Class 22: data exceptions; class 23: violated constraints.
  return error instanceof postgres.PostgresError && /^2[23]/.test(error.code)
}
