/** A file store that measures another one: its bytes, and how long it takes, so that a slow disk shows. */

import type { Readable } from 'node:stream'
import { Histogram } from '../measures/histogram.ts'
import { type FileStore, FilesUnavailableError, type SignedAnswer } from './file-store.ts'

/** The work of a store since the start. */
class FileFigures {
  writtenBytes = 0
  /** Calls that failed because the store cannot work. */
  failures = 0
  /** Seconds of each write of a chunk, without the wait for the client. */
  readonly writeSeconds = new Histogram()
  /** Seconds from the last chunk until everything is durable. */
  readonly syncSeconds = new Histogram()
  /** Seconds until a file is open, or read as a whole. */
  readonly openSeconds = new Histogram()
}

/** Measures a store; everything else is the store's own. */
export class MeasuredFileStore implements FileStore {
  readonly #store: FileStore
  readonly figures = new FileFigures()

  constructor(store: FileStore) {
    this.#store = store
  }

  write(key: string, chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<number> {
    return this.#timed(chunks, (timed) => this.#store.write(key, timed, bytesMax))
  }

  create(key: string): Promise<void> {
    return this.#watched(this.#store.create(key))
  }

  append(key: string, offset: number, chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<number> {
    return this.#timed(chunks, (timed) => this.#store.append(key, offset, timed, bytesMax))
  }

  finish(key: string): Promise<void> {
    return this.#watched(this.#store.finish(key))
  }

  size(key: string): Promise<number | undefined> {
    return this.#watched(this.#store.size(key))
  }

  open(key: string, start?: number, end?: number): Promise<Readable> {
    return this.#opened(this.#store.open(key, start, end))
  }

  localPath(key: string): Promise<string | undefined> {
    return this.#store.localPath(key)
  }

  readAll(key: string, bytesMax: number): Promise<Uint8Array> {
    return this.#opened(this.#store.readAll(key, bytesMax))
  }

  remove(key: string): Promise<void> {
    return this.#watched(this.#store.remove(key))
  }

  signAddress(key: string, answer: SignedAnswer): Promise<string | undefined> {
    return this.#watched(this.#store.signAddress(key, answer))
  }

  sweep(before: Date, organization: string): AsyncIterable<string> {
    return this.#store.sweep(before, organization)
  }

  /** Stores chunks; the store works on one from the time it gets it until it asks for the next. */
  async #timed(
    chunks: AsyncIterable<Uint8Array>,
    store: (timed: AsyncIterable<Uint8Array>) => Promise<number>,
  ): Promise<number> {
    const { figures } = this
    let sinceMs = performance.now()
    async function* timed(): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        const givenMs = performance.now()
        yield chunk
        figures.writeSeconds.observeSince(givenMs)
        figures.writtenBytes += chunk.length
      }
      sinceMs = performance.now()
    }
    const size = await this.#watched(store(timed()))
    figures.syncSeconds.observeSince(sinceMs)
    return size
  }

  async #opened<Result>(opening: Promise<Result>): Promise<Result> {
    const startMs = performance.now()
    const result = await this.#watched(opening)
    this.figures.openSeconds.observeSince(startMs)
    return result
  }

  async #watched<Result>(working: Promise<Result>): Promise<Result> {
    try {
      return await working
    } catch (error) {
      if (error instanceof FilesUnavailableError) this.figures.failures++
      throw error
    }
  }
}
