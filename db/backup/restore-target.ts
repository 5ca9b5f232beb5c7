/**
 * The database into which a backup is restored. All of it happens in one transaction: it ends only when the whole backup
 * is read and checked. So a restore that fails or is interrupted leaves an empty database empty and marked, and a
 * database that it replaces as it was.
 */

import { connect, type Sql, type Transaction } from '../connection/connect.ts'
import { applyMissing, lockSchema } from '../migrate.ts'
import { dropChecks, restoreChecks } from './schema-checks.ts'
import { renewSigningSecrets } from '../accounts/signing-secrets.ts'
import {
  copyIn,
  listTables,
  quoteName,
  type SequenceState,
  setSequences,
  type TableShape,
} from './table-copies.ts'
import { markRestoring, unmarkRestoring } from './unfinished-restore.ts'

/** PostgreSQL notices the end of a stopped process a little later. */
const END_TRIES = 10

/** The database cannot take the backup. */
class RestoreRefusedError extends Error {
  override readonly name = 'RestoreRefusedError'
}

/** The schema of a backup. */
export interface BackupSchema {
  readonly migrations: readonly string[]
  readonly tables: readonly TableShape[]
  readonly sequences: readonly SequenceState[]
}

/** The open transaction. */
export interface RestoreTarget {
  /** Adds rows to a table; each table once. */
  copy(table: string, chunks: AsyncIterable<Uint8Array>): Promise<void>
  /** Whether a file is a whole upload of the database that is replaced, so that its bytes are right. */
  hadFile(key: string): Promise<boolean>
}

/** The result of a restore. */
export interface Restored {
  /** The migrations that the backup lacked. */
  readonly migrated: readonly string[]
}

/**
 * Restores: calls `fill` for the rows and files, then migrates to this release and starts a new epoch of the log, so that
 * clients of the earlier database register again. Rejects with a `RestoreRefusedError` if a server uses the database,
 * or if it is not empty and may not be replaced.
 */
export async function restoreDatabase(
  url: string,
  schema: BackupSchema,
  isReplacing: boolean,
  fill: (target: RestoreTarget) => Promise<void>,
): Promise<Restored> {
  const sql = connect(url, 1, 'parley-restore', { work: 'backups' })
  try {
    await prepare(sql, isReplacing)
    const migrated = (await sql.begin(async (tx) => {
      await lockSchema(tx)
      await checkUnused(tx, 1)
      await noteEarlierFiles(tx)
      if (isReplacing) await removeAll(tx)
      await applyMissing(tx, schema.migrations)
      await fillTables(tx, schema, fill)
      const missing = await applyMissing(tx)
      await beginAnew(tx)
      await unmarkRestoring(tx)
      return missing
    })) as string[]
    await sql`analyze`
    return { migrated }
  } finally {
    await sql.end({ timeout: 0 })
  }
}

/** Checks the database, and marks an empty one. */
async function prepare(sql: Sql, isReplacing: boolean): Promise<void> {
  await checkUnused(sql, END_TRIES) // Before the lock: a restore that runs holds it for hours.
  await sql.begin(async (tx) => {
    await lockSchema(tx)
    if (await isEmpty(tx)) {
      await removeAll(tx)
      await markRestoring(tx)
    } else if (!isReplacing)
      throw new RestoreRefusedError('the database is not empty; --replace removes everything in it')
  })
}

/** Whether nothing was ever stored: no tables, or migrated ones with an empty log. */
async function isEmpty(tx: Transaction): Promise<boolean> {
  const names = (await listTables(tx)).map(({ name }) => name).filter((name) => name !== 'unfinished_restore')
  if (names.length === 0) return true
  if (!names.includes('event_counter')) return false
  const [row] = await tx<{ lastId: number }[]>`select last_id as "lastId" from event_counter`
  return row?.lastId === 0
}

