/**
 * Splits one file of `mongodump --archive` into its collections. It is a number, documents about the dump and each
 * collection, and then blocks: a document that names a collection, and some of its documents. Each list ends with -1.
 */

import { createReadStream, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { boundBytes } from '../bounded-bytes.ts'
import { ImportError } from '../records.ts'
import { EntryError } from '../archive.ts'
import { BsonError, decodeBson, DOCUMENT_BYTES_MAX } from './bson.ts'

const MAGIC = 0x8199e26d
const END = -1
const BLOCK_BYTES = 1024 * 1024

/** Writes the wanted collections as plain files into a folder; returns their paths. */
export async function splitArchive(
  path: string,
  isPacked: boolean,
  { wanted, folder }: { readonly wanted: ReadonlySet<string>; readonly folder: string },
): Promise<ReadonlyMap<string, string>> {
  const file = createReadStream(path, { highWaterMark: BLOCK_BYTES })
  const source = isPacked ? file.pipe(createGunzip({ chunkSize: BLOCK_BYTES })) : file
  if (isPacked) file.on('error', (error) => source.destroy(error))
  const splitter = new Splitter(wanted, folder)
  try {
    const bytes = boundBytes(source as AsyncIterable<Buffer>, statSync(path).size)
    for await (const chunk of isPacked ? bytes : (source as AsyncIterable<Buffer>)) await splitter.push(chunk)
    splitter.end()
    return splitter.paths
  } catch (error) {
    if (error instanceof NoArchiveError)
      throw new ImportError(`${path} is no dump of MongoDB: it is neither a folder nor one of --archive`, {
        cause: error,
      })
    if (error instanceof BsonError)
      throw new EntryError(`the archive is damaged: ${error.message}`, { cause: error })
    throw error
  } finally {
    file.destroy()
    await splitter.close()
  }
}

class NoArchiveError extends Error {
  override readonly name = 'NoArchiveError'
}

class Splitter {
  readonly #wanted: ReadonlySet<string>
  readonly #folder: string
  readonly #files = new Map<string, FileHandle>()
  readonly paths = new Map<string, string>()
  #held: Buffer = Buffer.alloc(0)
  #state: 'magic' | 'prelude' | 'header' | 'documents' = 'magic'
  /** Of the present block; undefined if nobody wants it. */
  #target: FileHandle | undefined

  constructor(wanted: ReadonlySet<string>, folder: string) {
    this.#wanted = wanted
    this.#folder = folder
  }

  async push(chunk: Buffer): Promise<void> {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    let at = 0
    while (this.#held.length - at >= 4) {
      if (this.#state === 'magic') {
        if (this.#held.readUInt32LE(at) !== MAGIC) throw new NoArchiveError('the first number is another one')
        this.#state = 'prelude'
        at += 4
        continue
      }
      const length = this.#held.readInt32LE(at)
      if (length === END) {
        this.#state = 'header'
        at += 4
        continue
      }
      if (length < 5 || length > DOCUMENT_BYTES_MAX)
        throw new BsonError('a document has an impossible length')
      if (this.#held.length - at < length) break
      await this.#take(this.#held.subarray(at, at + length))
      at += length
    }
    this.#held = this.#held.subarray(at)
  }

  end(): void {
    if (this.#state === 'magic') throw new NoArchiveError('the file is empty')
    if (this.#held.length > 0) throw new BsonError('the file is cut off')
  }

  async close(): Promise<void> {
    for (const file of this.#files.values()) await file.close()
  }

  async #take(document: Buffer): Promise<void> {
    if (this.#state === 'documents') await this.#target?.writeFile(document)
    if (this.#state !== 'header') return
    const collection = String(decodeBson(document)['collection'])
    this.#state = 'documents'
    this.#target = this.#wanted.has(collection) ? await this.#fileOf(collection) : undefined
  }

  async #fileOf(collection: string): Promise<FileHandle> {
    const known = this.#files.get(collection)
    if (known) return known
    const path = join(this.#folder, `${this.#files.size}.bson`)
    const file = await open(path, 'wx', 0o600)
    this.#files.set(collection, file)
    this.paths.set(collection, path)
    return file
  }
}
