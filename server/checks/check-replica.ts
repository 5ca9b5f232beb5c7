/** Tries the standby that pages and searches are read from. */

import { connect } from '../../db/connection/connect.ts'
import { type ReplicaPosition, readReplicaPosition } from '../../db/log/replica-position.ts'
import { reasonOf } from '../run-process.ts'
import { type Checked, CheckError } from './finding.ts'

/** Throws a `CheckError` for a server that would never be read from. */
export async function checkReplica(replicaUrl: string, databaseUrl: string | undefined): Promise<Checked> {
  if (databaseUrl === undefined) throw new CheckError('DATABASE_REPLICA_URL needs DATABASE_URL')
  const [replica, primary] = [await readPosition(replicaUrl), await readPosition(databaseUrl)]
  if (!replica.isStandby)
    throw new CheckError('the server is no standby, and is not read from: name one that follows the primary')
  if (replica.epoch !== primary.epoch)
    throw new CheckError('the server follows another database than that of DATABASE_URL')
  return `a standby, ${Math.max(0, primary.lastId - replica.lastId)} log entries behind`
}

export function explainReplica(error: unknown): string {
  return reasonOf(error).replaceAll('DATABASE_URL', 'DATABASE_REPLICA_URL')
}

async function readPosition(url: string): Promise<ReplicaPosition> {
  const sql = connect(url, 1, 'parley-check', { work: 'requests' })
  try {
    return await readReplicaPosition(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