/** Throws if a process of a server is connected, after some looks a twentieth of a second apart. */
async function checkUnused(sql: Sql | Transaction, tries: number): Promise<void> {
  for (let left = tries; ; left--) {
    const others = await sql<{ name: string }[]>`
      select distinct application_name as name from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name ~ '^parley-' order by 1`
    if (others.length === 0) return
    const names = others.map(({ name }) => name).join(', ')
    if (left === 1) throw new RestoreRefusedError(`the database is in use by ${names}: stop the server first`)
    await sql`select pg_sleep(0.05)`
  }
}

/** Notes the files of a database that is replaced. */
async function noteEarlierFiles(tx: Transaction): Promise<void> {
  await tx`create temporary table earlier_files (key text primary key, is_whole boolean not null) on commit drop`
  const names = (await listTables(tx)).map(({ name }) => name)
  if (names.includes('uploads'))
    await tx`
      insert into earlier_files
      select split_part(path, '/', 2) || '/' || split_part(path, '/', 3), state = 'whole' from uploads
      on conflict do nothing`
  if (names.includes('kept_files'))
    await tx`insert into earlier_files select key, true from kept_files on conflict do nothing`
  for (const name of ['tus_uploads', 'removed_files']) {
    if (names.includes(name))
      await tx.unsafe(`insert into earlier_files select key, false from ${name} on conflict do nothing`)
  }
}

/** Removes all tables and functions, except those of extensions. */
async function removeAll(tx: Transaction): Promise<void> {
  for (const { name } of await listTables(tx)) {
    if (name !== 'unfinished_restore') await tx.unsafe(`drop table ${quoteName(name)} cascade`)
  }
  const functions = await tx<{ name: string }[]>`
    select oid::regprocedure::text as name from pg_proc p where pronamespace = current_schema()::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')`
  for (const { name } of functions) await tx.unsafe(`drop function ${name}`)
}

async function fillTables(
  tx: Transaction,
  schema: BackupSchema,
  fill: (target: RestoreTarget) => Promise<void>,
): Promise<void> {
  const tables = new Map((await listTables(tx)).map((table) => [table.name, table]))
  for (const { name, columns } of schema.tables) {
    const own = tables.get(name)?.columns ?? []
    if (columns.length !== own.length || !columns.every((column) => own.includes(column)))
      throw new RestoreRefusedError(`the backup's table ${name} is not the one of its migrations`)
  }
  // Migrations put some rows into their tables; the backup has these, too.
  await tx.unsafe(`truncate ${[...tables.keys()].map(quoteName).join(', ')}`)
  const checks = await dropChecks(tx)
  const unread = new Map(schema.tables.map((table) => [table.name, table]))
  await fill({
    async copy(name, chunks) {
      const table = unread.get(name)
      if (!table)
        throw new RestoreRefusedError(`the backup has rows of an unknown table, or rows out of order`)
      unread.delete(name)
      await copyIn(tx, table, chunks)
    },
    async hadFile(key) {
      const found = await tx`select from earlier_files where key = ${key} and is_whole`
      return found.count > 0
    },
  })
  await setSequences(tx, schema.sequences)
  await restoreChecks(tx, checks)
}

/** Starts a new history of the log, with new secrets of addresses; drops rows that belong to clients and requests of the earlier server. */
async function beginAnew(tx: Transaction): Promise<void> {
  await tx`update event_counter set epoch = gen_random_uuid(), home = null`
  await renewSigningSecrets(tx)
  await tx`truncate event_queues, tickets, push_tests, tus_uploads`
  // The earlier server has sent these, or nobody needs them any more.
  await tx`truncate pending_notifications, pushes, workers`
  await tx`update mails set due_at = null where due_at is not null and kind in ('messages', 'digest')`
  await tx`delete from uploads where state = 'arriving'`
  // A job removes the bytes of the replaced database that nothing names any more.
  await tx`
    insert into removed_files (key)
    select key from earlier_files e where not exists (
      select from uploads u where split_part(u.path, '/', 2) || '/' || split_part(u.path, '/', 3) = e.key)
      and not exists (select from kept_files k where k.key = e.key)
    on conflict do nothing`
}
