/**
 * Reads a zip that others made. Names are only keys, never paths; each size, checksum and place is checked here, since
 * a hostile archive has any of them wrong.
 */

import { type FileHandle, open } from 'node:fs/promises'
import { createInflateRaw, crc32, inflateRaw } from 'node:zlib'
import { promisify } from 'node:util'
import { Readable } from 'node:stream'
import { type Archive, type ArchiveEntry, EntryError, type Refuse, WHOLE_BYTES_MAX } from './archive.ts'
import { ImportError } from './records.ts'
import { METHODS, ZipDirectory, type ZipEntry } from './zip-directory.ts'

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
  readonly #directory: ZipDirectory

  private constructor(file: FileHandle, directory: ZipDirectory) {
    this.#file = file
    this.#directory = directory
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
      return new ZipArchive(file, await ZipDirectory.read(file, refuse))
    } catch (error) {
      await file.close()
      if (error instanceof ImportError) throw error
      throw new ImportError(`${path} is no whole zip archive: ${(error as Error).message}`, { cause: error })
    }
  }

  get names(): IterableIterator<string> {
    return this.#directory.names()
  }

  find(name: string): ZipEntry | undefined {
    return this.#directory.find(name)
  }

  indexNames(partOf: (name: string) => string | undefined): (part: string) => string | undefined {
    return this.#directory.indexNames(partOf)
  }

  /** The bytes of an entry; rejects with an `EntryError`. */
  async read({ name }: ArchiveEntry): Promise<Buffer> {
    const entry = this.#get(name)
    if (entry.size > WHOLE_BYTES_MAX) throw new EntryError(`it is larger than ${WHOLE_BYTES_MAX} bytes`)
    checkRatio(entry)
    const packed = Buffer.allocUnsafe(entry.packedSize)
    await readAt(this.#file, packed, await this.#dataOf(entry))
    const bytes = entry.method === METHODS.stored ? packed : await unpack(packed, entry)
    if (bytes.length !== entry.size || crc32(bytes) !== entry.crc)
      throw new EntryError('its checksum is wrong')
    return bytes
  }

  /** The bytes of an entry of any size, in parts; throws an `EntryError` at the end if they are not what they should be. */
  async *stream({ name }: ArchiveEntry): AsyncGenerator<Buffer> {
    const entry = this.#get(name)
    checkRatio(entry)
    const start = await this.#dataOf(entry)
    if (entry.packedSize === 0) return
    const raw = Readable.from(this.#packed(start, entry.packedSize))
    const source = entry.method === METHODS.stored ? raw : raw.pipe(createInflateRaw())
    raw.on('error', (error) => source.destroy(error))
    let crc = 0
    let size = 0
    try {
      for await (const part of source as AsyncIterable<Buffer>) {
        size += part.length
        if (size > entry.size) throw new EntryError('it is larger than it says')
        crc = crc32(part, crc)
        yield part
      }
    } catch (error) {
      if (error instanceof EntryError) throw error
      throw new EntryError(`it is damaged: ${(error as Error).message}`, { cause: error })
    } finally {
      raw.destroy()
    }
    if (size !== entry.size || crc !== entry.crc) throw new EntryError('its checksum is wrong')
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  #get(name: string): ZipEntry {
    const entry = this.#directory.find(name)
    if (!entry) throw new Error('an entry is read of another archive')
    return entry
  }

  async *#packed(start: number, size: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < size; ) {
      const part = Buffer.allocUnsafe(Math.min(PART_BYTES, size - at))
      await readAt(this.#file, part, start + at)
      at += part.length
      yield part
    }
  }

  async #dataOf({ offset }: ZipEntry): Promise<number> {
    const header = Buffer.allocUnsafe(LOCAL_HEADER_BYTES)
    await readAt(this.#file, header, offset)
    if (header.readUInt32LE(0) !== 0x04034b50) throw new EntryError('its header is missing')
    return offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28)
  }
}

function checkRatio({ size, packedSize }: ZipEntry): void {
  if (size > SMALL_BYTES && size > packedSize * RATIO_MAX)
    throw new EntryError(`it is more than ${RATIO_MAX} times as large as its packed form`)
}

async function unpack(packed: Buffer, { size }: ZipEntry): Promise<Buffer> {
  try {
    // One byte more than it should have, so that a longer one is noticed and never kept.
    return (await inflate(packed, { maxOutputLength: size + 1 })) as Buffer
  } catch (error) {
    throw new EntryError(`it is damaged: ${(error as Error).message}`, { cause: error })
  }
}

async function readAt(file: FileHandle, into: Buffer, position: number): Promise<void> {
  const { bytesRead } = await file.read(into, 0, into.length, position)
  if (bytesRead !== into.length) throw new EntryError('it is cut off')
}
