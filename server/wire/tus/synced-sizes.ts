/** How much of each upload is on the disk. */

import type { FileStore } from '../../files/file-store.ts'

/** Uploads that are remembered; of another the size is made sure of, and the owner looked up, again. */
export const REMEMBERED_MAX = 10_000
/** Their sizes and their owners, each under a key. */
export const UPLOADS_BYTES_MAX = REMEMBERED_MAX * 2 * 200
const NO_CHUNKS: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} }

/**
 * Sizes that outlive a power cut. A file that a process was writing when it died may be longer than what of it is on
 * the disk: so what this process did not write itself is brought there before it is told.
 */
export class SyncedSizes {
  readonly #files: FileStore
  readonly #remembered = new Map<string, number>()

  constructor(files: FileStore) {
    this.#files = files
  }

  /** Bytes on the disk; undefined where there is no such file. To be called by whoever has the upload's turn. */
  async read(key: string): Promise<number | undefined> {
    const size = await this.#files.size(key)
    if (size === undefined || this.#remembered.get(key) === size) return size
    this.note(key, await this.#files.append(key, size, NO_CHUNKS, Number.POSITIVE_INFINITY))
    return size
  }

  /** Notes what was brought to the disk. */
  note(key: string, size: number): void {
    if (this.#remembered.size >= REMEMBERED_MAX) this.#remembered.clear()
    this.#remembered.set(key, size)
  }

  forget(key: string): void {
    this.#remembered.delete(key)
  }
}
