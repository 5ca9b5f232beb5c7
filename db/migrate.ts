/** Migrates the schema: numbered plain SQL files, each applied once, in order. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql, Transaction } from './connect.ts'

const MIGRATIONS_FOLDER = join(import.meta.dirname, 'migrations')
const LOCK_KEY = 7_274_553_901 // Any number that nothing else in the database locks.
/** In PostgreSQL's own numbering. */
const VERSION_MIN = 140_000

/** The database belongs to a newer release, or its server is too old. */
class SchemaError extends Error {
  override readonly name = 'SchemaError'
}

/** Applies the missing migrations under an advisory lock; returns their names. */
export async function migrate(sql: Sql): Promise<string[]> {
  return sql.begin(async (tx) => {
    await checkVersion(tx)
    await tx`select pg_advisory_xact_lock(${LOCK_KEY})`
    await tx`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`
    const missing = await listMissing(tx)
    for (const name of missing) {
      await tx.unsafe(await readFile(join(MIGRATIONS_FOLDER, name), 'utf8'))
      await tx`insert into migrations (name) values (${name})`
    }
    return missing
  }) as Promise<string[]>
}

/** Throws if the schema does not fit this program: a process could not use it. */
export async function checkSchema(sql: Sql): Promise<void> {
  await checkVersion(sql)
  const [table] = await sql<{ exists: boolean }[]>`select to_regclass('migrations') is not null as exists`
  const missing = table?.exists ? await listMissing(sql) : await listOwn()
  if (missing.length > 0)
    throw new SchemaError(`the database lacks ${missing.join(', ')}: run the release command`)
}

async function listOwn(): Promise<string[]> {
  return (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith('.sql')).sort()
}

/** This program's migrations that the database lacks; throws if the database has others. */
async function listMissing(sql: Sql | Transaction): Promise<string[]> {
  const own = await listOwn()
  const done = (await sql<{ name: string }[]>`select name from migrations order by name`).map(
    ({ name }) => name,
  )
  const unknown = done.filter((name) => !own.includes(name))
  if (unknown.length > 0)
    throw new SchemaError(
      `the database is of a newer release, with ${unknown.join(', ')}: start that release, or a newer one`,
    )
  return own.filter((name) => !done.includes(name))
}

async function checkVersion(sql: Sql | Transaction): Promise<void> {
  const [row] = await sql<{ number: number; name: string }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as name`
  if (row && row.number < VERSION_MIN)
    throw new SchemaError(`the database is PostgreSQL ${row.name}: 14 or later is needed`)
}
