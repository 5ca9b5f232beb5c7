/** BullMQ's connections to PostgreSQL: its driver is `pg`. */

import type { Socket } from 'node:net'
import pg from 'pg'
import { requireAddress, STATEMENT_MS_MAX, setStatement } from '../../db/connection/connect.ts'
import { offersTls, tlsOptions } from '../../db/connection/database-tls.ts'
import { primaryOf } from '../../db/connection/primary.ts'
import type { DatabaseAddress } from '../../server/domain/settings/database-address.ts'

/** Each worker holds one to listen, and all share a few more, which close when idle. */
const CONNECTIONS = 16

/** Opens a pool on the schema; the driver gets the parts of an address, since it reads URLs in its own way. */
export async function openJobPool(databaseUrl: string, schema: string): Promise<pg.Pool> {
  const address = requireAddress(databaseUrl)
  const { database, user, password, options } = address
  const session = setStatement({ search_path: schema, statement_timeout: STATEMENT_MS_MAX.jobs })
  return new pg.Pool({
    ...(await placeOf(databaseUrl, address)),
    database,
    user,
    password,
    options,
    max: CONNECTIONS,
    keepAlive: true,
    application_name: 'parley-jobs',
    onConnect: async (client) => void (await client.query(session)),
  })
}

async function placeOf(url: string, { hosts, tls, isForPrimary }: DatabaseAddress): Promise<pg.PoolConfig> {
  const [one] = hosts
  const options = tlsOptions(one, tls)
  if (isForPrimary) return { Client: clientOfPrimary(url), ssl: false }
  return {
    ...one,
    ssl: options === 'prefer' ? (await offersTls(one)) && { rejectUnauthorized: false } : options,
  }
}

/** The parts of the driver's client that its types lack. */
interface ClientParts {
  readonly connection: { stream: Socket }
}

/** Clients with sockets to the primary, which have TLS already: the driver knows one host only. */
function clientOfPrimary(url: string): typeof pg.Client {
  return class extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
      const connected = this.#connect()
      if (!callback) return connected
      connected.then(
        () => (callback as () => void)(),
        (error: Error) => callback(error),
      )
    }

    async #connect(): Promise<pg.Client> {
      const socket = await primaryOf(url, requireAddress(url)).open()
      socket.connect = () => {
        setImmediate(() => socket.emit('connect')) // It is connected already.
        return socket
      }
      ;(this as unknown as ClientParts).connection.stream = socket
      return super.connect()
    }
  }
}
