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
  /** A page of one channel takes less than a millisecond. */
  pages: 10_000,
  /** Each step of a search takes some milliseconds. */
  searches: 3_000,
  /** Removing and indexing in batches: a batch takes a second at most on a slow disk. */
  jobs: 120_000,
  /** Migrations build indexes over all messages; administrators wait. */
  administration: 3_600_000,
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
    connection: {
      application_name: name,
      statement_timeout: STATEMENT_MS_MAX[work],
      ...(plansOnce ? { plan_cache_mode: 'force_generic_plan' } : {}),
    },
    // Ids and counts stay far below 2^53, so plain numbers hold them.
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number }, ...ARRAY_TYPES },
    fetch_types: false,
  }) as unknown as Sql
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

/** SQLSTATE of a statement that was cancelled: by the time it took, or on request. */
const QUERY_CANCELED = '57014'

/** Whether an error says that a statement took too long and was ended. */
export function isTimedOut(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === QUERY_CANCELED
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
