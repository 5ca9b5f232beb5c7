/** The database for an admin command, whether a server is running on it or not. */

import { connect } from '../../db/connection/connect.ts'
import { checkSchema } from '../../db/migrate.ts'
import { requireOwnSessions } from '../../db/accounts/own-sessions.ts'
import type { Config } from '../config.ts'
import { findRunningPostgres } from '../services/find-running-postgres.ts'
import { launchPostgres } from '../services/launch-postgres.ts'
import { makeDataFolder } from '../services/make-data-folder.ts'
import { upgradeDatabase } from './upgrade-database.ts'

/** An available database. */
export interface OpenedDatabase {
  readonly url: string
  /** Stops the processes that were started for it. */
  close(): Promise<void>
}

/** The database as it is: DATABASE_URL, or else the embedded one, started temporarily if it is not running. */
export async function openAnyDatabase({ databaseUrl, dataFolder }: Config): Promise<OpenedDatabase> {
  const given = databaseUrl ?? findRunningPostgres(dataFolder)
  if (databaseUrl !== undefined) await requireOwnSessions(databaseUrl)
  if (given === undefined) makeDataFolder(dataFolder)
  const postgres = given === undefined ? await launchPostgres({ dataFolder }) : undefined
  const url = given ?? (postgres?.url as string)
  return { url, close: async () => postgres?.close() }
}

/** The same with the schema of this release: an embedded database is migrated. */
export async function openDatabase(settings: Config): Promise<OpenedDatabase> {
  const database = await openAnyDatabase(settings)
  const { url } = database
  const sql = connect(url, 1, 'parley-admin')
  try {
    if (settings.databaseUrl === undefined) await upgradeDatabase(sql, url, settings)
    else await checkSchema(sql)
  } catch (error) {
    await sql.end({ timeout: 0 })
    await database.close()
    throw error
  }
  await sql.end()
  return database
}
