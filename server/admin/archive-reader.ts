/** Reads a backup's archive from a file or from the standard input, with bounded memory. */

import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import { BackupError, EntryDigest, JSON_BYTES_MAX } from './backup-format.ts'

/** An entry, whose bytes must be read before the next one. */
export interface ArchiveEntry {
  readonly name: string
  readonly size: number
  bytes(): AsyncGenerator<Uint8Array>
  /** Parses the whole entry; rejects if it is long. */
  json(): Promise<unknown>
}

/** An open archive. */
export class ArchiveReader {
  #digest = new EntryDigest()
  readonly #entries: AsyncIterator<ParsedTarEntry>
  readonly #source: Readable
  readonly #path: string
  #count = 0

  constructor(path: string) {
    this.#path = path
    this.#source = path === '-' ? process.stdin : createReadStream(path)
    const plain = createZstdDecompress()
    this.#source.on('error', (error) => plain.destroy(error))
    const bytes = Readable.toWeb(this.#source.pipe(plain)) as ReadableStream<Uint8Array>
    const entries = bytes.pipeThrough(createTarDecoder({ strict: true }))
    this.#entries = (entries as AsyncIterable<ParsedTarEntry>)[Symbol.asyncIterator]()
  }

  /** The next entry; undefined at the end. The checksum covers entries whose bytes were read. */
  async next(): Promise<ArchiveEntry | undefined> {
    const { done, value } = await this.#explained(() => this.#entries.next())
    if (done) return undefined
    const { header, body } = value
    const { name, size, type } = header
    if (type !== 'file') throw new BackupError(`${name} is not a file: this is not a backup of Parley`)
    const bytes = () => this.#read(name, size, body)
    return { name, size, bytes, json: () => parse(name, size, bytes()) }
  }

  /** The checksum of all entries read so far, in hex; the next ones do not count. */
  checksum(): string {
    const digest = this.#digest
    this.#digest = new EntryDigest()
    return digest.finish()
  }

  close(): void {
    this.#source.destroy()
  }

  async *#read(name: string, size: number, body: ParsedTarEntry['body']): AsyncGenerator<Uint8Array> {
    this.#digest.begin(name, size)
    const reader = body.getReader()
    for (;;) {
      const { done, value } = await this.#explained(() => reader.read())
      if (done) break
      this.#digest.add(value)
      yield value
    }
    this.#count++
  }

  /** A file of another kind, or a damaged one, fails with errors of the compression or of the archive. */
  async #explained<Result>(read: () => Promise<Result>): Promise<Result> {
    try {
      return await read()
    } catch (error) {
      const { syscall, code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') throw new BackupError(`there is no file ${this.#path}`)
      if (code === 'EISDIR') throw new BackupError(`${this.#path} is a folder: name a backup file`)
      if (syscall !== undefined) throw error
      const reason =
        this.#count === 0 ? 'this is not a backup of Parley' : 'the backup is incomplete or damaged'
      throw new BackupError(reason, { cause: error })
    }
  }
}

async function parse(name: string, size: number, chunks: AsyncGenerator<Uint8Array>): Promise<unknown> {
  if (size > JSON_BYTES_MAX) throw new BackupError(`${name} is too long: this is not a backup of Parley`)
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'))
  } catch (error) {
    throw new BackupError(`${name} is not JSON: this is not a backup of Parley`, { cause: error })
  }
}
