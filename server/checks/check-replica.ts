/** Tries the standby that pages and searches are read from. */

import { type ReplicaPosition, readReplicaPosition } from '../../db/log/replica-position.ts'
import { reasonOf } from '../run-process.ts'
import { type Checked, CheckError } from './finding.ts'
import { withDatabase } from './with-database.ts'

/** Throws a `CheckError` for a server that would never be read from, and where the primary cannot be asked. */
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
