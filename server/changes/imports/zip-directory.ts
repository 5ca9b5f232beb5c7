/**
 * The directory of a zip. It stays on the disk: of each entry the memory holds where its record is, and a hash of its name.
 */

import { readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import yauzl from 'yauzl'
import type { ArchiveEntry, Refuse } from './archive.ts'
import { ImportError } from './records.ts'
import { TextIndex } from './text-index.ts'

/** Entries of one archive: each takes 12 bytes of memory, and 16 more while the archive is opened. */
const ZIP_ENTRIES_MAX = 2_000_000
/** Bytes of one read of the directory: record by record it takes twenty times as long. */
const BLOCK_BYTES = 1024 * 1024
/** Bytes that are read for one record: most have some hundred. */
const RECORD_BYTES = 1_024
const HEAD_BYTES = 46
/** Stands for a number in the record's extra field. */
const ELSEWHERE = 0xffffffff
const ZIP64_FIELD = 1
/** In the place of a record that counts no longer. */
const NONE = 0xffffffff
export const METHODS = { stored: 0, deflated: 8 } as const

/** An entry of the directory. */
export interface ZipEntry extends ArchiveEntry {
  readonly offset: number
  readonly packedSize: number
  readonly crc: number
  readonly method: number
}

/** The entries by their names; of several with one name the last one counts, as programs that unpack zips do it. */
export class ZipDirectory {
  readonly #descriptor: number
  readonly #start: number
  /** Bytes from the start of the directory to the record of each entry. */
  readonly #places: Uint32Array
  #count = 0
  readonly #index: TextIndex
  /** For records that are looked up one by one. */
  readonly #record: ReadRecord

  private constructor(file: FileHandle, start: number, entries: number) {
    this.#descriptor = file.fd
    this.#start = start
    this.#places = new Uint32Array(entries)
    this.#record = this.#records(RECORD_BYTES)
    this.#index = new TextIndex((number) => this.#nameOf(number))
  }

  /** Reads the directory of an open file; rejects if there is none, or if its entries share bytes. */
  static async read(file: FileHandle, refuse: Refuse): Promise<ZipDirectory> {
    const { size } = await file.stat()
    const zip = await yauzl.fromRandomAccessReaderPromise(new BlockReader(file), size, {
      autoClose: false,
      lazyEntries: true,
      // A bad name would end the whole archive.
      decodeStrings: false,
    })
    const { entryCount } = zip
    if (entryCount > ZIP_ENTRIES_MAX)
      throw new ImportError(`the archive has more than ${ZIP_ENTRIES_MAX} entries`)
    if (entryCount * HEAD_BYTES > size) throw new Error('it is cut off')
    // The types of yauzl say a boolean.
    const directory = new ZipDirectory(file, Number(zip.readEntryCursor), entryCount)
    await directory.#readAll(zip, refuse)
    return directory
  }

  *names(): Generator<string> {
    const records = this.#records(BLOCK_BYTES)
    for (let number = 0; number < this.#count; number++) {
      const place = this.#places[number] ?? NONE
      if (place !== NONE) yield readName(records, place)
    }
  }

  find(name: string): ZipEntry | undefined {
    const number = this.#index.find(name)
    return number === undefined
      ? undefined
      : readEntry(this.#records(RECORD_BYTES), this.#places[number] ?? 0)
  }

  /** Finds names by a part of them; names without the part are left out. */
  indexNames(partOf: (name: string) => string | undefined): (part: string) => string | undefined {
    const index = new TextIndex((number) => {
      const name = this.#nameOf(number)
      return name === undefined ? undefined : partOf(name)
    })
    const blocks = this.#records(BLOCK_BYTES)
    for (let number = 0; number < this.#count; number++) {
      const place = this.#places[number] ?? NONE
      const part = place === NONE ? undefined : partOf(readName(blocks, place))
      if (part !== undefined) index.add(part, number)
    }
    return (part) => {
      const number = index.find(part)
      return number === undefined ? undefined : this.#nameOf(number)
    }
  }

  async #readAll(zip: yauzl.ZipFile, refuse: Refuse): Promise<void> {
    const starts = new Float64Array(zip.entryCount)
    const ends = new Float64Array(zip.entryCount)
    let place = 0
    for await (const entry of zip.eachEntry()) {
      const name = yauzl.getFileNameLowLevel(
        entry.generalPurposeBitFlag,
        entry.fileNameRaw,
        entry.extraFields,
        false,
      )
      const reason = faultOf(name, entry)
      if (reason !== undefined) refuse(name, reason)
      else if (!name.endsWith('/')) {
        starts[this.#count] = entry.relativeOffsetOfLocalHeader
        ends[this.#count] = entry.relativeOffsetOfLocalHeader + entry.compressedSize
        this.#places[this.#count] = place
        this.#index.add(name, this.#count++)
      }
      place += HEAD_BYTES + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      if (place >= NONE) throw new ImportError('the directory of the archive has more than 4 GiB')
    }
    this.#dropReplaced(refuse, (number) => {
      starts[number] = ends[number] = 0
    })
    checkPlaces(starts.subarray(0, this.#count), ends.subarray(0, this.#count))
  }

  #dropReplaced(refuse: Refuse, drop: (number: number) => void): void {
    for (const number of this.#index.replaced()) {
      refuse(this.#nameOf(number) ?? '', 'a later entry has the same name')
      this.#places[number] = NONE
      drop(number)
    }
  }

  /** Undefined for an entry that another one replaced. */
  #nameOf(number: number): string | undefined {
    const place = this.#places[number] ?? NONE
    return place === NONE ? undefined : readName(this.#record, place)
  }

  /** Reads records by their places, through blocks of some bytes. */
  #records(blockBytes: number): ReadRecord {
    let block = Buffer.allocUnsafe(blockBytes)
    let start = 0
    let end = 0
    return (place, length) => {
      if (place < start || place + length > end) {
        if (length > block.length) block = Buffer.allocUnsafe(length)
        start = place
        end = place + readSync(this.#descriptor, block, 0, block.length, this.#start + place)
        if (end - start < length) throw new ImportError('the archive was changed while it was read')
      }
      return block.subarray(place - start, place - start + length)
    }
  }
}

/** The bytes at a place of the directory; they are valid until the next call. */
type ReadRecord = (place: number, length: number) => Buffer

function readName(records: ReadRecord, place: number): string {
  const head = records(place, HEAD_BYTES)
  const flags = head.readUInt16LE(8)
  const nameLength = head.readUInt16LE(28)
  const rest = records(place + HEAD_BYTES, nameLength + head.readUInt16LE(30))
  const fields = yauzl.parseExtraFields(rest.subarray(nameLength))
  return yauzl.getFileNameLowLevel(flags, rest.subarray(0, nameLength), fields, false)
}

function readEntry(records: ReadRecord, place: number): ZipEntry {
  const name = readName(records, place)
  const head = records(place, HEAD_BYTES)
  const nameLength = head.readUInt16LE(28)
  const size = head.readUInt32LE(24)
  const packedSize = head.readUInt32LE(20)
  const offset = head.readUInt32LE(42)
  const crc = head.readUInt32LE(16)
  const method = head.readUInt16LE(10)
  const extra = records(place + HEAD_BYTES + nameLength, head.readUInt16LE(30))
  let wide = yauzl.parseExtraFields(extra).find(({ id }) => id === ZIP64_FIELD)?.data ?? Buffer.alloc(0)
  const whole = (value: number) => {
    if (value !== ELSEWHERE) return value
    const [own, others] = [wide.readBigUInt64LE(0), wide.subarray(8)]
    wide = others
    return Number(own)
  }
  // In this order they are there (APPNOTE 4.5.3).
  return { name, size: whole(size), packedSize: whole(packedSize), offset: whole(offset), crc, method }
}

function faultOf(name: string, entry: yauzl.Entry): string | undefined {
  const fault = yauzl.validateFileName(name.replaceAll('\\', '/'))
  if (fault !== null) return 'its name leads out of the archive'
  if (entry.isEncrypted()) return 'it is encrypted'
  const isKnown = entry.compressionMethod === METHODS.stored || entry.compressionMethod === METHODS.deflated
  return isKnown ? undefined : 'it is packed in an unknown way'
}

/**
 * Throws if entries share bytes: some kilobytes would become gigabytes so. None do if each one ends before the next one
 * begins, when all starts and all ends are sorted.
 */
function checkPlaces(starts: Float64Array, ends: Float64Array): void {
  starts.sort()
  ends.sort()
  for (const [index, end] of ends.entries()) {
    const next = starts[index + 1]
    if (next !== undefined && end > next) throw new ImportError('entries of the archive overlap')
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
