/**
 * One consistent view of the database for a backup, read beside running servers.
 *
 * One connection reads all tables in one repeatable-read transaction. The list of files belongs to the same snapshot,
 * but outlives the transaction: copying the files may take hours, and an open transaction keeps dead rows in all
 * tables. No bytes are removed while a backup runs: the job that removes them looks for its lock (`removalMayRun`). So
 * every file that the snapshot names is there until the end.
 */

import type { Readable } from 'node:stream'
import { connect, type ReservedSql, type Sql } from '../connection/connect.ts'
import { checkNotNewer } from '../migrate.ts'
import { copyOut, listSequences, listTables, type SequenceState, type TableShape } from './table-copies.ts'

/** The advisory lock that backups and exports share. */
const BACKUP_LOCK = 7_203_552
/** Files in one read of the list. */
const FILES_PAGE = 1_000

/**
 * Tables whose rows last for minutes and belong to one running server: event queues and tickets of its clients, push
 * tests that someone waits for, and uploads in progress, whose bytes change.
 */
const SHORT_LIVED = ['event_queues', 'tickets', 'push_tests', 'tus_uploads']

/** The state of a database at one moment, without its rows. */
export interface SnapshotHead {
  /** The applied migrations: the version of the schema. */
  readonly migrations: readonly string[]
  readonly postgres: string
  /** The end of the log. */
  readonly lastEventId: number
  /** The database's time, in ISO 8601. */
  readonly createdAt: string
  readonly tables: readonly TableShape[]
  readonly sequences: readonly SequenceState[]
}

/** An uploaded file that a row names. */
export interface FileRow {
  readonly key: string
  /** Bytes. */
  readonly size: number
}

/** A snapshot: first read all tables, then all files. */
export interface BackupSnapshot {
  readonly head: SnapshotHead
  copy(table: TableShape): Promise<Readable>
  files(): AsyncGenerator<FileRow>
  close(): Promise<void>
}

/** Opens a snapshot; rejects with a `SchemaError` if the database is of a newer release, or has no tables. */
export function openSnapshot(url: string): Promise<BackupSnapshot> {
  return openConsistently(url, 'parley-backup', async (connection, close) => ({
    head: await readHead(connection),
    copy: (table) => copyOut(connection, table),
    files: () => readFiles(connection),
    close,
  }))
}

/**
 * Opens a connection whose transaction sees the database as it is now, and makes a snapshot of it. As long as the
 * connection is open, no bytes of files are removed, so each file that the snapshot names is there.
 */
export async function openConsistently<Snapshot>(
  url: string,
  applicationName: string,
  make: (connection: ReservedSql, close: () => Promise<void>) => Promise<Snapshot>,
): Promise<Snapshot> {
  const sql = connect(url, 1, applicationName, { work: 'backups' })
  try {
    await sql`select` // The driver reserves only a connection that is open already.
    const connection = await sql.reserve()
    // Before the snapshot: rows that it does not see any more may lose their bytes.
    await connection`select pg_advisory_lock_shared(${BACKUP_LOCK})`
    await connection`begin isolation level repeatable read read only`
    return await make(connection, () => sql.end({ timeout: 0 }))
  } catch (error) {
    await sql.end({ timeout: 0 })
    throw error
  }
}

async function readHead(sql: ReservedSql): Promise<SnapshotHead> {
  const migrations = await checkNotNewer(sql)
  const [row] = await sql<Pick<SnapshotHead, 'postgres' | 'lastEventId' | 'createdAt'>[]>`
    select current_setting('server_version') as postgres, last_id as "lastEventId",
      to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "createdAt" from event_counter`
  if (!row) throw new Error('the event counter has no row: the database is not migrated')
  const tables = (await listTables(sql)).filter(({ name }) => !SHORT_LIVED.includes(name))
  await sql`set local datestyle = 'ISO'` // Independent of the database's own setting.
  return { migrations, ...row, tables, sequences: await listSequences(sql) }
}

async function* readFiles(sql: ReservedSql): AsyncGenerator<FileRow> {
  const [table] = await sql<{ exists: boolean; hasKept: boolean }[]>`
    select to_regclass('uploads') is not null as exists, to_regclass('kept_files') is not null as "hasKept"`
  if (table?.exists)
    await sql`
      declare backup_files no scroll cursor with hold for
      (select split_part(path, '/', 2) || '/' || split_part(path, '/', 3) as key, size
        from uploads where state = 'whole' order by id)
      ${table.hasKept ? sql`union all select key, size from kept_files` : sql``}`
  await sql`commit`
  if (!table?.exists) return
  for (;;) {
    const rows = await sql.unsafe<FileRow[]>(`fetch ${FILES_PAGE} from backup_files`)
    yield* rows
    if (rows.length < FILES_PAGE) return
  }
}

/**
 * A condition: no backup runs. If a statement that reads `removed_files` finds it true, a backup that begins later does
 * not see the uploads of these files any more.
 */
export const removalMayRun = (sql: Sql) => sql`not exists (
  select from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${BACKUP_LOCK} and objsubid = 1
    and database = (select oid from pg_database where datname = current_database()))`
