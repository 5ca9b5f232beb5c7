/** Migrates the schema: numbered plain SQL files, each applied once, in order. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReservedSql, Sql, Transaction } from './connection/connect.ts'
import { isRestoring } from './backup/unfinished-restore.ts'

const MIGRATIONS_FOLDER = join(import.meta.dirname, 'migrations')
const LOCK_KEY = 7_274_553_901 // Any number that nothing else in the database locks.
/** In PostgreSQL's own numbering. */
const VERSION_MIN = 140_000

type AnySql = Sql | Transaction | ReservedSql

/** The database belongs to a newer release, is only partly restored, or its server is too old. */
class SchemaError extends Error {
  override readonly name = 'SchemaError'
}

/** Applies the missing migrations under an advisory lock; returns their names. */
export async function migrate(sql: Sql): Promise<string[]> {
  return sql.begin(async (tx) => {
    await lockSchema(tx)
    await checkRestored(tx)
    return applyMissing(tx)
  }) as Promise<string[]>
}

/** Lets no other process change the schema until the transaction ends. */
export async function lockSchema(tx: Transaction): Promise<void> {
  await checkVersion(tx)
  await tx`select pg_advisory_xact_lock(${LOCK_KEY})`
}

/** Applies the migrations that the database lacks, or only some of them; returns their names. */
export async function applyMissing(tx: Transaction, only?: readonly string[]): Promise<string[]> {
  await tx`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`
  const { missing } = await compareMigrations(tx)
  const applied = only ? missing.filter((name) => only.includes(name)) : missing
  for (const name of applied) {
    await tx.unsafe(await readFile(join(MIGRATIONS_FOLDER, name), 'utf8'))
    await tx`insert into migrations (name) values (${name})`
  }
  return applied
}

/** Throws if the schema does not fit this program: a process could not use it. */
export async function checkSchema(sql: Sql): Promise<void> {
  const { missing } = await compareSchema(sql)
  if (missing.length > 0)
    throw new SchemaError(`the database lacks ${missing.join(', ')}: run the release command`)
}

/** The applied migrations of a database that may belong to an older release; throws if it is unusable. */
export async function checkNotNewer(sql: AnySql): Promise<string[]> {
  const { done } = await compareSchema(sql)
  if (done.length === 0) throw new SchemaError('the database is empty')
  return done
}

/** The applied migrations, and those that the database lacks; throws if this program could not use or migrate it. */
export async function compareSchema(sql: AnySql): Promise<{ done: string[]; missing: string[] }> {
  await checkVersion(sql)
  await checkRestored(sql)
  return compareMigrations(sql)
}

/** This program's migrations, in order. */
export async function listOwn(): Promise<string[]> {
  return (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith('.sql')).sort()
}

/** The applied migrations, and those that the database lacks; throws if it has unknown ones. */
async function compareMigrations(sql: AnySql): Promise<{ done: string[]; missing: string[] }> {
  const own = await listOwn()
  const [table] = await sql<{ exists: boolean }[]>`select to_regclass('migrations') is not null as exists`
  const rows = table?.exists ? await sql<{ name: string }[]>`select name from migrations order by name` : []
  const done = rows.map(({ name }) => name)
  const unknown = done.filter((name) => !own.includes(name))
  if (unknown.length > 0)
    throw new SchemaError(
      `the database is of a newer release, with ${unknown.join(', ')}: start that release, or a newer one`,
    )
  return { done, missing: own.filter((name) => !done.includes(name)) }
}

async function checkRestored(sql: AnySql): Promise<void> {
  if (await isRestoring(sql))
    throw new SchemaError('a restore of the database is running, or did not finish: restore it again')
}

async function checkVersion(sql: AnySql): Promise<void> {
  const [row] = await sql<{ number: number; name: string }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as name`
  if (row && row.number < VERSION_MIN)
    throw new SchemaError(`the database is PostgreSQL ${row.name}: 14 or later is needed`)
}
