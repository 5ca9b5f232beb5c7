/** Reads a tar that others made, also a packed one: its entries stay on the disk, and names are only keys. */

import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import yauzl from 'yauzl'
import { type Archive, type ArchiveEntry, checkWhole, EntryError, type Refuse } from './archive.ts'
import { readAt, readInBlocks } from './blocks.ts'
import { boundBytes } from './bounded-bytes.ts'
import { EntryTable } from './entry-table.ts'
import { ImportError } from './records.ts'

const BLOCK_BYTES = 512
/** Bytes that are read for headers: those of small files lie beside each other. */
const HEADERS_BYTES = 64 * 1024
const PART_BYTES = 1024 * 1024
export const GZIP = 0x8b1f
/** Bytes of a long name, or of the fields that precede an entry. */
const HEAD_BYTES_MAX = 64 * 1024
/** The numbers of an entry: where its bytes are, and how many. */
const COLUMNS = 2

/** An open tar. */
export class TarArchive implements Archive {
  readonly #file: FileHandle
  readonly #table: EntryTable
  readonly #folder: string | undefined

  private constructor(file: FileHandle, folder: string | undefined, table: EntryTable) {
    this.#file = file
    this.#folder = folder
    this.#table = table
  }

  /** Opens a tar, unpacks a packed one into a temporary file, and reads where its entries are; rejects with an `ImportError`. */
  static async open(path: string, refuse: Refuse): Promise<TarArchive> {
    const { plain, folder } = await unpack(path)
    let file: FileHandle | undefined
    try {
      file = await open(plain, 'r')
      return new TarArchive(file, folder, await readTable(file, refuse))
    } catch (error) {
      await file?.close()
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
      if (error instanceof EntryError)
        throw new ImportError(`${path} is no whole tar: ${error.message}`, { cause: error })
      throw error
    }
  }

  async *names(): AsyncGenerator<string> {
    for await (const { name } of this.#table.entries()) yield name
  }

  async find(name: string): Promise<ArchiveEntry | undefined> {
    const found = await this.#table.find(name)
    if (!found) return undefined
    const [position = 0, size = 0] = found.numbers
    const file = this.#file
    return {
      name,
      size,
      async read() {
        checkWhole(size)
        return readAt(file, position, size)
      },
      async *stream() {
        for (let at = 0; at < size; at += PART_BYTES)
          yield await readAt(file, position + at, Math.min(PART_BYTES, size - at))
      },
    }
  }

  async close(): Promise<void> {
    await this.#table.close()
    await this.#file.close()
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true })
  }
}

async function unpack(path: string): Promise<{ plain: string; folder: string | undefined }> {
  let file: FileHandle
  try {
    file = await open(path, 'r')
  } catch (error) {
    throw new ImportError(`${path} cannot be opened: ${(error as Error).message}`, { cause: error })
  }
  const magic = Buffer.alloc(2)
  const { size } = await file.stat()
  await file.read(magic, 0, 2, 0)
  await file.close()
  if (magic.readUInt16LE(0) !== GZIP) return { plain: path, folder: undefined }
  const folder = await mkdtemp(join(tmpdir(), 'parley-import-'))
  const plain = join(folder, 'archive.tar')
  try {
    await pipeline(
      createReadStream(path),
      createGunzip({ chunkSize: PART_BYTES }),
      (source) => boundBytes(source as AsyncIterable<Buffer>, size),
      createWriteStream(plain, { mode: 0o600 }),
    )
    return { plain, folder }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw new ImportError(`${path} is no whole archive: ${(error as Error).message}`, { cause: error })
  }
}

/** The files, of several with one name the last one; links and devices are left out. */
async function readTable(file: FileHandle, refuse: Refuse): Promise<EntryTable> {
  const table = await EntryTable.create(COLUMNS)
  try {
    await readEntries(file, table, refuse)
    await table.dropReplaced((name) => refuse(name, 'a later entry has the same name'))
    return table
  } catch (error) {
    await table.close()
    throw error
  }
}

async function readEntries(file: FileHandle, table: EntryTable, refuse: Refuse): Promise<void> {
  const read = readInBlocks(file, HEADERS_BYTES)
  const { size: whole } = await file.stat()
  let longName: string | undefined
  for (let at = 0; at + BLOCK_BYTES <= whole; ) {
    const head = await read(at, BLOCK_BYTES)
    if (head.every((byte) => byte === 0)) break
    if (!hasRightSum(head)) throw new EntryError(at === 0 ? 'it has no entry' : 'a header is damaged')
    const size = numberOf(head.subarray(124, 136))
    const position = at + BLOCK_BYTES
    if (position + size > whole) throw new EntryError('it is cut off')
    const type = String.fromCharCode(head[156] ?? 0)
    at = position + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES
    if (type === 'L' || type === 'x') {
      if (size > HEAD_BYTES_MAX) throw new EntryError('a name is too long')
      const text = (await read(position, size)).toString('utf8')
      longName =
        type === 'L'
          ? text.replace(/\0.*$/s, '')
          : (/(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1] ?? longName)
      continue
    }
    if (type === 'g') continue
    const name = longName ?? nameOf(head)
    longName = undefined
    const reason = faultOf(name, type)
    if (reason !== undefined) refuse(name, reason)
    if (reason === undefined && type !== '5') await table.add(name, [position, size])
  }
}

function faultOf(name: string, type: string): string | undefined {
  if (yauzl.validateFileName(name.replaceAll('\\', '/')) !== null) return 'its name leads out of the archive'
  return type === '0' || type === '\0' || type === '5' ? undefined : 'it is no file'
}

function nameOf(head: Buffer): string {
  const text = (start: number, length: number) =>
    head.toString('utf8', start, start + length).replace(/\0.*$/s, '')
  const prefix = head.toString('latin1', 257, 262) === 'ustar' ? text(345, 155) : ''
  return prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`
}

/** Octal digits, or, for more than 8 GiB, bytes behind a set bit. */
function numberOf(field: Buffer): number {
  if (((field[0] ?? 0) & 0x80) !== 0) return Number(field.readBigUInt64BE(field.length - 8))
  return Number.parseInt(field.toString('latin1').replaceAll(/[\0 ]/g, '') || '0', 8)
}

/** The sum of all bytes, of those of the sum itself as spaces. */
function hasRightSum(head: Buffer): boolean {
  let sum = 0
  for (const [index, byte] of head.entries()) sum += index >= 148 && index < 156 ? 0x20 : byte
  return sum === numberOf(head.subarray(148, 156))
}
