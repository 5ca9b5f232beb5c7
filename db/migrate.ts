/** Brings the schema up to date: numbered plain SQL files, each applied once, in order. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from './connect.ts'

const MIGRATIONS_FOLDER = join(import.meta.dirname, 'migrations')
const LOCK_KEY = 7_274_553_901 // Any number that nothing else in the database locks.

/** Applies the missing migrations under an advisory lock; answers the names of those applied. */
export async function migrate(sql: Sql): Promise<string[]> {
  const names = (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith('.sql')).sort()
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK_KEY})`
    await tx`create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())`
    const done = new Set((await tx<{ name: string }[]>`select name from migrations`).map((row) => row.name))
    const missing = names.filter((name) => !done.has(name))
    for (const name of missing) {
      await tx.unsafe(await readFile(join(MIGRATIONS_FOLDER, name), 'utf8'))
      await tx`insert into migrations (name) values (${name})`
    }
    return missing
  }) as Promise<string[]>
}

/** The migrations that this program has and the database lacks. */
export async function listMissingMigrations(sql: Sql): Promise<string[]> {
  const names = (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith('.sql')).sort()
  const [table] = await sql<{ exists: boolean }[]>`select to_regclass('migrations') is not null as exists`
  if (!table?.exists) return names
  const done = new Set((await sql<{ name: string }[]>`select name from migrations`).map((row) => row.name))
  return names.filter((name) => !done.has(name))
}
