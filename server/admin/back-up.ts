/** `backup FILE`: the database and the files of uploads in one archive, beside running servers. */

import { type BackupSnapshot, type FileRow, openSnapshot } from '../../db/backup/backup-snapshot.ts'
import type { TableShape } from '../../db/backup/table-copies.ts'
import { FileMissingError, type FileStore } from '../files/file-store.ts'
import { ArchiveWriter } from './archive-writer.ts'
import {
  type BackupEnd,
  type BackupHead,
  END_NAME,
  FORMAT_VERSION,
  HEAD_NAME,
  PART_BYTES,
} from './backup-format.ts'
import { Progress } from './progress.ts'

const LINE_END = 0x0a
/** Missing files that are named. */
const MISSING_NAMED_MAX = 100

/** The data, and the place of the backup. */
export interface BackupOptions {
  readonly databaseUrl: string
  readonly fileStore: FileStore
  /** A path, or `-` for the standard output. */
  readonly path: string
}

/** The summary of a backup. */
export interface BackupResult {
  readonly file: string
  readonly bytes: number
  readonly created_at: string
  readonly last_event_id: number
  readonly rows: number
  readonly files: number
  readonly file_bytes: number
  /** Files that the store does not have: more than 0 makes the command fail, though the backup has all else. */
  readonly missing_files: number
}

/** Writes a backup; resolves with its summary. Rejects without leaving a file. */
export async function backUp({ databaseUrl, fileStore, path }: BackupOptions): Promise<BackupResult> {
  const snapshot = await openSnapshot(databaseUrl)
  const progress = new Progress('backup')
  try {
    const writer = await ArchiveWriter.open(path)
    try {
      return { file: path, ...(await write(writer, snapshot, fileStore, progress)) }
    } catch (error) {
      await writer.abort(error)
      throw error
    }
  } finally {
    progress.stop()
    await snapshot.close()
  }
}

async function write(
  writer: ArchiveWriter,
  snapshot: BackupSnapshot,
  fileStore: FileStore,
  progress: Progress,
): Promise<Omit<BackupResult, 'file'>> {
  const head: BackupHead = { format: 'parley-backup', version: FORMAT_VERSION, ...snapshot.head }
  const headBytes = Buffer.from(JSON.stringify(head))
  await writer.add(HEAD_NAME, headBytes.length, [headBytes])
  const rows: Record<string, number> = {}
  for (const table of head.tables) {
    progress.step = `table ${table.name}`
    rows[table.name] = await writeTable(writer, snapshot, table, progress)
  }
  progress.step = 'files'
  const missing: string[] = []
  let missingFilesCount = 0
  let fileBytes = 0
  for await (const file of snapshot.files()) {
    const size = await writeFile(writer, fileStore, file)
    if (size === undefined) {
      if (missing.length < MISSING_NAMED_MAX) missing.push(file.key)
      missingFilesCount++
      process.stderr.write(`backup: the file ${file.key} is missing\n`)
      continue
    }
    progress.files++
    progress.bytes += size
    fileBytes += size
  }
  reportMissing(missingFilesCount, progress.files)
  const counts: Omit<BackupEnd, 'sha256'> = {
    rows,
    files: progress.files,
    fileBytes,
    missingFiles: missing,
    missingFilesCount,
  }
  await writer.end(END_NAME, (sha256) => ({ ...counts, sha256 }))
  return {
    bytes: writer.bytes,
    created_at: head.createdAt,
    last_event_id: head.lastEventId,
    rows: progress.rows,
    files: progress.files,
    file_bytes: fileBytes,
    missing_files: missingFilesCount,
  }
}

/** A command that runs by a timer often lacks the settings of the server. */
function reportMissing(missing: number, found: number): void {
  if (missing === 0) return
  const count = found === 0 ? `none of the ${missing} files` : `${missing} of the ${missing + found} files`
  const lack = found === 0 ? 'is where the settings say' : 'are not where the settings say'
  process.stderr.write(`backup: ${count} ${lack}: use the FILES_URL and DATA_DIR of the server\n`)
}

/** Writes the rows of a table in parts; returns their number. */
async function writeTable(
  writer: ArchiveWriter,
  snapshot: BackupSnapshot,
  table: TableShape,
  progress: Progress,
): Promise<number> {
  let part: Buffer[] = []
  let length = 0
  let parts = 0
  let rows = 0
  const flush = async () => {
    if (length === 0) return
    const name = `tables/${table.name}/${String(++parts).padStart(6, '0')}.copy`
    await writer.add(name, length, [Buffer.concat(part)])
    progress.bytes += length
    part = []
    length = 0
  }
  // PostgreSQL sends whole rows, so each chunk ends with one.
  for await (const chunk of (await snapshot.copy(table)) as AsyncIterable<Buffer>) {
    part.push(chunk)
    length += chunk.length
    const count = countLines(chunk)
    rows += count
    progress.rows += count
    if (length >= PART_BYTES) await flush()
  }
  await flush()
  return rows
}

/** The number of rows: line ends within values are escaped. */
function countLines(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1)) count++
  return count
}

/** Writes a file; returns its size, or undefined if the store does not have it. */
async function writeFile(
  writer: ArchiveWriter,
  fileStore: FileStore,
  { key }: FileRow,
): Promise<number | undefined> {
  const size = await fileStore.size(key)
  if (size === undefined) return undefined
  try {
    const bytes = size === 0 ? [] : await fileStore.open(key)
    await writer.add(`files/${key}`, size, bytes)
    return size
  } catch (error) {
    if (error instanceof FileMissingError) return undefined
    throw error
  }
}
