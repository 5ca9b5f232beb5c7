/** Moves the files of all uploads between the folder and the object store, while servers run that know both. */

import { createHash } from 'node:crypto'
import type { Sql } from '../../db/connection/connect.ts'
import { findUpload, readUploadsAfter } from '../../db/files/uploads.ts'
import { isFileKept, readKeptFiles } from '../../db/holds/kept-files.ts'
import { FileMissingError, type FileStore, FilesAwayError } from '../files/file-store.ts'
import { THUMBNAIL_FORMATS, thumbnailKey } from '../domain/files/thumbnails.ts'
import { keyOfPath, type Upload } from '../domain/files/uploads.ts'

/** Files that are moved at once: most are small, and each takes a few round trips. */
const AT_ONCE = 8
/** Uploads in one query. */
const BATCH_LENGTH = 200

/** The two stores. */
export interface FileMove {
  readonly from: FileStore
  readonly to: FileStore
  /** Whether the originals stay. */
  readonly keepsOriginals: boolean
}

/** The result of a move. */
export interface MovedFiles {
  /** Files, and their bytes without thumbnails. */
  moved: number
  bytes: number
  /** Files that were there already, and only there. */
  there: number
  /** The paths of files that were not moved: missing, damaged or not accepted. */
  readonly failed: string[]
}

/** Moves all files; files that arrive meanwhile at the old place may stay there. Repeating it goes on. */
export async function moveFiles(sql: Sql, move: FileMove): Promise<MovedFiles> {
  const result: MovedFiles = { moved: 0, bytes: 0, there: 0, failed: [] }
  const files = eachFile(sql)
  const work = async () => {
    // All workers take from one generator, which gives each file once.
    for (let next = await files.next(); !next.done; next = await files.next())
      await moveOne(sql, next.value, move, result)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return result
}

/** A file to move. */
type MovedFile = Pick<Upload, 'path' | 'size' | 'hasThumbnail'>

/** Uploads, then the files that are only kept for a legal hold: an upload that is removed meanwhile is among these. */
async function* eachFile(sql: Sql): AsyncGenerator<MovedFile> {
  yield* eachUpload(sql)
  for await (const { path, size } of readKeptFiles(sql)) yield { path, size, hasThumbnail: false }
}

async function isThere(sql: Sql, path: string): Promise<boolean> {
  return (await findUpload(sql, path)) !== undefined || (await isFileKept(sql, path))
}

async function* eachUpload(sql: Sql): AsyncGenerator<Upload> {
  for (let lastId = 0; ; ) {
    const uploads = await readUploadsAfter(sql, lastId, BATCH_LENGTH)
    yield* uploads
    const last = uploads.at(-1)
    if (!last) return
    lastId = last.id
  }
}

async function moveOne(sql: Sql, upload: MovedFile, move: FileMove, result: MovedFiles): Promise<void> {
  const { from, to, keepsOriginals } = move
  const key = keyOfPath(upload.path)
  try {
    if ((await from.size(key)) === undefined) {
      if ((await to.size(key)) === upload.size) result.there++
      else if (await isThere(sql, upload.path)) result.failed.push(upload.path)
      return
    }
    await copy(key, upload, move)
    for (const format of upload.hasThumbnail ? THUMBNAIL_FORMATS : [])
      await copyThumbnail(thumbnailKey(key, format), move)
    // A server that deleted it meanwhile may have missed the copy.
    if (!(await isThere(sql, upload.path))) return await to.remove(key)
    if (!keepsOriginals) await from.remove(key)
    result.moved++
    result.bytes += upload.size
  } catch (error) {
    if (error instanceof FilesAwayError) throw error
    // A server deleted it, or another move was quicker.
    if (error instanceof FileMissingError && !(await isThere(sql, upload.path))) return
    result.failed.push(upload.path)
  }
}

/** Copies a file, unless an earlier move did, and compares the copy with the original. */
async function copy(key: string, { size }: MovedFile, { from, to }: FileMove): Promise<void> {
  const original = await sumOf(from, key)
  if (original.size !== size) throw new Error(`a file has ${original.size} bytes instead of ${size}`)
  if ((await to.size(key)) === size && (await sumOf(to, key)).sum === original.sum) return
  await to.write(key, (await from.open(key)) as AsyncIterable<Uint8Array>, size)
  if ((await sumOf(to, key)).sum === original.sum) return
  await to.remove(key)
  throw new Error('the copy of a file differs from the original')
}

/** Thumbnails can be made again, so a missing one does not matter. */
async function copyThumbnail(key: string, { from, to }: FileMove): Promise<void> {
  const size = await from.size(key)
  if (size === undefined) return
  await to.write(key, (await from.open(key)) as AsyncIterable<Uint8Array>, size)
}

async function sumOf(
  store: FileStore,
  key: string,
): Promise<{ readonly sum: string; readonly size: number }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of (await store.open(key)) as AsyncIterable<Uint8Array>) {
    hash.update(chunk)
    size += chunk.length
  }
  return { sum: hash.digest('hex'), size }
}
