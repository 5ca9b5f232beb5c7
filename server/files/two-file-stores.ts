/**
 * Two stores as one, while files move from one to the other. New files go to the first. A file that the first lacks is
 * the second's.
 */

import type { Readable } from 'node:stream'
import { FileMissingError, type FileStore, type SignedAnswer } from './file-store.ts'

/** A store and the one that files come from. */
export class TwoFileStores implements FileStore {
  readonly first: FileStore
  readonly second: FileStore

  constructor(first: FileStore, second: FileStore) {
    this.first = first
    this.second = second
  }

  /** A variant goes to its original. Without one, a store rejects before it reads a chunk. */
  write(key: string, chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<number> {
    return this.#use((store) => store.write(key, chunks, bytesMax))
  }

  create(key: string): Promise<void> {
    return this.first.create(key)
  }

  append(key: string, offset: number, chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<number> {
    return this.#use((store) => store.append(key, offset, chunks, bytesMax))
  }

  finish(key: string): Promise<void> {
    return this.#use((store) => store.finish(key))
  }

  async size(key: string): Promise<number | undefined> {
    return (await this.first.size(key)) ?? (await this.second.size(key)) ?? this.first.size(key)
  }

  open(key: string, start?: number, end?: number): Promise<Readable> {
    return this.#use((store) => store.open(key, start, end))
  }

  async localPath(key: string): Promise<string | undefined> {
    return (await this.first.localPath(key)) ?? this.second.localPath(key)
  }

  readAll(key: string, bytesMax: number): Promise<Uint8Array> {
    return this.#use((store) => store.readAll(key, bytesMax))
  }

  async remove(key: string): Promise<void> {
    await this.second.remove(key)
    await this.first.remove(key)
  }

  /** None at the second: files leave it, and a client may follow an address once the file is gone from there. */
  async signAddress(key: string, answer: SignedAnswer): Promise<string | undefined> {
    return (await this.first.size(key)) === undefined ? undefined : this.first.signAddress(key, answer)
  }

  async *sweep(before: Date, organization: string): AsyncGenerator<string> {
    yield* this.first.sweep(before, organization)
    yield* this.second.sweep(before, organization)
  }

  /** Uses the store that has the file. The first once more, since the file may have moved there meanwhile. */
  async #use<Result>(use: (store: FileStore) => Promise<Result>): Promise<Result> {
    try {
      return await use(this.first).catch((error) => afterMissing(error, () => use(this.second)))
    } catch (error) {
      return afterMissing(error, () => use(this.first))
    }
  }
}

async function afterMissing<Result>(error: unknown, use: () => Promise<Result>): Promise<Result> {
  if (!(error instanceof FileMissingError)) throw error
  return use()
}
