/** The database that an admin command works on, be a server running on it or not. */

import { connect } from '../../db/connect.ts'
import { checkSchema, migrate } from '../../db/migrate.ts'
import type { Config } from '../config.ts'
import { findRunningPostgres } from '../services/find-running-postgres.ts'
import { launchPostgres } from '../services/launch-postgres.ts'
import { makeDataFolder } from '../services/make-data-folder.ts'

/** A database that answers and whose schema is up to date. */
export interface OpenedDatabase {
  readonly url: string
  /** Stops what was started for it. */
  close(): Promise<void>
}

/** The database of DATABASE_URL; else the embedded one, started for the moment where it does not run. */
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
