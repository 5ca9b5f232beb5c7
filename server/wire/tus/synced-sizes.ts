/** Caches how many bytes of each upload are on disk. */

import type { FileStore } from '../../files/file-store.ts'

/** Cached uploads; for others the size is synced, and the owner loaded, again. */
export const CACHED_MAX = 10_000
/** Their sizes and their owners, each with a key. */
const BYTES_PER_ENTRY = 200
export const UPLOADS_BYTES_MAX = CACHED_MAX * 2 * BYTES_PER_ENTRY
const NO_CHUNKS: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} }

/**
 * Sizes that survive a power failure. A file that a process was writing when it died may be longer than its part on
 * disk. So bytes that this process did not write are synced before they are reported.
 */
export class SyncedSizes {
  readonly #files: FileStore
  readonly #cached = new Map<string, number>()

  constructor(files: FileStore) {
    this.#files = files
  }

  /** The approximate bytes of memory. */
  get bytes(): number {
    return this.#cached.size * BYTES_PER_ENTRY
  }

  /** Bytes on disk; undefined if there is no such file. The caller must have the upload's turn. */
  async read(key: string): Promise<number | undefined> {
    const size = await this.#files.size(key)
    if (size === undefined || this.#cached.get(key) === size) return size
    this.note(key, await this.#files.append(key, size, NO_CHUNKS, Number.POSITIVE_INFINITY))
    return size
  }

  /** Records the bytes that are on disk. */
  note(key: string, size: number): void {
    if (this.#cached.size >= CACHED_MAX) this.#cached.clear()
    this.#cached.set(key, size)
  }

  forget(key: string): void {
    this.#cached.delete(key)
  }
}
