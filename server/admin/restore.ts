/** `restore FILE`: a backup into an empty database, or in place of everything in one. */

import { listOwn } from '../../db/migrate.ts'
import { type RestoreTarget, restoreDatabase } from '../../db/backup/restore-target.ts'
import { isFileKey } from '../files/file-key.ts'
import type { FileStore } from '../files/file-store.ts'
import { type ArchiveEntry, ArchiveReader } from './archive-reader.ts'
import {
  BackupError,
  type BackupEnd,
  type BackupHead,
  END_NAME,
  FORMAT_VERSION,
  HEAD_NAME,
} from './backup-format.ts'
import { Progress } from './progress.ts'

/** The backup, and where it goes. */
export interface RestoreOptions {
  /** A path, or `-` for the standard input. */
  readonly path: string
  readonly isReplacing: boolean
  readonly databaseUrl: string
  readonly fileStore: FileStore
}

/** An archive whose head was read and fits this release. */
export interface OpenedBackup {
  readonly head: BackupHead
  readonly reader: ArchiveReader
}

/** Opens a backup; rejects with a `BackupError` if this release cannot restore it. */
export async function openBackup(path: string): Promise<OpenedBackup> {
  const reader = new ArchiveReader(path)
  try {
    const first = await reader.next()
    const head = first?.name === HEAD_NAME ? await first.json() : undefined
    if (!isHead(head)) throw new BackupError('this is not a backup of Parley')
    const own = await listOwn()
    const unknown = head.migrations.filter((name) => !own.includes(name))
    if (head.version > FORMAT_VERSION || unknown.length > 0) {
      const reason = unknown.length > 0 ? `with ${unknown.join(', ')}` : `in format ${head.version}`
      throw new BackupError(`the backup is from a newer release, ${reason}: restore it with that release`)
    }
    return { head, reader }
  } catch (error) {
    reader.close()
    throw error
  }
}

/** Whether it is a head; a later format may have other parts. */
function isHead(value: unknown): value is BackupHead {
  const head = (value ?? {}) as Partial<BackupHead>
  if (head.format !== 'parley-backup' || !Array.isArray(head.migrations)) return false
  return (
    Number(head.version) > FORMAT_VERSION || (Array.isArray(head.tables) && Array.isArray(head.sequences))
  )
}

/** Restores an opened backup; resolves with its summary. */
export async function restore(
  { head, reader }: OpenedBackup,
  { path, isReplacing, databaseUrl, fileStore }: RestoreOptions,
): Promise<object> {
  const progress = new Progress('restore')
  try {
    let end: BackupEnd | undefined
    const { migrated } = await restoreDatabase(databaseUrl, head, isReplacing, async (target) => {
      end = await fill(reader, target, fileStore, progress)
      progress.step = 'indexes'
    })
    return {
      file: path,
      created_at: head.createdAt,
      last_event_id: head.lastEventId,
      rows: Object.values(end?.rows ?? {}).reduce((sum, count) => sum + count, 0),
      files: progress.files,
      missing_files: end?.missingFilesCount ?? 0,
      migrated,
    }
  } finally {
    progress.stop()
    reader.close()
  }
}

/** Reads all entries; resolves with the last one once its checksum is right. */
async function fill(
  reader: ArchiveReader,
  target: RestoreTarget,
  fileStore: FileStore,
  progress: Progress,
): Promise<BackupEnd> {
  let entry = await reader.next()
  while (entry) {
    const table = tableOf(entry)
    if (table !== undefined) {
      progress.step = `table ${table}`
      const parts = new TableParts(reader, table, entry, progress)
      await target.copy(table, parts.bytes())
      entry = parts.following
    } else if (entry.name === END_NAME) return readEnd(reader, entry)
    else {
      progress.step = 'files'
      await storeFile(entry, target, fileStore)
      progress.files++
      progress.bytes += entry.size
      entry = await reader.next()
    }
  }
  throw new BackupError('the backup is incomplete: its end is missing')
}

/** The parts of one table, as one stream. */
class TableParts {
  readonly #reader: ArchiveReader
  readonly #table: string
  readonly #first: ArchiveEntry
  readonly #progress: Progress
  /** The entry after the last part. */
  following: ArchiveEntry | undefined

  constructor(reader: ArchiveReader, table: string, first: ArchiveEntry, progress: Progress) {
    this.#reader = reader
    this.#table = table
    this.#first = first
    this.#progress = progress
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    for (let part: ArchiveEntry | undefined = this.#first; part; ) {
      yield* part.bytes()
      this.#progress.bytes += part.size
      this.following = await this.#reader.next()
      part = this.following && tableOf(this.following) === this.#table ? this.following : undefined
    }
  }
}

function tableOf({ name }: ArchiveEntry): string | undefined {
  return /^tables\/([a-z0-9_]{1,63})\/[0-9]{1,9}\.copy$/.exec(name)?.[1]
}

/**
 * Stores a file. One that the replaced database has stays as it is, since the bytes of an upload never change. Any other
 * may come from a restore that failed, so it is written again.
 */
async function storeFile(entry: ArchiveEntry, target: RestoreTarget, fileStore: FileStore): Promise<void> {
  const key = entry.name.replace(/^files\//, '')
  if (!entry.name.startsWith('files/') || !isFileKey(key) || key.includes('.'))
    throw new BackupError(`the backup has an unknown part ${entry.name}`)
  const isThere = (await fileStore.size(key)) === entry.size
  if (isThere && (await target.hadFile(key))) {
    for await (const _ of entry.bytes()) continue // For the checksum.
    return
  }
  await fileStore.write(key, entry.bytes(), entry.size)
}

async function readEnd(reader: ArchiveReader, entry: ArchiveEntry): Promise<BackupEnd> {
  const sha256 = reader.checksum()
  const end = (await entry.json()) as BackupEnd
  if (end.sha256 !== sha256) throw new BackupError('the backup is damaged: its checksum does not match')
  if (await reader.next()) throw new BackupError('the backup is damaged: there is data after its end')
  return end
}
