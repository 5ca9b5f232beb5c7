/** Writes zip archives of every kind, also broken and hostile ones. */

import { writeFileSync } from 'node:fs'
import { crc32, deflateRawSync } from 'node:zlib'

/** An entry; what is given instead of its true values makes it a lie. */
export interface ZipFile {
  readonly name: string
  readonly content: string | Buffer
  readonly crc?: number
  readonly size?: number
  /** The number of the entry whose place it claims. */
  readonly placeOf?: number
}

const VERSION = 20
const UTF8 = 0x800
const DEFLATED = 8
/** Entries; it says that another record counts them. */
const COUNT_MAX = 0xffff
/** Bytes; it says that another record has them. */
const OFFSET_MAX = 0xffffffff

/** The bytes of an archive of at most 4 GiB, behind so many bytes `before` it in its file. */
export function makeZip(files: Iterable<ZipFile>, before = 0): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  const offsets: number[] = []
  let offset = before
  for (const { name, content, placeOf, ...lies } of files) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(VERSION, 0)
    fields.writeUInt16LE(UTF8, 2)
    fields.writeUInt16LE(DEFLATED, 4)
    fields.writeUInt32LE(lies.crc ?? crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(lies.size ?? bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    offsets.push(placeOf === undefined ? offset : (offsets[placeOf] ?? 0))
    const tail = Buffer.alloc(14)
    const place = offsets.at(-1) ?? 0
    const isFar = place >= OFFSET_MAX
    const extra = isFar ? wideOffset(place) : Buffer.alloc(0)
    tail.writeUInt32LE(isFar ? OFFSET_MAX : place, 10)
    const inDirectory = Buffer.from(fields)
    inDirectory.writeUInt16LE(extra.length, 24)
    directory.push(
      Buffer.from('PK\u0001\u0002'),
      uint16(VERSION),
      inDirectory,
      tail,
      Buffer.from(name),
      extra,
    )
    const local = [Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), packed]
    for (const part of local) offset += part.length
    parts.push(...local)
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  const count = Math.min(offsets.length, COUNT_MAX)
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(Math.min(offset, OFFSET_MAX), 12)
  const isWide = count === COUNT_MAX || offset >= OFFSET_MAX
  const wide = isWide ? wideEnd(offsets.length, list.length, offset) : []
  return Buffer.concat([...parts, list, ...wide, Buffer.from('PK\u0005\u0006'), end])
}

/** The record of an archive with more entries than the ordinary one can count, and where it is. */
function wideEnd(count: number, listLength: number, offset: number): readonly Buffer[] {
  const end = Buffer.alloc(52)
  end.writeBigUInt64LE(44n, 0)
  end.writeUInt16LE(VERSION, 8)
  end.writeUInt16LE(VERSION, 10)
  end.writeBigUInt64LE(BigInt(count), 20)
  end.writeBigUInt64LE(BigInt(count), 28)
  end.writeBigUInt64LE(BigInt(listLength), 36)
  end.writeBigUInt64LE(BigInt(offset), 44)
  const locator = Buffer.alloc(16)
  locator.writeBigUInt64LE(BigInt(offset + listLength), 4)
  locator.writeUInt32LE(1, 12)
  return [Buffer.from('PK\u0006\u0006'), end, Buffer.from('PK\u0006\u0007'), locator]
}

/** The extra field of an entry that begins behind 4 GiB. */
function wideOffset(offset: number): Buffer {
  const field = Buffer.alloc(12)
  field.writeUInt16LE(1, 0)
  field.writeUInt16LE(8, 2)
  field.writeBigUInt64LE(BigInt(offset), 4)
  return field
}

/** Writes an archive of JSON files. */
export function writeJsonZip(path: string, files: Readonly<Record<string, unknown>>): void {
  const entries = Object.entries(files)
  writeFileSync(path, makeZip(entries.map(([name, value]) => ({ name, content: JSON.stringify(value) }))))
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
