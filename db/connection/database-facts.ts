/** Facts about a database that decide whether this program can use it, and a trial of its rights. */

import { randomBytes } from 'node:crypto'
import type { Sql } from './connect.ts'

/** The server and the database of a connection. */
export interface DatabaseFacts {
  readonly version: string
  readonly encoding: string
  /** Whether it follows another server and takes no changes. */
  readonly isStandby: boolean
  readonly connectionsMax: number
}

/** Reads the facts. */
export async function readDatabaseFacts(sql: Sql): Promise<DatabaseFacts> {
  const [row] = await sql<DatabaseFacts[]>`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      current_setting('server_encoding') as encoding, pg_is_in_recovery() as "isStandby",
      current_setting('max_connections')::int as "connectionsMax"`
  return row as DatabaseFacts
}

/** Thrown to undo the trial. */
const undo = new Error('undone')

/**
 * Does what migrations do, and undoes it: creates a table and the extension, and on request a schema. Rejects with the
 * database's error if it may not.
 */
export async function tryRights(sql: Sql, needsSchema: boolean): Promise<void> {
  const name = sql(`parley_check_${randomBytes(8).toString('hex')}`)
  await sql
    .begin(async (tx) => {
      await tx`create table ${name} (id int)`
      await tx`create extension if not exists pg_trgm`
      if (needsSchema) await tx`create schema ${name}`
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
}
