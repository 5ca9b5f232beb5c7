/** Files that MongoDB holds in parts: of each part the memory holds its place and a hash of its file. */

import { open } from 'node:fs/promises'
import type { OpenEntry } from '../records.ts'
import { EntryError } from '../archive.ts'
import { readAt } from '../blocks.ts'
import { EntryTable } from '../entry-table.ts'
import { BinaryPlace, BsonError, decodeBson, readBson } from './bson.ts'
import { type Dump, readBlocks } from './dump.ts'

/** A part of a file: its number, and its place on the disk. */
type Part = readonly [number: number, position: number, length: number]
/** The numbers of a part. */
const COLUMNS = 3

/** The files of one bucket by their ids. */
export class GridFiles {
  readonly #path: string | undefined
  /** The parts by the ids of their files. */
  readonly #parts: EntryTable

  private constructor(path: string | undefined, parts: EntryTable) {
    this.#path = path
    this.#parts = parts
  }

  /** Reads where all parts are. `lose` gets the reason if the rest of the bucket cannot be read. */
  static async open(dump: Dump, bucket: string, lose: (reason: string) => void): Promise<GridFiles> {
    const path = dump.pathOf(`${bucket}.chunks`)
    const parts = await EntryTable.create(COLUMNS)
    try {
      if (path !== undefined) await readPlaces(path, parts)
    } catch (error) {
      if (!(error instanceof BsonError)) {
        await parts.close()
        throw error
      }
      lose(error.message)
    }
    return new GridFiles(path, parts)
  }

  async find(id: string): Promise<OpenEntry | undefined> {
    const path = this.#path
    const found = await this.#parts.findAll(id)
    if (path === undefined || found.length === 0) return undefined
    const parts = found
      .map(({ numbers: [number = 0, position = 0, length = 0] }): Part => [number, position, length])
      .sort(([one], [other]) => one - other)
    const size = parts.reduce((sum, [, , length]) => sum + length, 0)
    return { size, read: () => readParts(path, parts) }
  }

  close(): Promise<void> {
    return this.#parts.close()
  }
}

async function readPlaces(path: string, parts: EntryTable): Promise<void> {
  for await (const { bytes, position } of readBson(readBlocks(path))) {
    const { files_id: id, n, data } = decodeBson(bytes)
    if (data instanceof BinaryPlace)
      await parts.add(String(id), [Number(n), position + data.offset, data.length])
  }
}

async function* readParts(path: string, parts: readonly Part[]): AsyncGenerator<Uint8Array> {
  if (parts.some(([number], index) => number !== index)) throw new EntryError('a part of it is missing')
  const file = await open(path, 'r')
  try {
    for (const [, position, length] of parts) yield await readAt(file, position, length)
  } finally {
    await file.close()
  }
}
