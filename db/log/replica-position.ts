/** The end of the log as a replica has it. */

import type { Sql } from '../connection/connect.ts'

/** The end of the log at one server. */
export interface ReplicaPosition {
  readonly lastId: number
  readonly epoch: string
  /** Whether it still follows a primary. */
  readonly isStandby: boolean
}

/** Reads the position; a server that lacks the row is at the beginning of no history. */
export async function readReplicaPosition(sql: Sql): Promise<ReplicaPosition> {
  const [row] = await sql<ReplicaPosition[]>`
    select last_id as "lastId", epoch::text, pg_is_in_recovery() as "isStandby" from event_counter`
  return row ?? { lastId: 0, epoch: '', isStandby: false }
}
