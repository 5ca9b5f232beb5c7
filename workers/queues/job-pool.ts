/** BullMQ's connections to PostgreSQL: its driver is `pg`. */

import pg from 'pg'
import { requireAddress, STATEMENT_MS_MAX, setStatement } from '../../db/connection/connect.ts'
import { offersTls, tlsOptions } from '../../db/connection/database-tls.ts'

/** Each worker holds one to listen, and all share a few more, which close when idle. */
const CONNECTIONS = 16

/** Opens a pool on the schema; the driver gets the parts of an address, since it reads URLs in its own way. */
export async function openJobPool(databaseUrl: string, schema: string): Promise<pg.Pool> {
  const address = requireAddress(databaseUrl)
  const { host, port, database, user, password, options } = address
  const tls = tlsOptions(address)
  const session = setStatement({ search_path: schema, statement_timeout: STATEMENT_MS_MAX.jobs })
  return new pg.Pool({
    host,
    port,
    database,
    user,
    password,
    options,
    ssl: tls === 'prefer' ? (await offersTls(address)) && { rejectUnauthorized: false } : tls,
    max: CONNECTIONS,
    keepAlive: true,
    application_name: 'parley-jobs',
    onConnect: async (client) => void (await client.query(session)),
  })
}
