/** Tries the database: its version, its encoding, its sessions, its schema, and what this user may do in it. */

import { requireOwnSessions } from '../../db/accounts/own-sessions.ts'
import { type DatabaseFacts, readDatabaseFacts, tryRights } from '../../db/connection/database-facts.ts'
import type { Sql } from '../../db/connection/connect.ts'
import { compareSchema } from '../../db/migrate.ts'
import type { Config } from '../config.ts'
import { type Checked, CheckError } from './finding.ts'
import { withDatabase } from './with-database.ts'
import { type ReplicaPosition, readReplicaPosition } from '../../db/log/replica-position.ts'
import { reasonOf } from '../run-process.ts'

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

/** Tries the standby that pages and searches are read from; throws a `CheckError` for a server that would never be read from, and where the primary cannot be asked. */
export async function checkReplica(replicaUrl: string, databaseUrl: string | undefined): Promise<Checked> {
  if (databaseUrl === undefined) throw new CheckError('DATABASE_REPLICA_URL needs DATABASE_URL')
  const replica = await withDatabase(replicaUrl, readReplicaPosition)
  if (!replica.isStandby)
    throw new CheckError('the server is no standby, and is not read from: name one that follows the primary')
  const primary = await readPrimary(databaseUrl)
  if (replica.epoch !== primary.epoch)
    throw new CheckError('the server follows another database than that of DATABASE_URL')
  return `a standby, ${Math.max(0, primary.lastId - replica.lastId)} log entries behind`
}

export function explainReplica(error: unknown): string {
  return reasonOf(error).replaceAll('DATABASE_URL', 'DATABASE_REPLICA_URL')
}

async function readPrimary(databaseUrl: string): Promise<ReplicaPosition> {
  try {
    return await withDatabase(databaseUrl, readReplicaPosition)
  } catch (error) {
    throw new CheckError(`a standby; of which database is unknown, since ${reasonOf(error)}`, {
      cause: error,
    })
  }
}
