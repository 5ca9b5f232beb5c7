/** Where the bytes of uploads are: what every store promises. */

import type { Readable } from 'node:stream'

/**
 * Files by key. A key is `<two hex digits>/<random>`, of our own making; what is made of a file has a key below its
 * own, `<key>.<variant>`. Anything else is refused, so that no input becomes a path.
 */
export interface FileStore {
  /**
   * Makes an empty file; rejects where there is one, and what is made of a file with a `FileMissingError` where that is
   * gone. Its place outlives a crash.
   */
  create(key: string): Promise<void>
  /**
   * Writes what comes at an offset, which is at most the size: what stands behind it is dropped. Resolves with the new
   * size once everything is on the disk. Rejects with a `FileTooLargeError` where the file would have more than
   * `bytesMax`. However it ends, what was written until then stays, and is on the disk. A chunk is only lent: nothing
   * reads it once the next is asked for, or the promise is settled.
   */
  append(key: string, offset: number, chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<number>
  /** Bytes; undefined where there is no such file. */
  size(key: string): Promise<number | undefined>
  /** The bytes from `start` to `end`, both included; rejects with a `FileMissingError` where there is no such file. */
  open(key: string, start?: number, end?: number): Promise<Readable>
  /** All bytes; rejects with a `FileTooLargeError` where there are more than `bytesMax`. */
  readAll(key: string, bytesMax: number): Promise<Uint8Array>
  /** Removes a file and what was made of it; nothing where it is gone already. */
  remove(key: string): Promise<void>
}

/** Thrown where a file is larger than it may be. */
export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError'
}

/** Thrown where there is no such file. */
export class FileMissingError extends Error {
  override readonly name = 'FileMissingError'
}

/** Thrown where the store cannot do what it is asked: its place is full, closed to it, or broken. */
export class FilesUnavailableError extends Error {
  override readonly name = 'FilesUnavailableError'
}
