/**
 * The format of a backup: a tar archive, compressed by zstd, so that `tar --zstd -xf` opens it.
 *
 * | Entry | Content |
 * | --- | --- |
 * | `parley-backup.json` | the head: versions, tables, sequences |
 * | `tables/<table>/<number>.copy` | rows in the text format of PostgreSQL's COPY, in parts that end with a row |
 * | `files/<key>` | the bytes of an upload |
 * | `end.json` | counts, and the checksum of all entries before it |
 *
 * A tar entry has its size before its bytes, and nobody knows the size of a table before it is read. So a table is
 * several entries, each of which fits into memory. A file without its end is cut and is refused.
 */

import { createHash } from 'node:crypto'
import type { SequenceState, TableShape } from '../../db/backup/table-copies.ts'

/** Raised when an older release could not read the archive. */
export const FORMAT_VERSION = 1
export const HEAD_NAME = 'parley-backup.json'
export const END_NAME = 'end.json'
/** Bytes of rows in one entry; one row may be larger. */
export const PART_BYTES = 1024 * 1024
/** Bytes of the head and of the end; the head lists some hundred tables at most. */
export const JSON_BYTES_MAX = 4 * 1024 * 1024

/** The first entry. */
export interface BackupHead {
  readonly format: 'parley-backup'
  readonly version: number
  /** The database's time of the snapshot, in ISO 8601. */
  readonly createdAt: string
  readonly migrations: readonly string[]
  readonly postgres: string
  readonly lastEventId: number
  readonly tables: readonly TableShape[]
  readonly sequences: readonly SequenceState[]
}

/** The last entry. */
export interface BackupEnd {
  readonly rows: Readonly<Record<string, number>>
  readonly files: number
  readonly fileBytes: number
  /** Keys of files that rows name, but the file store lacks; the first ones of many. */
  readonly missingFiles: readonly string[]
  readonly missingFilesCount: number
  /** SHA-256 of all earlier entries, in hex; see `EntryDigest`. */
  readonly sha256: string
}

/** A file that is no complete backup, or one of a newer release. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** The checksum of a sequence of entries: their names, sizes and bytes. */
export class EntryDigest {
  readonly #hash = createHash('sha256')

  begin(name: string, size: number): void {
    this.#hash.update(`${name}\n${size}\n`)
  }

  add(bytes: Uint8Array): void {
    this.#hash.update(bytes)
  }

  /** The checksum, in hex; ends the digest. */
  finish(): string {
    return this.#hash.digest('hex')
  }
}
