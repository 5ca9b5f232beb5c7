/** Tries the database: its version, its encoding, its sessions, its schema, and what this user may do in it. */

import { requireOwnSessions } from '../../db/accounts/own-sessions.ts'
import { type DatabaseFacts, readDatabaseFacts, tryRights } from '../../db/connection/database-facts.ts'
import type { Sql } from '../../db/connection/connect.ts'
import { compareSchema } from '../../db/migrate.ts'
import type { Config } from '../config.ts'
import { type Checked, CheckError } from './finding.ts'
import { withDatabase } from './with-database.ts'

/** Connections that PostgreSQL keeps for superusers and other work. */
const SPARE_CONNECTIONS = 5
/** Connections of a web process beside `DATABASE_CONNECTIONS`, as docs/settings.md says. */
const MORE_CONNECTIONS = 10

/** Throws what the start would, or a `CheckError`. */
export async function checkDatabase(config: Config): Promise<Checked> {
  const { databaseUrl } = config
  if (databaseUrl === undefined)
    return {
      unused: 'DATABASE_URL is not set: npm start brings a database of its own, web and worker do not start',
    }
  await requireOwnSessions(databaseUrl)
  return explained(() => withDatabase(databaseUrl, (sql) => tryDatabase(sql, config)))
}

async function tryDatabase(sql: Sql, config: Config): Promise<string> {
  const { done, missing } = await compareSchema(sql)
  const facts = await readDatabaseFacts(sql)
  refuseFacts(facts, config)
  // Without Redis the queues of jobs have a schema of their own.
  await tryRights(sql, config.redisUrl === undefined)
  const schema =
    missing.length === 0
      ? 'the schema of this release'
      : done.length === 0
        ? 'still empty: run the release command'
        : `${missing.length} changes of the schema to come: back up, then run the release command`
  return `PostgreSQL ${facts.version}, UTF8, sessions of its own, may create tables; ${schema}`
}

function refuseFacts({ encoding, isStandby, connectionsMax }: DatabaseFacts, config: Config): void {
  if (encoding !== 'UTF8')
    throw new CheckError(
      `the database has the encoding ${encoding}: make one with encoding UTF8 (createdb --encoding=UTF8 --template=template0)`,
    )
  if (isStandby) throw new CheckError('the server is a standby, which takes no changes: name the primary')
  const needed = config.databaseConnections + MORE_CONNECTIONS
  if (needed > connectionsMax - SPARE_CONNECTIONS)
    throw new CheckError(
      `one web process takes ${needed} connections, and max_connections is ${connectionsMax}: raise it, or lower DATABASE_CONNECTIONS`,
    )
}

/** SQLSTATEs of an extension that is not installed, and of a right that is missing. */
const NO_EXTENSION: readonly unknown[] = ['0A000', '58P01', '22023']
const NO_RIGHT = '42501'

async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message: string }
    if (code === NO_RIGHT)
      throw new CheckError(`${message}: let the user of DATABASE_URL own the database`, { cause: error })
    if (NO_EXTENSION.includes(code))
      throw new CheckError(`${message}: install PostgreSQL's contrib modules`, { cause: error })
    throw error
  }
}
