/**
 * Reads a zip that others made. Names are only keys, never paths; each size, checksum and place is checked here, since
 * a hostile archive has any of them wrong.
 */

import { type FileHandle, open } from 'node:fs/promises'
import { createInflateRaw, crc32, inflateRaw } from 'node:zlib'
import { promisify } from 'node:util'
import { Readable } from 'node:stream'
import yauzl from 'yauzl'
import type { Archive, ArchiveEntry } from './archive.ts'
import { ImportError } from './records.ts'

const inflate = promisify(inflateRaw)
/** Entries of one archive: each takes some 200 bytes of memory. */
export const ENTRIES_MAX = 500_000
/** Bytes of an entry that is read as a whole: a day of the busiest channel has some megabytes. */
export const WHOLE_BYTES_MAX = 64 * 1024 * 1024
/** How much larger than its packed form an entry may be; JSON is some twenty times smaller when packed. */
const RATIO_MAX = 200
/** Entries up to this size may be packed as well as they can. */
const SMALL_BYTES = 1024 * 1024
/** Bytes of one read of the directory: record by record it takes twenty times as long. */
const BLOCK_BYTES = 1024 * 1024
const LOCAL_HEADER_BYTES = 30
const METHODS = { stored: 0, deflated: 8 } as const

/** An entry of the directory. */
export interface ZipEntry extends ArchiveEntry {
  readonly offset: number
  readonly packedSize: number
  readonly crc: number
  readonly method: number
}

/** An entry that is damaged, or too large to be honest. */
export class EntryError extends Error {
  override readonly name = 'EntryError'
}

/** An open archive. */
export class ZipArchive implements Archive {
  readonly #file: FileHandle
  readonly #entries: ReadonlyMap<string, ZipEntry>
  /** Names that were left out, each with the reason. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[]

  private constructor(
    file: FileHandle,
    { entries, refused }: { entries: Map<string, ZipEntry>; refused: ZipArchive['refused'] },
  ) {
    this.#file = file
    this.#entries = entries
    this.refused = refused
  }

  /** Opens an archive and reads its directory; rejects with an `ImportError` if it is none, is cut, or lies. */
  static async open(path: string): Promise<ZipArchive> {
    let file: FileHandle
    try {
      file = await open(path, 'r')
    } catch (error) {
      throw new ImportError(`${path} cannot be opened: ${(error as Error).message}`, { cause: error })
    }
    try {
      return new ZipArchive(file, await readDirectory(file))
    } catch (error) {
      await file.close()
      if (error instanceof ImportError) throw error
      throw new ImportError(`${path} is no whole zip archive: ${(error as Error).message}`, { cause: error })
    }
  }

  get names(): IterableIterator<string> {
    return this.#entries.keys()
  }

  find(name: string): ZipEntry | undefined {
    return this.#entries.get(name)
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
    const entry = this.#entries.get(name)
    if (!entry) throw new Error('an entry is read of another archive')
    return entry
  }

  async *#packed(start: number, size: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < size; ) {
      const part = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, size - at))
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

/** The entries by their names; of several with one name the last one counts, as programs that unpack zips do it. */
async function readDirectory(file: FileHandle) {
  const { size } = await file.stat()
  const zip = await yauzl.fromRandomAccessReaderPromise(new BlockReader(file), size, {
    autoClose: false,
    lazyEntries: true,
    // A bad name would end the whole archive.
    decodeStrings: false,
  })
  const entries = new Map<string, ZipEntry>()
  const refused: { name: string; reason: string }[] = []
  for await (const entry of zip.eachEntry()) {
    if (zip.entriesRead > ENTRIES_MAX)
      throw new ImportError(`the archive has more than ${ENTRIES_MAX} entries`)
    const name = yauzl.getFileNameLowLevel(
      entry.generalPurposeBitFlag,
      entry.fileNameRaw,
      entry.extraFields,
      false,
    )
    const reason = faultOf(name, entry)
    if (reason !== undefined) refused.push({ name, reason })
    if (reason !== undefined || name.endsWith('/')) continue
    if (entries.has(name)) refused.push({ name, reason: 'a later entry has the same name' })
    entries.set(name, {
      name,
      offset: entry.relativeOffsetOfLocalHeader,
      packedSize: entry.compressedSize,
      size: entry.uncompressedSize,
      crc: entry.crc32,
      method: entry.compressionMethod,
    })
  }
  checkPlaces([...entries.values()])
  return { entries, refused }
}

function faultOf(name: string, entry: yauzl.Entry): string | undefined {
  const fault = yauzl.validateFileName(name.replaceAll('\\', '/'))
  if (fault !== null) return 'its name leads out of the archive'
  if (entry.isEncrypted()) return 'it is encrypted'
  const isKnown = entry.compressionMethod === METHODS.stored || entry.compressionMethod === METHODS.deflated
  return isKnown ? undefined : 'it is packed in an unknown way'
}

/** Throws if entries share bytes: some kilobytes would become gigabytes so. */
function checkPlaces(entries: readonly ZipEntry[]): void {
  const sorted = [...entries].sort((one, other) => one.offset - other.offset)
  for (const [index, { offset, packedSize }] of sorted.entries()) {
    const next = sorted[index + 1]
    if (next && offset + packedSize > next.offset) throw new ImportError('entries of the archive overlap')
  }
}

type ReadArguments = Parameters<yauzl.RandomAccessReader['read']>

/** Answers the small reads of the directory from large blocks. */
class BlockReader extends yauzl.RandomAccessReader {
  readonly #file: FileHandle
  #block: Buffer = Buffer.alloc(0)
  #start = 0

  constructor(file: FileHandle) {
    super()
    this.#file = file
  }

  override read(...[into, offset, length, position, done]: ReadArguments): void {
    this.#fill(position, length).then(
      () => {
        this.#block.copy(into, offset, position - this.#start, position - this.#start + length)
        done(null)
      },
      (error: unknown) => done(error as Error),
    )
  }

  override close(done: (error: Error | null) => void): void {
    done(null)
  }

  async #fill(position: number, length: number): Promise<void> {
    const end = this.#start + this.#block.length
    if (position >= this.#start && position + length <= end) return
    const block = Buffer.allocUnsafe(Math.max(length, BLOCK_BYTES))
    const { bytesRead } = await this.#file.read(block, 0, block.length, position)
    if (bytesRead < length) throw new Error('it is cut off')
    this.#block = block.subarray(0, bytesRead)
    this.#start = position
  }
}
