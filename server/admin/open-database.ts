/** The database for an admin command, whether a server is running on it or not. */

import { connect } from '../../db/connect.ts'
import { checkSchema, migrate } from '../../db/migrate.ts'
import type { Config } from '../config.ts'
import { findRunningPostgres } from '../services/find-running-postgres.ts'
import { launchPostgres } from '../services/launch-postgres.ts'
import { makeDataFolder } from '../services/make-data-folder.ts'

/** An available database with the current schema. */
export interface OpenedDatabase {
  readonly url: string
  /** Stops the processes that were started for it. */
  close(): Promise<void>
}

/** The database of DATABASE_URL, or else the embedded one, started temporarily if it is not running. */
export async function openDatabase({
  databaseUrl,
  dataFolder,
}: Pick<Config, 'databaseUrl' | 'dataFolder'>): Promise<OpenedDatabase> {
  const given = databaseUrl ?? findRunningPostgres(dataFolder)
  if (given === undefined) makeDataFolder(dataFolder)
  const postgres = given === undefined ? await launchPostgres({ dataFolder }) : undefined
  const url = given ?? (postgres?.url as string)
  const close = async () => postgres?.close()
  const sql = connect(url, 1, 'parley-admin')
  try {
    if (databaseUrl === undefined) await migrate(sql)
    else await checkSchema(sql)
  } catch (error) {
    await sql.end({ timeout: 0 })
    await close()
    throw error
  }
  await sql.end()
  return { url, close }
}
