/**
 * The names of an archive's entries, with some numbers of each. They are in a temporary file: the memory holds the place
 * and a hash of each, since an archive has millions.
 */

import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ReadBytes, readInBlocks } from './blocks.ts'
import { ImportError } from './records.ts'
import { TextIndex } from './text-index.ts'

/** Entries of one archive: each takes 24 bytes of memory at most. */
const ENTRIES_MAX = 2_000_000
/** Bytes that are written or read at once, when all names are. */
const BLOCK_BYTES = 256 * 1024
/** Bytes that are read for one entry: most have some hundred. */
const RECORD_BYTES = 1_024
const FIRST_CAPACITY = 1_024
const NUMBER_BYTES = 8
/** Bytes of a name are counted in four. */
const HEAD_BYTES = 4
/** In the place of an entry that another one replaced; an archive cannot have as many bytes of names. */
const NONE = 0xffffffff

/** An entry as it was added. */
export interface TableEntry {
  readonly name: string
  readonly numbers: readonly number[]
}

/** Entries by their names, or by what `keyOf` makes of them; of several with one key the last one counts. */
export class EntryTable {
  readonly #file: FileHandle
  readonly #columns: number
  readonly #index: TextIndex
  #places = new Uint32Array(FIRST_CAPACITY)
  #count = 0
  #held: Buffer[] = []
  #heldBytes = 0
  #writtenBytes = 0
  readonly #readOne: ReadBytes

  private constructor(file: FileHandle, columns: number, keyOf: (name: string) => string | undefined) {
    this.#file = file
    this.#columns = columns
    this.#readOne = readInBlocks(file, RECORD_BYTES)
    this.#index = new TextIndex(async (number) => {
      const entry = await this.#get(number, this.#readOne)
      return entry && keyOf(entry.name)
    })
  }

  /** An empty table of entries with so many numbers each. */
  static async create(
    columns: number,
    keyOf: (name: string) => string | undefined = (name) => name,
  ): Promise<EntryTable> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-import-'))
    try {
      return new EntryTable(await open(join(folder, 'names'), 'wx+', 0o600), columns, keyOf)
    } finally {
      // The open file stays until it is closed, also by a kill.
      await rm(folder, { recursive: true })
    }
  }

  /** Adds an entry; `key` is what `keyOf` makes of its name. Rejects with an `ImportError` beyond the limits. */
  async add(name: string, numbers: readonly number[] = [], key = name): Promise<void> {
    if (this.#count === ENTRIES_MAX) throw new ImportError(`the archive has more than ${ENTRIES_MAX} entries`)
    const nameBytes = Buffer.byteLength(name)
    const record = Buffer.allocUnsafe(HEAD_BYTES + this.#columns * NUMBER_BYTES + nameBytes)
    const place = this.#writtenBytes + this.#heldBytes
    if (place + record.length >= NONE) throw new ImportError('the names of the archive have more than 4 GiB')
    let at = record.writeUInt32LE(nameBytes)
    for (const number of numbers) at = record.writeDoubleLE(number, at)
    record.write(name, at)
    this.#held.push(record)
    this.#heldBytes += record.length
    this.#index.add(key, this.#count)
    this.#notePlace(place)
    if (this.#heldBytes >= BLOCK_BYTES) await this.#flush()
  }

  async find(key: string): Promise<TableEntry | undefined> {
    await this.#flush()
    const number = await this.#index.find(key)
    return number === undefined ? undefined : this.#get(number, this.#readOne)
  }

  /** All of them with one key, the last one first. */
  async findAll(key: string): Promise<readonly TableEntry[]> {
    await this.#flush()
    const found: TableEntry[] = []
    for await (const number of this.#index.findAll(key)) {
      const entry = await this.#get(number, this.#readOne)
      if (entry) found.push(entry)
    }
    return found
  }

  /** All entries, as they were added. */
  async *entries(): AsyncGenerator<TableEntry> {
    await this.#flush()
    const read = readInBlocks(this.#file, BLOCK_BYTES)
    for (let number = 0; number < this.#count; number++) {
      const entry = await this.#get(number, read)
      if (entry) yield entry
    }
  }

  /** Drops each entry whose key a later one has, and hands its name to `drop`. */
  async dropReplaced(drop: (name: string) => void): Promise<void> {
    await this.#flush()
    for await (const number of this.#index.replaced()) {
      drop((await this.#get(number, this.#readOne))?.name ?? '')
      this.#places[number] = NONE
    }
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  /** Undefined for an entry that was dropped. */
  async #get(number: number, read: ReadBytes): Promise<TableEntry | undefined> {
    const place = this.#places[number] ?? NONE
    if (place === NONE) return undefined
    const nameBytes = (await read(place, HEAD_BYTES)).readUInt32LE()
    const record = await read(place + HEAD_BYTES, this.#columns * NUMBER_BYTES + nameBytes)
    const numbers: number[] = []
    for (let at = 0; at < this.#columns; at++) numbers.push(record.readDoubleLE(at * NUMBER_BYTES))
    return { name: record.toString('utf8', this.#columns * NUMBER_BYTES), numbers }
  }

  #notePlace(place: number): void {
    if (this.#count === this.#places.length) {
      const larger = new Uint32Array(this.#places.length * 2)
      larger.set(this.#places)
      this.#places = larger
    }
    this.#places[this.#count++] = place
  }

  async #flush(): Promise<void> {
    if (this.#heldBytes === 0) return
    const bytes = Buffer.concat(this.#held)
    const place = this.#writtenBytes
    this.#held = []
    this.#heldBytes = 0
    this.#writtenBytes += bytes.length
    await this.#file.write(bytes, 0, bytes.length, place)
  }
}
