/**
 * Reads a zip that others made. Names are only keys, never paths; each size, checksum and place is checked here, since
 * a hostile archive has any of them wrong.
 */

import { type FileHandle, open } from 'node:fs/promises'
import { createInflateRaw, crc32, inflateRaw } from 'node:zlib'
import { promisify } from 'node:util'
import { Readable } from 'node:stream'
import { type Archive, type ArchiveEntry, checkWhole, EntryError, type Refuse } from './archive.ts'
import { readAt } from './blocks.ts'
import type { EntryTable } from './entry-table.ts'
import { ImportError } from './records.ts'
import { METHODS, readDirectory } from './zip-directory.ts'

const inflate = promisify(inflateRaw)
/** How much larger than its packed form an entry may be; JSON is some twenty times smaller when packed. */
const RATIO_MAX = 200
/** Entries up to this size may be packed as well as they can. */
const SMALL_BYTES = 1024 * 1024
/** Bytes of one read of an entry that is streamed. */
const PART_BYTES = 1024 * 1024
const LOCAL_HEADER_BYTES = 30

/** An open archive. */
export class ZipArchive implements Archive {
  readonly #file: FileHandle
  readonly #table: EntryTable

  private constructor(file: FileHandle, table: EntryTable) {
    this.#file = file
    this.#table = table
  }

  /** Opens an archive and reads its directory; rejects with an `ImportError` if it is none, is cut, or lies. */
  static async open(path: string, refuse: Refuse): Promise<ZipArchive> {
    let file: FileHandle
    try {
      file = await open(path, 'r')
    } catch (error) {
      throw new ImportError(`${path} cannot be opened: ${(error as Error).message}`, { cause: error })
    }
    try {
      return new ZipArchive(file, await readDirectory(file, refuse))
    } catch (error) {
      await file.close()
      if (error instanceof ImportError) throw error
      throw new ImportError(`${path} is no whole zip archive: ${(error as Error).message}`, { cause: error })
    }
  }

  async *names(): AsyncGenerator<string> {
    for await (const { name } of this.#table.entries()) yield name
  }

  async find(name: string): Promise<ArchiveEntry | undefined> {
    const found = await this.#table.find(name)
    if (!found) return undefined
    const [offset = 0, packedSize = 0, size = 0, crc = 0, method = 0] = found.numbers
    return new ZipEntry(this.#file, { name, offset, packedSize, size, crc, method })
  }

  async close(): Promise<void> {
    await this.#table.close()
    await this.#file.close()
  }
}

/** The record of an entry in the directory. */
interface ZipRecord {
  readonly name: string
  readonly offset: number
  readonly packedSize: number
  readonly size: number
  readonly crc: number
  readonly method: number
}

class ZipEntry implements ArchiveEntry {
  readonly #file: FileHandle
  readonly #record: ZipRecord

  constructor(file: FileHandle, record: ZipRecord) {
    this.#file = file
    this.#record = record
  }

  get name(): string {
    return this.#record.name
  }

  get size(): number {
    return this.#record.size
  }

  async read(): Promise<Buffer> {
    const { size, packedSize, method, crc } = this.#record
    checkWhole(size)
    checkRatio(this.#record)
    const packed = await readAt(this.#file, await this.#findData(), packedSize)
    const bytes = method === METHODS.stored ? packed : await unpack(packed, size)
    if (bytes.length !== size || crc32(bytes) !== crc) throw new EntryError('its checksum is wrong')
    return bytes
  }

  async *stream(): AsyncGenerator<Buffer> {
    const { packedSize, method, ...record } = this.#record
    checkRatio(this.#record)
    const start = await this.#findData()
    if (packedSize === 0) return
    const raw = Readable.from(this.#packed(start, packedSize))
    const source = method === METHODS.stored ? raw : raw.pipe(createInflateRaw())
    raw.on('error', (error) => source.destroy(error))
    let crc = 0
    let size = 0
    try {
      for await (const part of source as AsyncIterable<Buffer>) {
        size += part.length
        if (size > record.size) throw new EntryError('it is larger than it says')
        crc = crc32(part, crc)
        yield part
      }
    } catch (error) {
      if (error instanceof EntryError) throw error
      throw new EntryError(`it is damaged: ${(error as Error).message}`, { cause: error })
    } finally {
      raw.destroy()
    }
    if (size !== record.size || crc !== record.crc) throw new EntryError('its checksum is wrong')
  }

  async *#packed(start: number, size: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < size; at += PART_BYTES)
      yield await readAt(this.#file, start + at, Math.min(PART_BYTES, size - at))
  }

  /** The place of its packed bytes. */
  async #findData(): Promise<number> {
    const { offset } = this.#record
    const header = await readAt(this.#file, offset, LOCAL_HEADER_BYTES)
    if (header.readUInt32LE(0) !== 0x04034b50) throw new EntryError('its header is missing')
    return offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28)
  }
}

function checkRatio({ size, packedSize }: ZipRecord): void {
  if (size > SMALL_BYTES && size > packedSize * RATIO_MAX)
    throw new EntryError(`it is more than ${RATIO_MAX} times as large as its packed form`)
}

async function unpack(packed: Buffer, size: number): Promise<Buffer> {
  try {
    // One byte more than it should have, so that a longer one is noticed and never kept.
    return (await inflate(packed, { maxOutputLength: size + 1 })) as Buffer
  } catch (error) {
    throw new EntryError(`it is damaged: ${(error as Error).message}`, { cause: error })
  }
}
