/** Files that MongoDB holds in parts: only their places are in memory. */

import { open } from 'node:fs/promises'
import type { OpenEntry } from '../records.ts'
import { EntryError } from '../archive.ts'
import { BinaryPlace, BsonError, decodeBson, readBson } from './bson.ts'
import { type Dump, readBlocks, readPart } from './dump.ts'

/** A part of a file: its number, and its place on the disk. */
type Part = readonly [number: number, position: number, length: number]

/** The files of one bucket by their ids. */
export class GridFiles {
  readonly #path: string | undefined
  readonly #parts = new Map<string, Part[]>()

  private constructor(path: string | undefined) {
    this.#path = path
  }

  /** Reads where all parts are. `lose` gets the reason if the rest of the bucket cannot be read. */
  static async open(dump: Dump, bucket: string, lose: (reason: string) => void): Promise<GridFiles> {
    const path = dump.pathOf(`${bucket}.chunks`)
    const files = new GridFiles(path)
    if (path === undefined) return files
    try {
      for await (const { bytes, position } of readBson(readBlocks(path))) {
        const { files_id: id, n, data } = decodeBson(bytes)
        if (!(data instanceof BinaryPlace)) continue
        const part: Part = [Number(n), position + data.offset, data.length]
        const known = files.#parts.get(String(id))
        if (known) known.push(part)
        else files.#parts.set(String(id), [part])
      }
    } catch (error) {
      if (!(error instanceof BsonError)) throw error
      lose(error.message)
    }
    return files
  }

  find(id: string): OpenEntry | undefined {
    const [path, found] = [this.#path, this.#parts.get(id)]
    if (path === undefined || !found) return undefined
    const parts = found.toSorted(([one], [other]) => one - other)
    const size = parts.reduce((sum, [, , length]) => sum + length, 0)
    return { size, read: () => readParts(path, parts) }
  }
}

async function* readParts(path: string, parts: readonly Part[]): AsyncGenerator<Uint8Array> {
  if (parts.some(([number], index) => number !== index)) throw new EntryError('a part of it is missing')
  const file = await open(path, 'r')
  try {
    for (const [, position, length] of parts) yield await readPart(file, position, length)
  } finally {
    await file.close()
  }
}
