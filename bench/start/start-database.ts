/** The PostgreSQL of a run, in a temporary folder, with a new database for each benchmark. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../db/connection/connect.ts'
import { migrate } from '../../db/migrate.ts'
import { launchPostgres } from '../../server/services/launch-postgres.ts'

/** Has the current schema, of which each new database is a copy. */
const TEMPLATE = 'bench_template'

/** A running PostgreSQL. */
export interface BenchDatabases {
  readonly version: string
  /** The URL of a new database with the current schema. */
  create(): Promise<string>
  close(): Promise<void>
}

/** Starts it with the settings of `npm start`: every commit is durable. */
export async function startDatabases(): Promise<BenchDatabases> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const postgres = await launchPostgres({ dataFolder: folder })
  const admin = connect(postgres.url, 1, 'bench')
  const [row] = await admin<{ version: string }[]>`select current_setting('server_version') as version`
  const urlOf = (name: string) => {
    const url = new URL(postgres.url)
    url.pathname = `/${name}`
    return url.href
  }
  await admin.unsafe(`create database ${TEMPLATE}`)
  const template = connect(urlOf(TEMPLATE), 1, 'bench')
  await migrate(template)
  await template.end()
  let count = 0
  return {
    version: row?.version ?? '',
    async create() {
      const name = `bench_${++count}`
      await admin.unsafe(`create database ${name} template ${TEMPLATE} strategy file_copy`)
      return urlOf(name)
    },
    async close() {
      await admin.end()
      await postgres.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
