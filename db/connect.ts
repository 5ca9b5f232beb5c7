/** Connections to PostgreSQL. */

import type postgresType from 'postgres'
import { ARRAY_TYPES } from './array-types.ts'
import { postgres } from './postgres.ts'

export type Sql = postgresType.Sql<{ bigint: number }>
export type Transaction = postgresType.TransactionSql<{ bigint: number }>

const CONNECT_SECONDS_MAX = 10 // A database that does not answer by then is reported, not waited for.
const RECONNECT_SECONDS_MAX = 1 // A database that is back is used again within the time in which a node looks for it.

/**
 * Opens a pool of at most `connectionsMax` connections; they are made when first needed.
 * The URL is one of libpq's; `?host=/folder` names the folder of a unix socket. With `plansOnce` a statement is
 * planned without its values, once: for those whose best plan is the same whatever they are.
 */
export function connect(
  url: string,
  connectionsMax: number,
  name = 'parley',
  { plansOnce = false }: { readonly plansOnce?: boolean } = {},
): Sql {
  const [address, socket] = splitSocketUrl(url)
  return postgres(address, {
    ...socket,
    ...(hasTlsSetting(url) ? {} : { ssl: socket.host === undefined ? 'prefer' : false }),
    max: connectionsMax,
    connect_timeout: CONNECT_SECONDS_MAX,
    backoff: (failures: number) => Math.min(RECONNECT_SECONDS_MAX, 0.05 * failures),
    onnotice: () => {},
    connection: {
      application_name: name,
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
